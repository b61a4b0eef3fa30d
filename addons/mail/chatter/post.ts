import { type Env, htmlOfText, invalid, isMarkup, LIMITS, refusal, sanitizeHtml, textOfHtml } from '#kernel'
import { announceMessages } from './announce.ts'
import { notifyMentioned } from './mentions.ts'
import { requireThreads, type Thread } from './thread.ts'

export interface NewMessage extends Thread {
  /** Plain text, or markup, which is sanitised. */
  readonly body: string
  readonly kind: 'comment' | 'note'
}

/** Writes a message on a record the caller may change (or read, where the model says so); the id of the message. */
export async function postMessage(env: Env, { model, ...message }: NewMessage): Promise<number> {
  const [id] = await postMessages(env, model, [message])
  return id!
}

/** Writes messages on any number of records of one model, like `postMessage`. */
export async function postMessages(
  env: Env,
  name: string,
  messages: readonly Omit<NewMessage, 'model'>[],
): Promise<number[]> {
  if (messages.length === 0) return []
  const records = messages.map(({ id }) => id)
  const model = await requireThreads(env, name, records, 'post')
  const author_id = env.user.id || null
  const bodies = messages.map(({ body }) => messageHtml(env, body))
  const posted = await env
    .sudo('requireThreads has asked for the right to post', { beyondScope: true })
    .model('mail.message')
    .createMany(messages.map(({ id, kind }, i) => ({ model: name, res_id: id, kind, author_id, body: bodies[i]! })))
  announceMessages(
    env,
    name,
    records.map((id, i) => ({ id, message: posted[i]! })),
  )
  for (const [i, id] of records.entries()) await notifyMentioned(env, model, id, bodies[i]!)
  return posted
}

/** A message as it is stored. */
function messageHtml(env: Env, body: string): string {
  const { chatterBytes: limit } = LIMITS
  if (new TextEncoder().encode(body).byteLength > limit) {
    throw refusal('PAYLOAD_TOO_LARGE', 'body_too_large', env.t('A message has at most {limit} bytes.', { limit }), {
      limit,
    })
  }
  const html = isMarkup(body) ? sanitizeHtml(body) : htmlOfText(body)
  if (textOfHtml(html).trim() === '') throw invalid('value_required', { body: env.t('A message says something.') })
  return html
}
