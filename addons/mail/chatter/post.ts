import { type Env, htmlOfText, invalid, isMarkup, LIMITS, refusal, sanitizeHtml, textOfHtml } from '#kernel'
import { announceMessages } from './announce.ts'
import { notifyMentioned } from './mentions.ts'
import { requireThread, type Thread } from './thread.ts'

export interface NewMessage extends Thread {
  /** Plain text, or markup, which is sanitised. */
  readonly body: string
  readonly kind: 'comment' | 'note'
}

/** Writes a message on a record the caller may change (or read, where the model says so); the id of the message. */
export async function postMessage(env: Env, { model: name, id, body, kind }: NewMessage): Promise<number> {
  const model = await requireThread(env, { model: name, id }, 'post')
  const html = messageHtml(env, body)
  const message = await env
    .sudo('requireThread has asked for the right to post', { beyondScope: true })
    .model('mail.message')
    .create({ model: name, res_id: id, kind, author_id: env.user.id || null, body: html })
  announceMessages(env, name, [{ id, message }])
  await notifyMentioned(env, model, id, html)
  return message
}

/** A message as it is kept. */
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
