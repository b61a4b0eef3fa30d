import { z } from 'zod'
import { parseJson } from '../../../kernel/http/json.ts'
import { LIMITS } from '../../../kernel/limits.ts'

const id = z.int32().positive()
const model = z.string().max(100)

const schema = z.strictObject({
  /** Subscribe to events of these models or records only; replaces earlier subscriptions. */
  subscribe: z
    .array(z.strictObject({ model, ids: z.array(id).optional() }))
    .max(LIMITS.socketModels)
    .optional(),
  /** The `seq` of the last message: later events are sent again. */
  since: z.string().optional(),
  /**
   * The record that is open on the screen, with id null a board of many; null: none. `doing` is the field in which the user types,
   * `@writing` for a message, or `@dragging` for the record itself.
   */
  present: z
    .strictObject({
      model,
      id: id.nullable(),
      doing: z
        .string()
        .regex(/^@?\w{1,63}$/)
        .optional(),
    })
    .nullable()
    .optional(),
})

export type ClientMessage = z.output<typeof schema>

/** Null for a text that is no message. */
export function parseClientMessage(text: string): ClientMessage | null {
  try {
    const { success, data } = schema.safeParse(parseJson(text))
    return success ? data : null
  } catch {
    return null
  }
}
