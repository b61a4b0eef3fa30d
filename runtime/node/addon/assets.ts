import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Asset, AssetPort, ClientAssets } from '../../../kernel/services.ts'
import { accepts, type ClientManifest, CODINGS, clientAssetsOf, typeOf } from '../../client-manifest.ts'

/** The built files, held in memory so that no later build takes them away. */
export interface BuiltFiles {
  find(...wanted: Parameters<AssetPort['find']>): Asset | null
}

export interface BuiltClient {
  readonly assets: BuiltFiles
  readonly clientAssets: ClientAssets
}

/** The client code of an addon outside the build, as one file. */
export interface AddonScript {
  readonly module: string
  /** File name with the hash of the content. */
  readonly name: string
  readonly forms: Forms
}

/** Beside the built program, or where a build puts it when this file runs as source. */
const FOLDERS = ['./web', '../../../.build/web'].map((path) => fileURLToPath(new URL(path, import.meta.url)))

/** The built web client and the client code of other addons; undefined if it was not built. */
export function openBuiltClient(others: readonly AddonScript[] = []): BuiltClient | undefined {
  const folder = FOLDERS.find((path) => existsSync(join(path, 'manifest.json')))
  if (folder === undefined) return undefined
  return process.env['MODULUS_DEV'] === '1' ? followBuild(folder, others) : loadBuild(folder, others)
}

function loadBuild(folder: string, others: readonly AddonScript[]): BuiltClient {
  // The build wrote this file, so its content fits the type.
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as ClientManifest
  const there = new Set(readdirSync(folder))
  const missing = manifest.files.filter((name) => !there.has(name))
  if (missing.length > 0) throw new Error(`The built client lacks ${missing.join(', ')}. Build it again.`)
  const waiting = new Set(manifest.files)
  const held = new Map(others.map(({ name, forms }) => [name, forms]))
  const formsFor = (name: string): Forms | undefined => {
    if (waiting.has(name)) held.set(name, loadFile(folder, name, there))
    waiting.delete(name)
    return held.get(name)
  }
  // Read in the background, while a start waits for the database anyway.
  const readAll = async () => {
    for (const name of waiting) {
      await nextTurn()
      formsFor(name)
    }
  }
  // A file that has gone since then fails the requests for it; the others are still read when they are asked for.
  readAll().catch(() => undefined)
  return {
    assets: { find: (name, accepted) => pick(formsFor(name), accepted) },
    clientAssets: clientAssetsOf(manifest, others),
  }
}

/** For development: the files of the latest build, and its name as `build.txt` for pages that wait for the next one. */
function followBuild(folder: string, others: readonly AddonScript[]): BuiltClient {
  const manifest = join(folder, 'manifest.json')
  let seen = 0
  let built = loadBuild(folder, others)
  const latest = (): BuiltClient => {
    const { mtimeMs } = statSync(manifest)
    if (mtimeMs !== seen) built = loadBuild(folder, others)
    seen = mtimeMs
    return built
  }
  const find: BuiltFiles['find'] = (name, accepted) =>
    name === 'build.txt'
      ? { body: readFileSync(manifest), type: typeOf(name), encoding: null }
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
    get imports() {
      return latest().clientAssets.imports
    },
    chunk: (viewType) => latest().clientAssets.chunk(viewType),
    addon: (module) => latest().clientAssets.addon(module),
  }
  return { assets: { find }, clientAssets }
}

/** A file in plain and compressed form. */
export interface Forms {
  readonly type: string
  readonly plain: Uint8Array
  readonly br: Uint8Array | null
  readonly gzip: Uint8Array | null
}

function loadFile(folder: string, name: string, there: ReadonlySet<string>): Forms {
  const read = (suffix: string): Uint8Array | null =>
    there.has(name + suffix) ? readFileSync(join(folder, name + suffix)) : null
  return formsOf(name, { plain: readFileSync(join(folder, name)), br: read('.br'), gzip: read('.gz') })
}

/** The forms of a file, without a compressed one that is not smaller. */
export function formsOf(name: string, { plain, br, gzip }: Omit<Forms, 'type'>): Forms {
  const smaller = (bytes: Uint8Array | null) => (bytes && bytes.length < plain.length ? bytes : null)
  return {
    type: typeOf(name),
    plain,
    br: smaller(br),
    gzip: smaller(gzip),
  }
}

function pick(forms: Forms | undefined, accepted: string | null): Asset | null {
  if (!forms) return null
  const { type, plain } = forms
  for (const { coding } of CODINGS) {
    const body = forms[coding]
    if (body && accepts(accepted, coding)) return { body, type, encoding: coding }
  }
  return { body: plain, type, encoding: null }
}
