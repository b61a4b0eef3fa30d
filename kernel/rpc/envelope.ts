import { z } from 'zod'
import { parseInput } from '../http/parse.ts'

/** A call as sent in the body. */
const callSchema = z.strictObject({
  model: z.string(),
  method: z.string(),
  args: z.array(z.unknown()),
  kwargs: z.record(z.string(), z.unknown()).optional(),
})

export type RpcCall = z.output<typeof callSchema>

/** Both request forms: the call itself, or an object whose only key `params` holds it. */
export const parseCall = (body: unknown): RpcCall => parseInput(callSchema, unwrap(body))

function unwrap(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('params' in body)) return body
  return Object.keys(body).length === 1 ? body.params : body
}
