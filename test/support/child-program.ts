import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'

export interface ChildProgram {
  /** Run it with Node. */
  readonly file: string
  remove(): Promise<void>
}

/** Compiles a program of `test/support`, to be run as a process of its own. */
export async function buildChild(name: string): Promise<ChildProgram> {
  const folder = await mkdtemp(join(tmpdir(), `modulus-${name}-`))
  const file = join(folder, 'child.mjs')
  await build({
    entryPoints: [resolve(`test/support/${name}.ts`)],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    // Packages are bundled, since loading hundreds of small files takes most of the time of a start.
    external: ['pg-native'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
    loader: { '.xml': 'text', '.csv': 'text', '.sql': 'text', '.ttf': 'binary' },
    alias: { '#kernel': resolve('kernel/index.ts') },
    logLevel: 'error',
  })
  return { file, remove: () => rm(folder, { recursive: true, force: true }) }
}
