import { type Env, sendAddressNotice, sql } from '#kernel'

/** Tells users at their old address that their login or e-mail address has just been changed. */
export async function tellOldAddresses(env: Env, userIds: readonly number[]): Promise<void> {
  const { rows } = await sql<{ res_id: number; changed: { login?: string; email?: string | null } }>`
    select distinct on (res_id) res_id, changed from sys_revision
    where model = 'core.user' and res_id = any(${userIds}::int[]) and (changed ? 'login' or changed ? 'email')
    order by res_id, version desc`.execute(env.tx)
  const replaced = new Map(rows.map((row) => [row.res_id, row.changed]))
  const users = await env
    .sudo('the old address is compared with the new one', { beyondScope: true })
    .model('core.user')
    .read(userIds, ['login', 'email'])
  for (const { id, login, email } of users) {
    const old = { login, email, ...replaced.get(id) }
    if (old.login !== login || old.email !== email) await sendAddressNotice(env, id, old)
  }
}
