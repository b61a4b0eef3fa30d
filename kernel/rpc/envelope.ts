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

const wrapperSchema = z.strictObject({ params: callSchema })

/** Both request forms: the call itself, or an object whose only key `params` holds it. */
export const parseCall = (body: unknown): RpcCall =>
  isWrapper(body) ? parseInput(wrapperSchema, body).params : parseInput(callSchema, body)

const isWrapper = (body: unknown): boolean => typeof body === 'object' && body !== null && 'params' in body
