import { existsSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Asset, AssetPort, ClientAssets } from '../../kernel/services.ts'

/** What `runtime/build-client.mjs` writes about its files. */
interface Manifest {
  readonly build: string
  readonly styles: readonly string[]
  readonly scripts: readonly string[]
  readonly font: string
  readonly icons: string
  readonly inline: string
  readonly page: readonly string[]
  readonly chunks: Readonly<Record<string, readonly string[]>>
  readonly addons: Readonly<Record<string, string>>
  readonly files: readonly string[]
}

export interface BuiltClient {
  readonly assets: AssetPort
  readonly clientAssets: ClientAssets
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.map': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
}

/** Beside the built program, or where a build puts it when this file runs as source. */
const FOLDERS = ['./web', '../../.build/web'].map((path) => fileURLToPath(new URL(path, import.meta.url)))

/** The built web client, held in memory; undefined when it was not built. */
export function openBuiltClient(): BuiltClient | undefined {
  const folder = FOLDERS.find((path) => existsSync(join(path, 'manifest.json')))
  if (folder === undefined) return undefined
  return process.env['MODULUS_DEV'] === '1' ? followBuild(folder) : loadBuild(folder)
}

function loadBuild(folder: string): BuiltClient {
  // The build wrote it.
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest
  const files = new Map(manifest.files.map((name) => [name, loadFile(folder, name)]))
  const { styles, scripts, font, icons, inline, page, chunks, addons } = manifest
  return {
    assets: { find: (name, accepted) => pick(files.get(name), accepted) },
    clientAssets: {
      styles,
      scripts,
      font,
      icons,
      inline,
      page: { styles, scripts: page },
      chunk: (viewType) => (Object.hasOwn(chunks, viewType) ? chunks[viewType]! : []),
      addon: (module) => (Object.hasOwn(addons, module) ? addons[module]! : null),
    },
  }
}

/** While developing: the files of the latest build, and its name under `build.txt` for pages that wait for another. */
function followBuild(folder: string): BuiltClient {
  const manifest = join(folder, 'manifest.json')
  let seen = 0
  let built = loadBuild(folder)
  const latest = (): BuiltClient => {
    const { mtimeMs } = statSync(manifest)
    if (mtimeMs !== seen) built = loadBuild(folder)
    seen = mtimeMs
    return built
  }
  const find: AssetPort['find'] = (name, accepted) =>
    name === 'build.txt'
      ? { body: readFileSync(manifest), type: TYPES['.txt']!, encoding: null }
      : latest().assets.find(name, accepted)
  const clientAssets: ClientAssets = {
    get styles() {
      return latest().clientAssets.styles
    },
    get scripts() {
      return latest().clientAssets.scripts
    },
    get font() {
      return latest().clientAssets.font
    },
    get icons() {
      return latest().clientAssets.icons
    },
    get inline() {
      return latest().clientAssets.inline
    },
    get page() {
      return latest().clientAssets.page
    },
    chunk: (viewType) => latest().clientAssets.chunk(viewType),
    addon: (module) => latest().clientAssets.addon(module),
  }
  return { assets: { find }, clientAssets }
}

interface Forms {
  readonly type: string
  readonly plain: Uint8Array
  readonly br: Uint8Array | null
  readonly gzip: Uint8Array | null
}

function loadFile(folder: string, name: string): Forms {
  const read = (suffix: string): Uint8Array | null => {
    const path = join(folder, name + suffix)
    return existsSync(path) ? readFileSync(path) : null
  }
  const plain = readFileSync(join(folder, name))
  const smaller = (bytes: Uint8Array | null) => (bytes && bytes.length < plain.length ? bytes : null)
  return {
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    plain,
    br: smaller(read('.br')),
    gzip: smaller(read('.gz')),
  }
}

function pick(forms: Forms | undefined, accepted: string | null): Asset | null {
  if (!forms) return null
  const { type, plain, br, gzip } = forms
  if (br && accepts(accepted, 'br')) return { body: br, type, encoding: 'br' }
  if (gzip && accepts(accepted, 'gzip')) return { body: gzip, type, encoding: 'gzip' }
  return { body: plain, type, encoding: null }
}

/** Whether `Accept-Encoding` names a coding and does not refuse it with `q=0`. */
const accepts = (header: string | null, coding: string): boolean =>
  (header ?? '').split(',').some((item) => {
    const [name = '', ...params] = item.split(';').map((part) => part.trim().toLowerCase())
    return name === coding && !params.some((param) => /^q=0(\.0*)?$/.test(param))
  })
