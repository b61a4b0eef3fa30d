import { sql } from '../../../kernel/sql/sql.ts'
import type { CliCommand } from '../command.ts'
import { table } from '../table.ts'
import { withReadyHost } from '../with-host.ts'

interface UserLine {
  readonly id: number
  readonly login: string
  readonly name: string
  readonly active: boolean
  /** External ids of the groups the user is in, without those they imply. */
  readonly groups: readonly string[]
}

export const userListCommand: CliCommand = {
  name: 'user list',
  summary: 'List the users and their groups',
  options: {},
  async run(call) {
    const users = await withReadyHost(call, async ({ services }) => {
      const { rows } = await sql<UserLine>`
        select u.id, u.login, u.name, u.active,
          array(select x.module || '.' || x.name from core_user_group_ids_rel r
            join sys_xmlid x on x.model = 'core.group' and x.res_id = r.target_id
            where r.source_id = u.id order by 1) as groups
        from core_user u order by u.id`.execute(services.db)
      return rows
    })
    const rows = users.map(({ id, login, name, active, groups }) => [
      String(id),
      login,
      name,
      active ? 'active' : 'archived',
      groups.join(', '),
    ])
    const text = users.length === 0 ? 'There are no users.' : table(['ID', 'LOGIN', 'NAME', 'STATE', 'GROUPS'], rows)
    return { json: { users }, text }
  },
}
