import { sql } from '../../../kernel/sql/sql.ts'
import type { CliCommand } from '../command.ts'
import { table } from '../table.ts'
import { withReadyHost } from '../with-host.ts'

const MAX_MAILS = 100
const HEADINGS = ['ID', 'STATE', 'TRIES', 'AGE', 'NEXT TRY', 'TO', 'SUBJECT']

interface QueuedMail {
  readonly id: number
  readonly state: string
  readonly attempts: number
  readonly to: string
  readonly subject: string
  readonly created_at: string
  readonly next_at: string
  readonly last_error: string | null
  readonly age_seconds: number
  /** Seconds until the next attempt; null if there is none or the mail is being sent. */
  readonly next_seconds: number | null
}

export const mailListCommand: CliCommand = {
  name: 'mail list',
  summary: `List the mails that have not been sent, the latest ${MAX_MAILS}; never what is in them`,
  options: {},
  async run(call) {
    const mails = await withReadyHost(call, async ({ services }) => {
      const { rows } = await sql<QueuedMail>`
        select id, state, attempts, to_address as to, subject, created_at, next_at, last_error,
          extract(epoch from now() - created_at)::int as age_seconds,
          case when state = 'queued' then greatest(0, extract(epoch from next_at - now()))::int end as next_seconds
        from sys_mail where state <> 'sent' order by id desc limit ${MAX_MAILS}`.execute(services.db)
      return rows
    })
    const rows = mails.map(({ id, state, attempts, age_seconds, next_seconds, to, subject }) => [
      String(id),
      state,
      String(attempts),
      duration(age_seconds),
      next_seconds === null ? 'no' : next_seconds === 0 ? 'now' : `in ${duration(next_seconds)}`,
      to,
      subject,
    ])
    const [headings = '', ...lines] = table(HEADINGS, rows).split('\n')
    const withErrors = lines.flatMap((line, i) => [
      line,
      ...(mails[i]!.last_error ? [`  ${mails[i]!.last_error}`] : []),
    ])
    const text = mails.length === 0 ? 'Every mail has been sent.' : [headings, ...withErrors].join('\n')
    return { json: { mails }, text }
  },
}

/** `45 s`, `12 min`, `3 h`, `5 d`. */
const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

function duration(seconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => seconds >= 2 * each) ?? UNITS.at(-1)!
  return `${Math.floor(seconds / size)} ${unit}`
}
