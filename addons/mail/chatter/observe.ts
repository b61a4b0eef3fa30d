import { type Env, type ModelObserver, sql, type TrackedChange } from '#kernel'
import { announceMessages } from './announce.ts'

/** Adds history to every model with chatter: changes are stored as messages, which are deleted with their record. */
export const observeChatter: ModelObserver = ({ name, chatter }) =>
  chatter === 'none'
    ? undefined
    : {
        tracked: (env, changes) => recordChanges(env, name, changes),
        deleting: (env, ids) => removeMessages(env, name, ids),
      }

async function recordChanges(
  env: Env,
  model: string,
  changes: ReadonlyMap<number, readonly TrackedChange[]>,
): Promise<void> {
  const author_id = env.user.id || null
  const values = [...changes].map(([res_id, list]) => ({
    model,
    res_id,
    kind: 'tracking' as const,
    author_id,
    changes: list,
  }))
  const messages = await env
    .sudo('the history of a record is kept for everybody who changes it', { beyondScope: true })
    .model('mail.message')
    .createMany(values)
  announceMessages(
    env,
    model,
    [...changes].map(([id, list], index) => ({
      id,
      message: messages[index]!,
      fields: list.map(({ field }) => field),
    })),
  )
}

async function removeMessages(env: Env, model: string, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from mail_message where model = ${model} and res_id = any(${ids}::int[])`.execute(env.tx)
  const messages = rows.map((row) => row.id)
  if (messages.length > 0)
    await env.sudo('messages go with their record', { beyondScope: true }).model('mail.message').unlink(messages)
}
