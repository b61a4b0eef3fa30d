import { sql } from '../../../kernel/sql/sql.ts'
import type { CliCommand } from '../command.ts'
import { table } from '../table.ts'
import { withReadyHost } from '../with-host.ts'

interface JobLine {
  readonly id: number
  readonly name: string
  readonly active: boolean
  /** The next slot, or an earlier retry or requested run. */
  readonly next_run: string
  readonly last_run: string | null
  readonly state: string
  readonly failures: number
}

const HEADINGS = ['ID', 'NAME', 'NEXT RUN', 'LAST RUN', 'STATE', 'FAILURES']

export const cronListCommand: CliCommand = {
  name: 'cron list',
  summary: 'List the scheduled jobs',
  options: {},
  async run(call) {
    const jobs = await withReadyHost(call, async ({ services }) => {
      const { rows } = await sql<JobLine>`
        select id, name, active, coalesce(attempt_at, nextcall) as next_run, last_run_at as last_run, state, failures
        from sys_cron order by not active, next_run, id`.execute(services.db)
      return rows
    })
    const rows = jobs.map(({ id, name, active, next_run, last_run, state, failures }) => [
      String(id),
      name,
      active ? readable(next_run) : 'never',
      last_run === null ? 'never' : readable(last_run),
      active ? state : 'switched off',
      String(failures),
    ])
    return { json: { jobs }, text: jobs.length === 0 ? 'There are no jobs.' : table(HEADINGS, rows) }
  },
}

/** `2026-01-01T03:00:00.000Z` → `2026-01-01 03:00:00Z`. */
const readable = (moment: string): string => `${moment.slice(0, 10)} ${moment.slice(11, 19)}Z`
