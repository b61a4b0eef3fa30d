import { createTransport } from 'nodemailer'
import type { ClaimedMail, Mailbox, MailOutcome, MailSender } from '../../kernel/mail/mail-queue.ts'
import { redact } from '../redact.ts'

export interface SmtpOptions {
  readonly host: string
  readonly port: number
  /** TLS from the first byte. */
  readonly secure: boolean
  /** Empty for no sign-in. */
  readonly user: string
  readonly password: string
  readonly from: Mailbox
  /** How long a server may be silent once it has greeted; default 30 seconds. */
  readonly answerMs?: number
}

export interface Smtp extends MailSender {
  /** Ends the connections. */
  close(): void
}

const CONNECT_MS = 10_000
const ANSWER_MS = 30_000
/** A server that answers one byte at a time must not outlast the lease of a mail. */
const WHOLE_MS = 90_000

/** Mails to one server. It re-sends nothing by itself: whether a mail may be repeated is decided by the queue. */
export function openSmtp({ host, port, secure, user, password, from, answerMs = ANSWER_MS }: SmtpOptions): Smtp {
  const transport = createTransport({
    pool: true,
    host,
    port,
    secure,
    // Never send a password unencrypted, even if an attacker removes STARTTLS from the server's greeting.
    requireTLS: user !== '' && !isLoopback(host),
    ...(user !== '' && { auth: { user, pass: password } }),
    maxConnections: 2,
    maxRequeues: 0,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const send = async (mail: ClaimedMail): Promise<MailOutcome> => {
    try {
      await transport.sendMail({
        from: { ...from },
        to: { name: mail.to_name, address: mail.to_address },
        subject: mail.subject,
        text: mail.text,
        ...(mail.html !== null && { html: mail.html }),
        attachments: mail.attachments.map(({ name, type, content }) => ({
          filename: name,
          contentType: type,
          content: Buffer.from(content),
        })),
        messageId: mail.message_id,
        // Answering machines leave these alone.
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
      return { kind: 'sent' }
    } catch (error) {
      return outcomeOf(error)
    }
  }
  return {
    async send(mail) {
      let limit: NodeJS.Timeout | undefined
      const late = new Promise<MailOutcome>((resolve) => {
        limit = setTimeout(resolve, WHOLE_MS, { kind: 'unclear', reason: 'The mail server took too long.' })
      })
      return Promise.race([send(mail), late]).finally(() => clearTimeout(limit))
    },
    close: () => transport.close(),
  }
}

const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host)

/** Codes of an error that comes before a mail is offered: no address, no connection, no TLS, no greeting, no sign-in. */
const BEFORE: ReadonlySet<unknown> = new Set(['EDNS', 'ETLS', 'EAUTH', 'ENOAUTH', 'EPROTOCOL', 'ECONFIG', 'EPROXY'])
/** Time ran out for these before the server had said anything. */
const EARLY: ReadonlySet<unknown> = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT'])

/**
 * An answer to the mail itself decides: 5xx is for good, 4xx for now. An error before it was offered leaves it unsent; our own
 * account being refused is such an error too, and not the mail's. Any other may have come after the server took the mail.
 */
function outcomeOf(error: unknown): MailOutcome {
  const { code, command, message, permanent, responseCode, syscall, timeoutType }: Readonly<Record<string, unknown>> =
    Object(error)
  const reason = redact(String(message ?? error))
  if (code === 'EENVELOPE' || code === 'EMESSAGE') {
    const isFinal = permanent === true || responseCode === undefined
    return { kind: isFinal ? 'refused' : 'deferred', reason }
  }
  const isBefore =
    BEFORE.has(code) || EARLY.has(timeoutType) || syscall === 'connect' || (command === 'CONN' && !!responseCode)
  return { kind: isBefore ? 'unreachable' : 'unclear', reason }
}
