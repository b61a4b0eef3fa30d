import type { Env } from '#kernel'

/** Above this number of records no events are sent; `model.changed` is enough. */
const MAX_EVENTS = 100

/** A new message; `fields` are the changed fields it reports, so that only users who may read one of them get the event. */
interface Posted {
  readonly id: number
  readonly message: number
  readonly fields?: readonly string[]
}

/** Publishes an event for each record with new messages. */
export function announceMessages(env: Env, model: string, posted: readonly Posted[]): void {
  if (posted.length > MAX_EVENTS) return
  for (const { id, message, ...fields } of posted)
    env.emit('chatter.posted', { model, id, message_id: message, ...fields })
}
