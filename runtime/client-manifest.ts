import type { ClientAssets } from '../kernel/services.ts'

/** The manifest that `runtime/build/build-client.mjs` writes about its files. */
export interface ClientManifest {
  readonly build: string
  readonly styles: readonly string[]
  readonly scripts: readonly string[]
  readonly font: string
  readonly icons: string
  readonly inline: string
  readonly page: readonly string[]
  readonly chunks: Readonly<Record<string, readonly string[]>>
  readonly imports: Readonly<Record<string, string>>
  readonly addons: Readonly<Record<string, string>>
  readonly files: readonly string[]
}

const PUBLIC = '/web/static/'

/** Addresses of the files of a build; `others`: names of the client code of addons outside of the build. */
export function clientAssetsOf(
  manifest: ClientManifest,
  others: readonly { readonly module: string; readonly name: string }[] = [],
): ClientAssets {
  const { styles, scripts, font, icons, inline, page, chunks, imports } = manifest
  const addons = new Map(Object.entries(manifest.addons))
  for (const { module, name } of others) addons.set(module, PUBLIC + name)
  return {
    styles,
    scripts,
    font,
    icons,
    inline,
    page: { styles, scripts: page },
    chunk: (viewType) => (Object.hasOwn(chunks, viewType) ? chunks[viewType]! : []),
    imports,
    addon: (module) => addons.get(module) ?? null,
  }
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  map: 'application/json',
  txt: 'text/plain; charset=utf-8',
}

/** The content type of a file, by its name. */
export const typeOf = (name: string): string => TYPES[/\.(\w+)$/.exec(name)?.[1] ?? ''] ?? 'application/octet-stream'

/** Encodings in which files exist besides plain, the smaller one first, with the suffix of their names. */
export const CODINGS = [
  { coding: 'br', suffix: '.br' },
  { coding: 'gzip', suffix: '.gz' },
] as const

/** Whether `Accept-Encoding` names a coding and does not refuse it with `q=0`. */
export const accepts = (header: string | null, coding: string): boolean =>
  (header ?? '').split(',').some((item) => {
    const [name = '', ...params] = item.split(';').map((part) => part.trim().toLowerCase())
    return name === coding && !params.some((param) => /^q=0(\.0*)?$/.test(param))
  })
