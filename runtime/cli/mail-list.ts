import { counted } from '../../kernel/i18n/counted.ts'
import { sql } from '../../kernel/sql/sql.ts'
import type { CliCommand } from './command.ts'
import { withReadyHost } from './with-host.ts'

interface MailLine {
  readonly id: number
  readonly state: string
  readonly attempts: number
  readonly to: string
  readonly subject: string
  readonly created_at: string
  readonly next_at: string
  readonly last_error: string | null
}

const MAX_MAILS = 100

export const mailListCommand: CliCommand = {
  name: 'mail list',
  summary: `List the mails that have not been sent, the latest ${MAX_MAILS}; never what is in them`,
  options: {},
  async run(call) {
    const mails = await withReadyHost(call, async ({ services }) => {
      const { rows } = await sql<MailLine>`
        select id, state, attempts, to_address as "to", subject, created_at, next_at, last_error
        from sys_mail where state <> 'sent' order by id desc limit ${MAX_MAILS}`.execute(services.db)
      return rows
    })
    const lines = mails.map(
      ({ id, state, attempts, to, subject, last_error }) =>
        `${String(id).padStart(6)}  ${state.padEnd(7)}  ${counted(attempts, 'try', 'tries')}  ${to}  ${subject}${last_error ? `\n        ${last_error}` : ''}`,
    )
    return { json: { mails }, text: lines.length === 0 ? 'Every mail has been sent.' : lines.join('\n') }
  },
}
