import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

/**
 * A style sheet imported by code travels inside its chunk: no request of its own, and it is there before the first picture.
 * `from` is the module that has `adoptStyles`. Paths are those below `root`: they are part of the names of the files, which must not
 * depend on where the build ran.
 */
export const stylePlugin = (esbuild, root, from) => ({
  name: 'styles',
  setup(build) {
    build.onResolve({ filter: /\.css$/ }, ({ kind, path, resolveDir }) =>
      kind === 'import-statement' ? { path: relative(root, join(resolveDir, path)), namespace: 'adopted' } : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'adopted' }, async ({ path: name }) => {
      const path = join(root, name)
      const { code } = await esbuild.transform(await readFile(path, 'utf8'), {
        loader: 'css',
        minify: true,
        target: 'chrome123',
      })
      return {
        contents: `import { adoptStyles } from ${JSON.stringify(from)}\nadoptStyles(${JSON.stringify(code)})`,
        resolveDir: dirname(path),
        watchFiles: [path],
      }
    })
  },
})
