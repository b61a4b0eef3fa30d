import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../.build/web', import.meta.url))

const KB = 1_000

/** Most bytes of what a browser loads, compressed with gzip where that helps. */
export const BUDGETS = {
  'first load, scripts': 60 * KB,
  'first load, styles': 14 * KB,
  'font to preload': 50 * KB,
  'view list': 30 * KB,
  'view form': 30 * KB,
  'view kanban': 14 * KB,
  'view pivot': 10 * KB,
  'view gantt': 14 * KB,
  'view cohort': 6 * KB,
  'view graph': 75 * KB,
  'view calendar': 85 * KB,
  'view import': 12 * KB,
  'view dashboard': 26 * KB,
  'view map': 95 * KB,
  'rich text': 35 * KB,
  'pages before sign-in, scripts': 4 * KB,
}

const sizeOf = (url) => {
  const path = join(folder, basename(url))
  return statSync(existsSync(`${path}.gz`) ? `${path}.gz` : path).size
}

const sum = (urls) => urls.reduce((total, url) => total + sizeOf(url), 0)

const IMPORT = /(?:from|import)"([^"]+)"/g

/** Chunks and all that they import, without what is there already. */
function withImports(names, isThere) {
  const found = new Set(names)
  for (const name of found)
    for (const [, url] of readFileSync(join(folder, name), 'utf8').matchAll(IMPORT))
      if (!isThere.has(basename(url))) found.add(basename(url))
  return [...found]
}

/** Sizes by the names of the budgets; what is not built yet is missing. The first load is the shell with its first list. */
export function measure() {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  const isThere = new Set([...manifest.scripts, ...(manifest.chunks.form ?? [])].map((url) => basename(url)))
  const editor = manifest.files.filter((name) => /^html-editor-.*\.js$/.test(name))
  return {
    'first load, scripts': sum([...manifest.scripts, ...(manifest.chunks.list ?? [])]),
    'first load, styles': sum(manifest.styles),
    'font to preload': sizeOf(manifest.font),
    'pages before sign-in, scripts': sum(manifest.page),
    'rich text': sum(withImports(editor, isThere)),
    ...Object.fromEntries(Object.entries(manifest.chunks).map(([type, urls]) => [`view ${type}`, sum(urls)])),
  }
}

export const tooLarge = (sizes) =>
  Object.entries(sizes).filter(([name, bytes]) => BUDGETS[name] === undefined || bytes > BUDGETS[name])

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sizes = measure()
  for (const [name, bytes] of Object.entries(sizes)) {
    const budget = BUDGETS[name] === undefined ? 'no budget' : `of ${(BUDGETS[name] / KB).toFixed(0)}`
    console.log(`${name.padEnd(32)} ${(bytes / KB).toFixed(1).padStart(6)} kB ${budget}`)
  }
  const over = tooLarge(sizes)
  if (over.length > 0) console.error(`Too large: ${over.map(([name]) => name).join(', ')}`)
  process.exitCode = over.length > 0 ? 1 : 0
}
