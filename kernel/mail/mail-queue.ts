import type { Env } from '../env.ts'
import { badRequest, invalid } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import { OWN_REQUEST } from '../own-request.ts'
import type { Services } from '../services.ts'
import { sql } from '../sql/sql.ts'
import { isMailAddress, type Mailbox } from './mail-address.ts'

/** A file that goes out with a mail. */
export interface MailAttachment {
  readonly name: string
  readonly type: string
  readonly content: Uint8Array
}

export interface MailDraft {
  readonly to: Mailbox
  readonly subject: string
  readonly text: string
  readonly html?: string
  readonly attachments?: readonly MailAttachment[]
  /** A mail is not queued while another with the same key is stored. */
  readonly dedupeKey?: string
  /** When it is unclear whether a mail went out: send it again (default), or leave it to a person. */
  readonly policy?: MailPolicy
}

export type MailPolicy = 'at_least_once' | 'at_most_once'

/** A mail that this process alone may send until its lease ends. */
export interface ClaimedMail {
  readonly id: number
  readonly message_id: string
  readonly policy: MailPolicy
  /** Number of attempts, including this one. Together with the owner it identifies the claim. */
  readonly attempts: number
  readonly owner: string
  readonly to_name: string
  readonly to_address: string
  readonly subject: string
  readonly text: string
  readonly html: string | null
  readonly attachments: readonly MailAttachment[]
}

/**
 * How an attempt ended. refused: permanently. deferred: temporarily. unreachable: no connection. unclear: the connection
 * broke, so the server may have accepted the mail.
 */
export type MailOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused' | 'deferred' | 'unreachable' | 'unclear'; readonly reason: string }

/** Port: hands one mail to a mail server. Never rejects. */
export interface MailSender {
  send(mail: ClaimedMail): Promise<MailOutcome>
}

const LEASE_SECONDS = 120
const MAX_ATTEMPTS = 10
/** Doubles with every attempt, up to six hours. */
const RETRY_SECONDS = { first: 60, most: 21_600 } as const
const MAX_SUBJECT_CHARS = 250
const MAX_ERROR_CHARS = 500

/** Characters that could end a header line or control a terminal. */
const CONTROL = /\p{Cc}|[\u2028\u2029]/u

/**
 * Queues a mail in the transaction of `env`: it is sent if and only if that commits. Returns the id; null when a mail with
 * its key is stored already.
 */
export async function queueMail(env: Env, draft: MailDraft): Promise<number | null> {
  requireDraft(draft)
  const { to, subject, text, html = null, attachments = [], dedupeKey = null, policy = 'at_least_once' } = draft
  const content = { to_name: to.name, to_address: to.address, subject, text, html }
  const stored = await env.tx
    .insertInto('sys_mail')
    .values({ message_id: newMessageId(env.services), dedupe_key: dedupeKey, policy, ...content })
    .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  const id = stored?.id ?? null
  if (id !== null) await storeAttachments(env, id, attachments)
  if (id !== null) {
    const { outbox, requestId } = env
    // Counted with the commit, not if the transaction is rolled back.
    outbox.observations.push({ kind: 'mail', requestId, id, outcome: 'queued', attempts: 0, error: null })
  }
  return id
}

async function storeAttachments({ tx }: Env, mail: number, attachments: readonly MailAttachment[]): Promise<void> {
  if (attachments.length === 0) return
  const rows = attachments.map(({ name, type, content }, position) => ({
    mail_id: mail,
    position,
    name,
    type,
    content,
  }))
  await tx.insertInto('sys_mail_attachment').values(rows).execute()
}

function requireDraft({ to, subject, attachments = [] }: MailDraft): void {
  if (attachments.reduce((bytes, { content }) => bytes + content.length, 0) > LIMITS.mailAttachmentBytes)
    throw badRequest('limit_exceeded', `The files of a mail have at most ${LIMITS.mailAttachmentBytes / 1_048_576} MB.`)

  if (!isMailAddress(to.address)) throw invalid('value_invalid', { address: 'This is not a mail address.' })
  if (to.name.length > MAX_SUBJECT_CHARS || CONTROL.test(to.name))
    throw invalid('value_invalid', { name: 'A name is one short line.' })
  if (subject.length > MAX_SUBJECT_CHARS || CONTROL.test(subject))
    throw invalid('value_invalid', { subject: 'A subject is one short line.' })
}

