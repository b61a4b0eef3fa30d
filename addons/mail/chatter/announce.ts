import type { Env } from '#kernel'

/** Beyond this many at once, the news that the model has changed is enough. */
const MAX_EVENTS = 100

/** Tells whoever looks at the records of their new messages. */
export function announceMessages(
  env: Env,
  model: string,
  posted: readonly { readonly id: number; readonly message: number }[],
): void {
  if (posted.length > MAX_EVENTS) return
  for (const { id, message } of posted) env.emit('chatter.posted', { model, id, message_id: message })
}
