import { readdir, readFile } from 'node:fs/promises'
import { join, normalize } from 'node:path'

const IMPORT = /^(?:import|export) (type )?[^'";()]*?from '([^']+)'|^import '([^']+)'/gm
const DYNAMIC_IMPORT = /\bimport\('(\.[^']+)'\)/g

/**
 * Few chunks instead of many. esbuild makes one chunk per set of entries that reach a module, so every file that is loaded later gets
 * imports of what the page has by then: all that `main.ts` and the sdk reach, and inside a view all that the view reaches. A file that
 * uses any control of `sdk-edit.ts` gets all of them, so that the controls are one chunk too; code of the kernel is no control. A
 * dashboard shows tiles of other views, so it gets what several of them share, and so does the figure of a tile below its list; with a
 * part of it, each of their chunks would fall apart.
 */
export const chunkPlugin = (root, client) => ({
  name: 'chunks',
  setup(build) {
    const [main, sdk, sdkEdit] = ['main.ts', 'sdk.ts', 'sdk-edit.ts'].map((name) => join(root, client, name))
    const [dashboard, figure] = ['dashboard/view.tsx', 'list/group/measured.tsx'].map((name) =>
      join(root, client, 'views', name),
    )
    let graph
    let controls
    let sharedByViews
    build.onStart(async () => {
      graph = await readGraph(join(root, 'addons'))
      const firstLoad = reach(graph, [main, sdk])
      controls = new Set([...reach(graph, [sdkEdit])].filter((path) => !firstLoad.has(path)))
      const views = [...graph.deferred].filter((path) => path.endsWith('/view.tsx') && path !== dashboard)
      const reached = views.map((view) => reach(graph, [view]))
      sharedByViews = [...graph.imports.keys()].filter(
        (path) =>
          /\/client\/views\/(shared|plan)\//.test(path) && reached.filter((files) => files.has(path)).length > 1,
      )
    })
    const usesControls = (path) =>
      [...reach(graph, [path])].some((each) => controls.has(each) && each.startsWith(join(root, client)))
    build.onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      if (path !== main && path !== sdk && path !== sdkEdit && !graph.deferred.has(path)) return undefined
      // What views share belongs to none of them.
      const view = /^.*\/client\/views\/(?!shared\/)[a-z]+\//.exec(path)?.[0]
      const added = [
        path === main ? sdk : main,
        ...(view === undefined ? [] : [`${view}view.tsx`]),
        ...(usesControls(path) ? [sdkEdit] : []),
        ...(path === dashboard || path === figure ? sharedByViews : []),
      ].filter((each) => each !== path)
      const contents = [await readFile(path, 'utf8'), ...added.map((each) => `import ${JSON.stringify(each)}`)].join(
        '\n',
      )
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' }
    })
  },
})

/** The imports between the client files of all addons; `deferred` are the files loaded with `import()`, and each addon's entry. */
async function readGraph(addons) {
  const all = await readdir(addons, { recursive: true })
  const paths = all.filter((path) => /^[^/]+\/client\/.*\.tsx?$/.test(path)).map((path) => join(addons, path))
  const imports = new Map()
  const deferred = new Set(paths.filter((path) => /^[^/]+\/client\/index\.ts$/.test(path.slice(addons.length + 1))))
  for (const path of paths) {
    const text = await readFile(path, 'utf8')
    const fileAt = (specifier) => normalize(join(path, '..', specifier))
    const values = [...text.matchAll(IMPORT)].filter(([, type]) => type === undefined)
    imports.set(
      path,
      values
        .map(([, , from, effect]) => from ?? effect)
        .filter((name) => name.startsWith('.'))
        .map(fileAt),
    )
    for (const [, specifier] of text.matchAll(DYNAMIC_IMPORT)) deferred.add(fileAt(specifier))
  }
  return { imports, deferred }
}

/** The files that are loaded together with these. */
function reach({ imports }, paths, found = new Set()) {
  for (const path of paths) {
    if (found.has(path)) continue
    found.add(path)
    reach({ imports }, imports.get(path) ?? [], found)
  }
  return found
}
