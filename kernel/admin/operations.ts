import { translatedColumn } from '../domain/translated-column.ts'
import type { Env } from '../env.ts'
import { notFound } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import { explainFailure } from '../mail/mail-failure.ts'
import { modelOf } from '../orm/statement/scope.ts'
import { sql } from '../sql/sql.ts'
import { readMail } from './mail-settings.ts'
import type { WireJob, WireOperations, WireQueuedMail } from './wire-operations.ts'

const RUNS = 20

/** Scheduled jobs with their last runs, the mail server and the queue, for administrators. Bodies of mails are never read. */
export async function readOperations(env: Env): Promise<WireOperations> {
  const { rows: mails } = await sql<Omit<WireQueuedMail, 'detail'>>`
    select id, to_address as to, subject, state, attempts, last_error as error,
      coalesce(sent_at, next_at) as at
    from sys_mail order by state = 'sent', id desc limit ${LIMITS.mailsShown}`.execute(env.tx)
  const { rows: counts } = await sql<{ open: number }>`
    select count(*)::int as open from sys_mail where state <> 'sent'`.execute(env.tx)
  const mail = await readMail(env)
  const current = mail.server && `${mail.server.host}:${mail.server.port}`
  return {
    jobs: await listJobs(env),
    mail,
    mails: mails.map((each) => ({
      ...each,
      ...(each.error === null ? { detail: null } : explainFailure(env, each.error, current)),
    })),
    open: counts[0]?.open ?? 0,
  }
}

async function listJobs(env: Env): Promise<readonly WireJob[]> {
  const name = translatedColumn('c', modelOf(env, 'sys.cron').fields.get('name')!, env.lang)
  const { rows } = await sql<WireJob>`
    select c.id, ${name} as name, c.interval_number as every, c.interval_type as unit, c.active, c.failures,
      c.lease_until > clock_timestamp() is true as "isRunning", c.last_run_at as "lastRunAt",
      coalesce(c.attempt_at, c.nextcall) as "nextRunAt",
      case when c.failures > 0 then (
        select r.error from sys_cron_run r where r.cron_id = c.id and r.outcome <> 'done' order by r.id desc limit 1) end as error,
      coalesce((select json_agg(json_build_object('startedAt', r.started_at, 'ms', r.duration_ms, 'outcome', r.outcome) order by r.id)
        from (select * from sys_cron_run where cron_id = c.id order by id desc limit ${RUNS}) r), '[]') as runs
    from sys_cron c order by c.active desc, c.failures > 0 desc, name`.execute(env.tx)
  return rows.map((job) => ({ ...job, error: job.error === null ? null : env.t(job.error) }))
}

/** Sends all mails again that wait or were given up. What may have arrived already is left to a person. */
export async function retryMails(env: Env): Promise<void> {
  await sql`
    update sys_mail set state = 'queued', attempts = 0, next_at = clock_timestamp()
    where state in ('queued', 'failed')`.execute(env.tx)
}

/** Sends a mail again that waits or was given up, now. The message keeps its id, so that it arrives once. */
export async function retryMail(env: Env, id: number): Promise<void> {
  const { rows } = await sql`
    update sys_mail set state = 'queued', attempts = 0, next_at = clock_timestamp()
    where id = ${id} and state in ('queued', 'failed', 'unknown') returning id`.execute(env.tx)
  if (rows.length === 0) throw notFound('record_not_found', env.t('There is no such mail to send again.'))
}
