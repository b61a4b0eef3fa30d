import {
  displayNames,
  type Env,
  findPrincipal,
  loginKey,
  type Model,
  mailUser,
  mayReachRecord,
  recordLink,
  sql,
  type Translate,
  textOfHtml,
} from '#kernel'

const LOGIN = /(?<![\p{L}\p{N}@.])@([\p{L}\p{N}._+-]{1,100}(?:@[\p{L}\p{N}.-]{1,150})?)/gu
const LINK = /<a [^>]*data-mention="([0-9]+)"/g
/** Maximum number of users that one message notifies. */
const MAX_MENTIONS = 20

/** Longer names are cut. */
const NAME_CHARS = 100
/** Repeated mentions of a user about one record are mailed only once in this time. */
const QUIET_MS = 600_000

/** Notifies the mentioned users who may read the record, by a toast and by mail; others must not learn that it exists. */
export async function notifyMentioned(env: Env, model: Model, id: number, html: string): Promise<void> {
  const userIds = await mentionedUsers(env, html)
  if (userIds.length === 0) return
  const names = await displayNames(env, model, [id])
  const place = (names.get(id) ?? model.label).replace(/\s+/g, ' ').slice(0, NAME_CHARS)
  const says = (t: Translate) => t('{author} mentioned you in {place}.', { author: env.user.name, place })
  const text = [textOfHtml(html).trim(), recordLink(env, model.name, id)].join('\n\n')
  const time = Math.floor(env.now.getTime() / QUIET_MS)
  for (const userId of userIds) {
    const user = await findPrincipal(env, userId)
    if (user === null || !(await mayReachRecord(env.as(user), model.name, id, ['read']))) continue
    env.emit('toast', { level: 'info', text: says(env.registry.translatorIn(user.lang)) }, { userId })
    await mailUser(env, userId, (t) => ({
      subject: says(t),
      text,
      dedupeKey: `mention ${userId} ${model.name} ${id} ${time}`,
    }))
  }
}

/** Active users a message names as `@login` or in a link made by a client; without its author. */
async function mentionedUsers(env: Env, html: string): Promise<readonly number[]> {
  // A full stop after a login may belong to the sentence.
  const logins = [...textOfHtml(html).matchAll(LOGIN)].flatMap(([, login]) => [login!, login!.replace(/[.-]+$/, '')])
  const linked = [...html.matchAll(LINK)].map(([, userId]) => Number(userId))
  if (logins.length + linked.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    select id from core_user
    where active and id <> ${env.user.id} and (login_key = any(${logins.map(loginKey)}::text[]) or id = any(${linked}::bigint[]))
    order by id limit ${MAX_MENTIONS}`.execute(env.tx)
  return rows.map((row) => row.id)
}
