import type { Agent } from './agent.ts'

export interface Batch {
  readonly id: number
  readonly state: string
  readonly headers: readonly string[]
  readonly columns: readonly { readonly header: string; readonly similar?: string }[]
  readonly column_mapping: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

const BOUNDARY = 'test-boundary-8f2c'

/** The body of a form with a file, byte by byte, so that it is the same on every host. */
export function multipart(
  fields: Readonly<Record<string, string>>,
  file: Uint8Array | string,
  name = 'file.csv',
): Uint8Array {
  const encoder = new TextEncoder()
  const parts = Object.entries(fields).map(
    ([key, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
  )
  const head = `${parts.join('')}--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
  const bytes = typeof file === 'string' ? encoder.encode(file) : file
  return Buffer.concat([encoder.encode(head), bytes, encoder.encode(`\r\n--${BOUNDARY}--\r\n`)])
}

export const MULTIPART = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }

/** Uploads a file as a script does; the whole answer. */
export const upload = (
  agent: Agent,
  file: Uint8Array | string,
  fields: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  agent.fetch(
    '/web/bulk/upload',
    { method: 'POST', body: multipart({ model: 'core.partner', ...fields }, file) as BodyInit, redirect: 'manual' },
    { ...MULTIPART, accept: 'application/json', ...headers },
  )

/** Uploads a file that must be accepted; its batch. */
export async function stage(
  agent: Agent,
  file: Uint8Array | string,
  fields: Readonly<Record<string, string>> = {},
): Promise<Batch> {
  const response = await upload(agent, file, fields)
  const answer = (await response.json()) as { ok: boolean; id: number; error?: unknown }
  if (!answer.ok) throw new Error(JSON.stringify(answer.error))
  return readBatch(agent, answer.id)
}

export async function readBatch(agent: Agent, id: number): Promise<Batch> {
  const [batch] = await agent.must<Batch[]>('sys.bulk.import', 'read', [[id]])
  return batch!
}

/** Confirms with the mapping as the mapping form sends it. */
export const confirm = (agent: Agent, id: number, mapping?: unknown, more: Readonly<Record<string, string>> = {}) =>
  agent.rpc('sys.bulk.import', 'call', [
    id,
    'action_confirm_import',
    { ...(mapping !== undefined && { column_mapping: JSON.stringify(mapping) }), ...more },
  ])
