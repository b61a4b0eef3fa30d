import type { Asset, Services } from '../../kernel/services.ts'
import { accepts, type ClientManifest, CODINGS, clientAssetsOf, typeOf } from '../client-manifest.ts'

/** The files of a build (`.build/web`) as the platform holds them: the binding of static assets. */
export interface AssetsBinding {
  fetch(request: string): Promise<Response>
}

type ClientPorts = Pick<Services, 'assets' | 'clientAssets'>

/**
 * The web client of an isolate. Its manifest is read once and kept; requests may share the manifest, but not the pending read, which
 * belongs to one request.
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
  // The build wrote this file, so its content fits the type.
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

/** Reads a file; the binding uses only the path of the URL. */
const read = (binding: AssetsBinding, name: string): Promise<Response> => binding.fetch(`https://assets/${name}`)

/** A response whose body is already compressed: by default workerd would compress a body that names an encoding. */
export class EncodedResponse extends Response {
  constructor(body: BodyInit | null, init: ResponseInit) {
    const manual: ResponseInit & { readonly encodeBody: 'manual' } = { ...init, encodeBody: 'manual' }
    super(body, manual)
  }
}
