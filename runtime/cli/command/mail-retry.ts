import { notFound } from '../../../kernel/errors.ts'
import type { CliCommand } from '../command.ts'
import { readId } from '../read-id.ts'
import { withReadyHost } from '../with-host.ts'

export const mailRetryCommand: CliCommand = {
  name: 'mail retry',
  summary: 'Queue a mail again that failed, waits, or may or may not have been sent',
  names: { label: '<id>', least: 1, most: 1 },
  options: {},
  async run(call) {
    const id = readId(call.names[0], 'mail')
    const found = await withReadyHost(call, async ({ services }) => {
      const queued = await services.db
        .updateTable('sys_mail')
        .set((eb) => ({ state: 'queued', attempts: 0, next_at: eb.fn<string>('clock_timestamp') }))
        .where('id', '=', id)
        .where('state', 'in', ['queued', 'failed', 'unknown'])
        .returning('id')
        .executeTakeFirst()
      return queued !== undefined
    })
    if (!found) throw notFound('record_not_found', `There is no mail ${id} that waits or has failed.`)
    return { json: { id }, text: `Mail ${id} is queued.` }
  },
}
