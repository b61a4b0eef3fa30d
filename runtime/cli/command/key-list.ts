import { sql } from '../../../kernel/sql/sql.ts'
import type { CliCommand } from '../command.ts'
import { table } from '../table.ts'
import { withReadyHost } from '../with-host.ts'

interface KeyLine {
  readonly id: number
  readonly login: string
  readonly name: string
  readonly hint: string | null
  readonly active: boolean
  readonly expires_at: string | null
}

export const keyListCommand: CliCommand = {
  name: 'key list',
  summary: 'List the API keys; never the keys themselves',
  options: {},
  async run(call) {
    const keys = await withReadyHost(call, async ({ services }) => {
      const { rows } = await sql<KeyLine>`
        select k.id, u.login, k.name, k.hint, k.active, k.expires_at
        from core_api_key k join core_user u on u.id = k.user_id order by k.id`.execute(services.db)
      return rows
    })
    const rows = keys.map(({ id, login, name, hint, active, expires_at }) => [
      String(id),
      login,
      name,
      hint ?? '',
      active ? (expires_at?.slice(0, 10) ?? 'never') : 'revoked',
    ])
    const text = keys.length === 0 ? 'There are no keys.' : table(['ID', 'LOGIN', 'NAME', 'KEY', 'EXPIRES'], rows)
    return { json: { keys }, text }
  },
}
