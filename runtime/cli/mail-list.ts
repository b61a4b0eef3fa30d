import { counted } from '../../kernel/i18n/counted.ts'
import type { CliCommand } from './command.ts'
import { withReadyHost } from './with-host.ts'

const MAX_MAILS = 100

export const mailListCommand: CliCommand = {
  name: 'mail list',
  summary: `List the mails that have not been sent, the latest ${MAX_MAILS}; never what is in them`,
  options: {},
  async run(call) {
    const mails = await withReadyHost(call, ({ services }) =>
      services.db
        .selectFrom('sys_mail')
        .select(['id', 'state', 'attempts', 'to_address as to', 'subject', 'created_at', 'next_at', 'last_error'])
        .where('state', '<>', 'sent')
        .orderBy('id', 'desc')
        .limit(MAX_MAILS)
        .execute(),
    )
    const lines = mails.map(
      ({ id, state, attempts, to, subject, last_error }) =>
        `${String(id).padStart(6)}  ${state.padEnd(7)}  ${counted(attempts, 'try', 'tries')}  ${to}  ${subject}${last_error ? `\n        ${last_error}` : ''}`,
    )
    return { json: { mails }, text: lines.length === 0 ? 'Every mail has been sent.' : lines.join('\n') }
  },
}
