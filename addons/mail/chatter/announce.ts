import type { Env } from '#kernel'

/** Above this number of records no events are sent; `model.changed` is enough. */
const MAX_EVENTS = 100

/** Publishes an event for each record with new messages. */
export function announceMessages(
  env: Env,
  model: string,
  posted: readonly { readonly id: number; readonly message: number }[],
): void {
  if (posted.length > MAX_EVENTS) return
  for (const { id, message } of posted) env.emit('chatter.posted', { model, id, message_id: message })
}
