import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { chunkPlugin } from './chunk-plugin.mjs'
import { stylePlugin } from './style-plugin.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const client = 'addons/web/client'
const outDir = '.build/web'
const PUBLIC = '/web/static/'

export const CLIENT_MANIFEST = `${outDir}/manifest.json`

/** Whether pages watch for a new build and reload; `npm run dev` says so. */
const isDev = process.env.MODULUS_DEV === '1'

/** Sets theme and density before the first picture; the names are those of core/theme.ts. */
const INLINE =
  "try{for(const k of['theme','density']){const v=localStorage.getItem('modulus.'+k);" +
  "if(v&&v!=='system'&&v!=='normal')document.documentElement.dataset[k]=v}}catch{}"

const RECIPE = ['./build-client.mjs', './chunk-plugin.mjs', './style-plugin.mjs']

/** Everything that decides what is built besides the content of the files that are read. */
export async function clientRecipe() {
  return JSON.stringify([
    isDev,
    await entryPoints(),
    await archFiles(),
    INLINE,
    ...(await Promise.all(RECIPE.map((name) => readFile(new URL(name, import.meta.url), 'utf8')))),
  ])
}

/** Builds the browser's files into `.build/web` and returns the source files they came from. */
export async function buildClient(esbuild) {
  const icons = await iconSprite()
  const result = await esbuild.build({ ...clientOptions(esbuild, icons.text), entryPoints: await entryPoints() })
  const manifest = describe(result.metafile)
  const files = await Promise.all(result.outputFiles.map(compress))
  for (const file of files) await replace(file)
  await replace({ path: join(root, CLIENT_MANIFEST), contents: JSON.stringify(manifest) })
  await dropOld(new Set(files.map(({ path }) => path)))
  const inputs = Object.keys(result.metafile.inputs).map((path) => path.replace('adopted:', ''))
  return [...inputs.filter((path) => existsSync(join(root, path))), ...icons.inputs]
}

