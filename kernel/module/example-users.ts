import { createResetLink } from '../auth/reset.ts'
import type { Env } from '../env.ts'
import { sql } from '../sql/sql.ts'

/** A user of the demo data, with a link to choose a password, which works once. */
export interface ExampleUser {
  readonly name: string
  readonly login: string
  readonly company: string
  /** What the groups allow, like `Sales: Administrator`; without groups that another one includes. */
  readonly roles: readonly string[]
  readonly link: string
}

/**
 * Links for every user of the demo data, so that the person who sets the service up can try it as a salesperson. Example users
 * have no password, and a link works for half an hour.
 */
export async function linkExampleUsers(env: Env): Promise<readonly ExampleUser[]> {
  const { rows } = await sql<Omit<ExampleUser, 'link' | 'roles'> & { id: number; groups: number[] }>`
    with recursive implied (group_id, included_id) as (
      select source_id, target_id from core_group_implied_ids_rel
      union select i.group_id, r.target_id from implied i join core_group_implied_ids_rel r on r.source_id = i.included_id)
    select u.id, u.name, u.login, c.name as company, array(
      select r.target_id from core_user_group_ids_rel r where r.source_id = u.id and not exists (
        select from core_user_group_ids_rel o join implied i on i.group_id = o.target_id
        where o.source_id = u.id and i.included_id = r.target_id)) as groups
    from sys_xmlid x join core_user u on u.id = x.res_id join core_company c on c.id = u.company_id
    where x.model = 'core.user' and x.module || '.' || x.name <> 'base.user_admin' and u.active
      and not exists (select from sys_credential s where s.user_id = u.id and s.password_hash is not null)
    order by u.id`.execute(env.tx)
  const names = await env.model('core.group').searchRead([['category', '!=', null]], ['category', 'name'])
  const users: ExampleUser[] = []
  for (const { id, groups, ...user } of rows) {
    const roles = names.filter((group) => groups.includes(group.id)).map(({ category, name }) => `${category}: ${name}`)
    users.push({ ...user, roles, link: await createResetLink(env, id) })
  }
  return users
}
