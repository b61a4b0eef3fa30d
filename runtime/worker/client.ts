import type { Asset, Services } from '../../kernel/services.ts'
import { accepts, type ClientManifest, CODINGS, clientAssetsOf, typeOf } from '../client-manifest.ts'

/** The files of a build (`.build/web`) as the platform holds them: the binding of static assets. */
export interface AssetsBinding {
  fetch(request: string): Promise<Response>
}

type ClientPorts = Pick<Services, 'assets' | 'clientAssets'>

/**
 * The web client of an isolate. What its files are is asked once and kept; requests may share that, but not the asking, which belongs
 * to one of them.
 */
export function shareClient(): (binding: AssetsBinding | undefined) => Promise<ClientPorts> {
  let held: ClientManifest | null = null
  return async (binding) => {
    if (binding === undefined) return {}
    held ??= await readManifest(binding)
    return held === null ? {} : portsOf(binding, held)
  }
}

async function readManifest(binding: AssetsBinding): Promise<ClientManifest | null> {
  const response = await read(binding, 'manifest.json')
  // The build wrote it.
  return response.ok ? ((await response.json()) as ClientManifest) : null
}

function portsOf(binding: AssetsBinding, manifest: ClientManifest): ClientPorts {
  const find = async (name: string, accepted: string | null): Promise<Asset | null> => {
    if (!manifest.files.includes(name)) return null
    const type = typeOf(name)
    for (const { coding, suffix } of CODINGS) {
      const body = accepts(accepted, coding) ? await bytesOf(binding, name + suffix) : null
      if (body) return { body, type, encoding: coding }
    }
    const body = await bytesOf(binding, name)
    return body && { body, type, encoding: null }
  }
  return { assets: { find }, clientAssets: clientAssetsOf(manifest) }
}

async function bytesOf(binding: AssetsBinding, name: string): Promise<Uint8Array | null> {
  const response = await read(binding, name)
  return response.ok ? new Uint8Array(await response.arrayBuffer()) : null
}

/** The binding looks at the path only. */
const read = (binding: AssetsBinding, name: string): Promise<Response> => binding.fetch(`https://assets/${name}`)

/** Of bodies that are compressed already workerd is to leave the bytes alone: by default it compresses what names a coding. */
export class EncodedResponse extends Response {
  constructor(body: BodyInit | null, init: ResponseInit) {
    const manual: ResponseInit & { readonly encodeBody: 'manual' } = { ...init, encodeBody: 'manual' }
    super(body, manual)
  }
}
