import { notFound } from '../../kernel/errors.ts'
import { sql } from '../../kernel/sql/sql.ts'
import type { CliCommand } from './command.ts'
import { readId } from './read-id.ts'
import { withReadyHost } from './with-host.ts'

export const mailRetryCommand: CliCommand = {
  name: 'mail retry',
  summary: 'Queue a mail again that failed, waits, or may or may not have been sent',
  names: { label: '<id>', least: 1, most: 1 },
  options: {},
  async run(call) {
    const id = readId(call.names[0], 'mail')
    const found = await withReadyHost(call, async ({ services }) => {
      const { rows } = await sql`update sys_mail set state = 'queued', attempts = 0, next_at = clock_timestamp()
        where id = ${id} and state in ('queued', 'failed', 'unknown') returning id`.execute(services.db)
      return rows.length === 1
    })
    if (!found) throw notFound('record_not_found', `There is no mail ${id} that waits or has failed.`)
    return { json: { id }, text: `Mail ${id} is queued.` }
  },
}
