import { z } from 'zod'

/** A call as it stands in the body. */
export const callSchema = z.strictObject({
  model: z.string(),
  method: z.string(),
  args: z.array(z.unknown()),
  kwargs: z.record(z.string(), z.unknown()).optional(),
})

export type RpcCall = z.output<typeof callSchema>

/** Both request forms: the call itself, or an object whose only key `params` holds it. */
export const requestSchema = z.preprocess(unwrap, callSchema)

function unwrap(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('params' in body)) return body
  return Object.keys(body).length === 1 ? body.params : body
}
