import { type BuildOptions, build } from 'esbuild'

const OPTIONS: BuildOptions = {
  bundle: true,
  format: 'esm',
  target: 'es2023',
  // `pg` is CommonJS and picks its socket by the `workerd` condition; with the condition `import` it would not find it.
  platform: 'node',
  conditions: ['workerd', 'worker'],
  mainFields: ['module', 'main'],
  external: ['cloudflare:*', 'node:*'],
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire('/');" },
  loader: { '.sql': 'text', '.xml': 'text', '.csv': 'text' },
  logLevel: 'warning',
}

/** What workerd needs switched on to run the bundle. */
export const WORKER_COMPATIBILITY = { date: '2026-04-01', flags: ['nodejs_compat'] } as const

/** Bundles a worker entry into one ES module; the recipe of both the build and the tests. */
export async function bundleWorker(entry: string, outfile: string): Promise<void> {
  await build({ ...OPTIONS, entryPoints: [entry], outfile })
}
