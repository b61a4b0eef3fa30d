import { toBase64 } from '../../kernel/bytes.ts'
import type { MailServer } from '../../kernel/mail/mail-server.ts'
import type { MailStep } from '../../kernel/mail/mail-trial.ts'
import { isLoopback } from '../loopback.ts'
import { redact } from '../redact.ts'
import { type MailMessage, mailSource } from './mail-message.ts'
import { NoMailServer, SmtpRefusal, SmtpSession } from './smtp-session.ts'

export type MailDelivery = { readonly isEncrypted: boolean } & ({ readonly ok: true } | FailedMailDelivery)

export interface FailedMailDelivery {
  readonly ok: false
  /** The step that failed. */
  readonly step: Exclude<MailStep, 'name'>
  /** Whether the mail itself was sent, so that the server may have accepted it. */
  readonly isOffered: boolean
  /** refused: the server refused. foreign: it is no mail server. lacking: it does not offer a needed feature. late: the time was over. */
  readonly cause: 'refused' | 'foreign' | 'lacking' | 'late' | 'broken'
  /** Code of the refusal. */
  readonly code: number | null
  readonly reason: string
}

/** A missing feature of the server, or a time limit. */
class Failure extends Error {
  readonly kind: 'lacking' | 'late'

  constructor(kind: 'lacking' | 'late', message: string) {
    super(message)
    this.kind = kind
  }
}

interface Progress {
  isEncrypted: boolean
  step: FailedMailDelivery['step']
  isOffered: boolean
}

/** Sends one mail to a mail server over a new connection, within a time limit. Never rejects. */
export async function deliver(server: MailServer, message: MailMessage, limitMs: number): Promise<MailDelivery> {
  const progress: Progress = { isEncrypted: server.secure, step: 'connection', isOffered: false }
  let session: SmtpSession | undefined
  let limit: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    limit = setTimeout(() => reject(new Failure('late', 'The mail server took too long.')), limitMs)
  })
  try {
    const { connect } = await import('cloudflare:sockets')
    const { host: hostname, port, secure } = server
    session = new SmtpSession(connect({ hostname, port }, { secureTransport: secure ? 'on' : 'starttls' }))
    await Promise.race([converse(session, server, message, progress), late])
    return { ok: true, isEncrypted: progress.isEncrypted }
  } catch (error) {
    return { ok: false, ...progress, ...describe(error, server.password) }
  } finally {
    clearTimeout(limit)
    await session?.close()
  }
}

async function converse(session: SmtpSession, server: MailServer, message: MailMessage, progress: Progress) {
  const { from, to } = message
  const hello = async () =>
    (await session.ask(`EHLO ${from.address.split('@')[1]}`, 250)).lines.slice(1).map((line) => line.toUpperCase())
  await session.expect(220)
  let offers = await hello()
  if (!server.secure) {
    progress.step = 'encryption'
    if (offers.includes('STARTTLS')) {
      await session.ask('STARTTLS', 220)
      session.startTls()
      progress.isEncrypted = true
      offers = await hello()
    } else if (server.user !== '' && !isLoopback(server.host))
      // Never send a password unencrypted, even if an attacker has removed STARTTLS from the server's greeting.
      throw new Failure('lacking', 'The mail server offers no encryption.')
  }
  if (server.user !== '') {
    progress.step = 'sign_in'
    await signIn(session, server, offers)
  }
  progress.step = 'message'
  await session.ask(`MAIL FROM:<${from.address}>`, 250)
  await session.ask(`RCPT TO:<${to.address}>`, 250, 251)
  await session.ask('DATA', 354)
  progress.isOffered = true
  await session.ask(`${mailSource(message)}\r\n.`, 250)
  await session.ask('QUIT', 221).catch(() => {})
}

async function signIn(session: SmtpSession, { user, password }: MailServer, offers: readonly string[]): Promise<void> {
  const ways = offers.find((line) => line.startsWith('AUTH '))?.split(' ') ?? []
  if (ways.includes('PLAIN')) await session.ask(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`, 235)
  else if (ways.includes('LOGIN')) {
    await session.ask('AUTH LOGIN', 334)
    await session.ask(base64(user), 334)
    await session.ask(base64(password), 235)
  } else throw new Failure('lacking', 'The mail server offers no sign-in with a password.')
}

const base64 = (text: string): string => toBase64(new TextEncoder().encode(text))

function describe(error: unknown, password: string): Pick<FailedMailDelivery, 'cause' | 'code' | 'reason'> {
  const text = error instanceof Error ? error.message : String(error)
  const reason = redact(password === '' ? text : text.replaceAll(password, '…'))
  if (error instanceof SmtpRefusal) return { cause: 'refused', code: error.code, reason }
  if (error instanceof NoMailServer) return { cause: 'foreign', code: null, reason }
  return { cause: error instanceof Failure ? error.kind : 'broken', code: null, reason }
}
