import { translatedColumn } from '../domain/translated-column.ts'
import type { Env } from '../env.ts'
import { notFound } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import { explainFailure } from '../mail/mail-failure.ts'
import { modelOf } from '../orm/statement/scope.ts'
import { sql } from '../sql/sql.ts'
import { readMail } from './mail-settings.ts'
import type { WireJob, WireOperations } from './wire-operations.ts'

const RUNS = 20

/** Scheduled jobs with their last runs, the mail server and the queue, for administrators. Bodies of mails are never read. */
export async function readOperations(env: Env): Promise<WireOperations> {
  const mails = await env.tx
    .selectFrom('sys_mail')
    .select(['id', 'to_address as to', 'subject', 'state', 'attempts', 'last_error as error'])
    .select((eb) => eb.fn.coalesce('sent_at', 'next_at').as('at'))
    .orderBy((eb) => eb('state', '=', 'sent'))
    .orderBy('id', 'desc')
    .limit(LIMITS.mailsShown)
    .execute()
  const counts = await env.tx
    .selectFrom('sys_mail')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('open'))
    .where('state', '<>', 'sent')
    .executeTakeFirst()
  const mail = await readMail(env)
  const current = mail.server && `${mail.server.host}:${mail.server.port}`
  return {
    jobs: await listJobs(env),
    mail,
    mails: mails.map((each) => ({
      ...each,
      ...(each.error === null ? { detail: null } : explainFailure(env, each.error, current)),
    })),
    open: counts?.open ?? 0,
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

/** Sends all mails again that wait or were given up, but none that may have arrived already: a person decides about those. */
export async function retryMails(env: Env): Promise<void> {
  await queueAgain(env).where('state', 'in', ['queued', 'failed']).execute()
}

/** Sends one mail again now that waits or was given up. The message keeps its id, so that it arrives once. */
export async function retryMail(env: Env, id: number): Promise<void> {
  const queued = await queueAgain(env)
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'failed', 'unknown'])
    .returning('id')
    .executeTakeFirst()
  if (queued === undefined) throw notFound('record_not_found', env.t('There is no such mail to send again.'))
}

const queueAgain = ({ tx }: Env) =>
  tx.updateTable('sys_mail').set((eb) => ({ state: 'queued', attempts: 0, next_at: eb.fn<string>('clock_timestamp') }))