/** How code for the browser is bundled; tests build pages of their own by the same recipe. */
export const clientOptions = (esbuild, sprite = '<svg xmlns="http://www.w3.org/2000/svg"/>') => ({
  absWorkingDir: root,
  outdir: outDir,
  outbase: '.',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: ['es2023', 'chrome123', 'firefox121', 'safari17.5'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  sourcemap: isDev ? 'linked' : false,
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': '"production"', __DEV__: String(isDev) },
  alias: { '#kernel': './kernel/index.ts', 'bind-event-listener': `./${client}/ui/bind-events.ts` },
  publicPath: PUBLIC,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  loader: { '.woff2': 'file', '.svg': 'file' },
  plugins: [
    iconPlugin(sprite),
    stylePlugin(esbuild, root, join(root, client, 'core/styles.ts')),
    chunkPlugin(root, client),
  ],
  logLevel: 'silent',
  metafile: true,
  write: false,
})

/** Under these names client code of addons imports what the program has; pages map them to where it is. */
const SHARED = { '#sdk': `${client}/sdk.ts`, '#sdk-edit': `${client}/sdk-edit.ts` }

/** The client itself, the pages before sign-in, the main style sheet, and the client code of each addon, all by themselves. */
async function entryPoints() {
  const addons = (await readdir(join(root, 'addons'))).toSorted()
  const own = addons.map((name) => `addons/${name}/client/index.ts`)
  const ours = [`${client}/main.ts`, `${client}/pages.ts`, `${client}/styles/main.css`, ...Object.values(SHARED)]
  return [...ours, ...own].filter((path) => existsSync(join(root, path)))
}

/** Where each file went, as `runtime/node/addon/assets.ts` reads it. */
function describe({ outputs }) {
  const entries = Object.entries(outputs)
  const outputOf = (entry) => entries.find(([, { entryPoint }]) => entryPoint === entry)?.[0]
  const urlOf = (path) => PUBLIC + basename(path)
  const fileLike = (pattern) => urlOf(entries.map(([path]) => path).find((path) => pattern.test(basename(path))) ?? '')
  /** The output and all it imports at once, itself first. */
  const closure = (path, found = new Set()) => {
    if (path === undefined || found.has(path)) return found
    found.add(path)
    for (const { path: next, kind } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement') closure(next, found)
    return found
  }
  /** What all share is in a chunk; an entry that does nothing but import it would be a request for nothing. */
  const hasCode = (path) => Object.values(outputs[path].inputs).some(({ bytesInOutput }) => bytesInOutput > 0)
  const files = entries.map(([path]) => basename(path)).toSorted()
  const main = new Set([...closure(outputOf(`${client}/main.ts`))].filter(hasCode))
  const byEntry = (pattern) =>
    entries.flatMap(([path, { entryPoint = '' }]) => {
      const name = pattern.exec(entryPoint)?.[1]
      return name === undefined ? [] : [[name, path]]
    })
  return {
    styles: [urlOf(outputOf(`${client}/styles/main.css`))],
    scripts: [...main].map(urlOf),
    font: fileLike(/^inter-latin-wght-normal-.*\.woff2$/),
    icons: fileLike(/^icons-.*\.svg$/),
    inline: INLINE,
    page: [...closure(outputOf(`${client}/pages.ts`))].map(urlOf),
    chunks: Object.fromEntries(
      byEntry(/^addons\/web\/client\/views\/([a-z]+)\/view\.tsx$/).map(([name, path]) => [
        name,
        [...closure(path)].filter((each) => !main.has(each)).map(urlOf),
      ]),
    ),
    addons: Object.fromEntries(
      byEntry(/^addons\/([a-z0-9_]+)\/client\/index\.ts$/).map(([name, path]) => [name, urlOf(path)]),
    ),
    imports: Object.fromEntries(Object.entries(SHARED).map(([name, entry]) => [name, urlOf(outputOf(entry))])),
    files,
    build: createHash('sha256').update(files.join()).digest('hex').slice(0, 12),
  }
}

/** `modulus:icons` is the address of the sprite. */
const iconPlugin = (text) => ({
  name: 'icons',
  setup(build) {
    build.onResolve({ filter: /^modulus:icons$/ }, () => ({ path: 'icons.svg', namespace: 'icons' }))
    build.onLoad({ filter: /.*/, namespace: 'icons' }, () => ({ contents: text, loader: 'file' }))
  },
})

/** One symbol per icon: those of the client's list, those views name in their arch, and our own. */
async function iconSprite() {
  const list = `${client}/ui/icon-names.ts`
  const source = await readFile(join(root, list), 'utf8')
  const [lucide, own] = source.split('OWN_ICONS')
  const named = [...lucide.matchAll(/'([a-z0-9-]+)'/g)].map(([, name]) => name)
  const drawn = [...own.matchAll(/^ {2}'?([a-z-]+)'?:\s+'([^']+)',$/gm)].map(([, name, shape]) => symbol(name, shape))
  const archs = await archFiles()
  const inArchs = await Promise.all(archs.map((path) => readFile(join(root, path), 'utf8')))
  const inViews = inArchs.flatMap((text) => [...text.matchAll(/\bicon="([a-z0-9-]+)"/g)].map(([, name]) => name))
  const symbols = await Promise.all([...new Set([...named, ...inViews])].toSorted().map(lucideSymbol))
  const text = `<svg xmlns="http://www.w3.org/2000/svg">${[...symbols, ...drawn].join('')}</svg>`
  return { text, inputs: [list, ...archs] }
}

const symbol = (name, shape) => `<symbol id="${name}" viewBox="0 0 24 24">${shape}</symbol>`

async function lucideSymbol(name) {
  const path = join(root, 'node_modules/lucide-static/icons', `${name}.svg`)
  if (!existsSync(path)) return ''
  const shape = /<svg[\s\S]*?>([\s\S]*)<\/svg>/.exec(await readFile(path, 'utf8'))?.[1] ?? ''
  return symbol(name, shape.replace(/\s*\n\s*/g, '').replaceAll(' />', '/>'))
}

async function archFiles() {
  const all = await readdir(join(root, 'addons'), { recursive: true })
  return all
    .filter((path) => /(^|\/)(views|data)\/[^/]+\.xml$/.test(path))
    .map((path) => `addons/${path}`)
    .toSorted()
}

const FONT = /\.woff2$/

/** The file with its compressed forms; fonts are compressed already. */
async function compress({ path, contents }) {
  if (FONT.test(path) || path.endsWith('.map')) return { path, contents }
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: isDev ? 4 : 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: contents.length,
  }
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(contents, { params }),
    // With the smaller blocks of this level, scripts of our size become smaller.
    promisify(gzip)(contents, { level: isDev ? 4 : 9, memLevel: 7 }),
  ])
  return { path, contents, br, gz }
}

/** A reader sees the old file or the new one, never half of it. */
async function replace({ path, contents, br, gz }) {
  await mkdir(dirname(path), { recursive: true })
  for (const [suffix, bytes] of [
    ['.br', br],
    ['.gz', gz],
    ['', contents],
  ]) {
    if (bytes === undefined) continue
    const draft = `${path}${suffix}.${process.pid}`
    await writeFile(draft, bytes)
    await rename(draft, path + suffix)
  }
}

const KEEP_MS = 3_600_000

/** Files of earlier builds go an hour after they were made: a process that is just starting may still read them. */
async function dropOld(current) {
  const folder = join(root, outDir)
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (name === basename(CLIENT_MANIFEST) || current.has(path.replace(/\.(br|gz)$/, ''))) continue
    const found = await stat(path).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > KEEP_MS) await rm(path, { force: true })
  }
}
