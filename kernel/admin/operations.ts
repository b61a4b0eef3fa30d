import type { Env } from '../env.ts'
import { conflict, notFound } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import { addressOf, mailUser } from '../mail/recipient.ts'
import { sql } from '../sql/sql.ts'
import type { WireJob, WireOperations, WireQueuedMail } from '../view/wire-operations.ts'

const RUNS = 20

/** Scheduled jobs with their last runs, the mail server and the queue, for administrators. Bodies of mails are never read. */
export async function readOperations(env: Env): Promise<WireOperations> {
  const { rows: mails } = await sql<WireQueuedMail>`
    select id, to_address as to, subject, state, attempts, last_error as error,
      coalesce(sent_at, next_at) as at
    from sys_mail order by state = 'sent', id desc limit ${LIMITS.mailsShown}`.execute(env.tx)
  const { rows: counts } = await sql<{ open: number }>`
    select count(*)::int as open from sys_mail where state <> 'sent'`.execute(env.tx)
  const [user] = await env.model('core.user').read([env.user.id], ['login', 'email'])
  return {
    jobs: await listJobs(env),
    server: env.services.mailServer ?? null,
    testAddress: (user && addressOf(user)) ?? null,
    mails,
    open: counts[0]?.open ?? 0,
  }
}

async function listJobs(env: Env): Promise<readonly WireJob[]> {
  const { rows } = await sql<WireJob>`
    select c.id, c.name, c.interval_number as every, c.interval_type as unit, c.active, c.failures,
      c.lease_until > clock_timestamp() is true as "isRunning", c.last_run_at as "lastRunAt",
      coalesce(c.attempt_at, c.nextcall) as "nextRunAt",
      case when c.failures > 0 then (
        select r.error from sys_cron_run r where r.cron_id = c.id and r.outcome <> 'done' order by r.id desc limit 1) end as error,
      coalesce((select json_agg(json_build_object('startedAt', r.started_at, 'ms', r.duration_ms, 'outcome', r.outcome) order by r.id)
        from (select * from sys_cron_run where cron_id = c.id order by id desc limit ${RUNS}) r), '[]') as runs
    from sys_cron c order by c.active desc, c.failures > 0 desc, c.name`.execute(env.tx)
  return rows.map((job) => ({ ...job, name: env.t(job.name) }))
}

/** Sends a mail again that waits or was given up, now. The message keeps its id, so that it arrives once. */
export async function retryMail(env: Env, id: number): Promise<void> {
  const { rows } = await sql`
    update sys_mail set state = 'queued', attempts = 0, next_at = clock_timestamp()
    where id = ${id} and state in ('queued', 'failed', 'unknown') returning id`.execute(env.tx)
  if (rows.length === 0) throw notFound('record_not_found', env.t('There is no such mail to send again.'))
}

/** Queues a mail to the administrator who asks. */
export async function sendTestMail(env: Env): Promise<void> {
  const isQueued = await mailUser(env, env.user.id, (t) => ({
    subject: t('Test of outgoing mail'),
    text: t('This mail shows that the service can send mail.'),
  }))
  if (isQueued) return
  const why = env.services.mailEnabled
    ? env.t('No test can be sent: you have no mail address.')
    : env.t('No test can be sent: this service has no mail server.')
  throw conflict('business_rule', why)
}