/** The Message-ID is stored with the mail, so that a mail sent twice is recognised as one. */
export function newMessageId({ random, publicUrl }: Services): string {
  const unique = Array.from(random(16), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `<${unique}@${publicUrl === null ? 'modulus.invalid' : new URL(publicUrl).hostname}>`
}

/** Claims the mail that is due longest and sends it; null when there is none. */
export async function sendDueMail(
  services: Services,
  owner: string,
  sender: MailSender,
): Promise<MailOutcome['kind'] | null> {
  const mail = await claimMail(services, owner)
  if (mail === null) return null
  const outcome = await sender.send(mail)
  await recordOutcome(services, mail, outcome)
  return outcome.kind
}

/**
 * Claims a mail that is due, or one whose sender's lease has expired. The latter may have been sent already: it is sent again
 * with the same Message-ID or, by its policy, left to a person. All times are the database's.
 */
export async function claimMail(services: Services, owner: string): Promise<ClaimedMail | null> {
  for (;;) {
    const { rows } = await sql<Omit<ClaimedMail, 'attachments'> & { state: 'sending' | 'failed' | 'unknown' }>`
      with due as (
        select id, case
          when state = 'sending' and policy = 'at_most_once' then 'unknown'
          when attempts >= ${MAX_ATTEMPTS} then 'failed'
          else 'sending' end as state
        from sys_mail where state in ('queued', 'sending') and coalesce(lease_until, next_at) <= clock_timestamp()
        order by coalesce(lease_until, next_at) limit 1 for update skip locked)
      update sys_mail m set state = due.state, owner = ${owner},
        attempts = m.attempts + (due.state = 'sending')::int,
        lease_until = case when due.state = 'sending' then clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}) end,
        last_error = case when due.state = 'sending' then m.last_error else ${GONE} end
      from due where m.id = due.id
      returning m.id, m.message_id, m.policy, m.state, m.attempts, m.owner, m.to_name, m.to_address, m.subject, m.text, m.html
    `.execute(services.db)
    const [mail] = rows
    if (mail === undefined) return null
    if (mail.state === 'sending') return { ...mail, attachments: await attachmentsOf(services, mail.id) }
    observe(services, mail, mail.state, REQUEST_ID, GONE)
  }
}

/** Whether a user has requested another attempt for a failed mail that has not been made yet. */
export async function isRetryAsked({ db }: Services): Promise<boolean> {
  const asked = await db
    .selectFrom('sys_mail')
    .select('id')
    .where('state', '=', 'queued')
    .where('attempts', '=', 0)
    .where('last_error', 'is not', null)
    .where('next_at', '<=', (eb) => eb.fn<string>('clock_timestamp'))
    .limit(1)
    .executeTakeFirst()
  return asked !== undefined
}

const attachmentsOf = ({ db }: Services, mail: number): Promise<MailAttachment[]> =>
  db
    .selectFrom('sys_mail_attachment')
    .select(['name', 'type', 'content'])
    .where('mail_id', '=', mail)
    .orderBy('position')
    .execute()

const GONE = 'The process that was sending it has gone.'

type MailResult = 'sent' | 'deferred' | 'failed' | 'unknown'

const RESULT_OF: Readonly<Record<MailOutcome['kind'], (mail: ClaimedMail) => MailResult>> = {
  sent: () => 'sent',
  refused: () => 'failed',
  deferred: retryOrFail,
  unreachable: retryOrFail,
  unclear: (mail) => (mail.policy === 'at_most_once' ? 'unknown' : retryOrFail(mail)),
}

function retryOrFail({ attempts }: ClaimedMail): MailResult {
  return attempts >= MAX_ATTEMPTS ? 'failed' : 'deferred'
}

/** Pauses between retries while the database is unreachable; their sum is shorter than a lease. */
const RETRY_PAUSES_MS = [250, 1_000, 4_000, 15_000, 30_000] as const

/**
 * Stores the outcome of an attempt. Without it a sent mail would be sent again, so this is retried while the database is
 * unreachable. If another process has claimed the mail meanwhile, nothing is changed.
 */
export async function recordOutcome(services: Services, mail: ClaimedMail, outcome: MailOutcome): Promise<void> {
  const result = RESULT_OF[outcome.kind](mail)
  const error = outcome.kind === 'sent' ? null : outcome.reason.slice(0, MAX_ERROR_CHARS)
  for (const pause of [...RETRY_PAUSES_MS, null]) {
    try {
      await note(services, mail, result, error)
      return observe(services, mail, result, REQUEST_ID, error)
    } catch (failure) {
      if (pause === null) throw failure
      await services.sleep(pause)
    }
  }
}

async function note(services: Services, mail: ClaimedMail, result: MailResult, error: string | null): Promise<void> {
  const isSent = result === 'sent'
  const pause = Math.min(RETRY_SECONDS.first * 2 ** (mail.attempts - 1), RETRY_SECONDS.most)
  await sql`with noted as (
      update sys_mail set state = ${result === 'deferred' ? 'queued' : result}, lease_until = null,
        last_error = ${error}::text, next_at = clock_timestamp() + make_interval(secs => ${pause}),
        sent_at = case when ${isSent} then clock_timestamp() end,
        text = case when ${isSent} then null else text end, html = case when ${isSent} then null else html end
      where id = ${mail.id} and state = 'sending' and owner = ${mail.owner} and attempts = ${mail.attempts}
      returning id)
    delete from sys_mail_attachment where ${isSent} and mail_id in (select id from noted)`.execute(services.db)
}

/** Request id of log lines that no request has caused. */
const REQUEST_ID = OWN_REQUEST.mail

function observe(
  { observe: emit }: Services,
  { id, attempts }: { readonly id: number; readonly attempts: number },
  outcome: MailResult,
  requestId: string,
  error: string | null = null,
): void {
  emit({ kind: 'mail', requestId, id, outcome, attempts, error })
}
