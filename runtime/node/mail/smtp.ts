import { createTransport } from 'nodemailer'
import { placedReason } from '../../../kernel/mail/mail-failure.ts'
import type { ClaimedMail, MailOutcome, MailSender } from '../../../kernel/mail/mail-queue.ts'
import type { MailServer } from '../../../kernel/mail/mail-server.ts'
import { isLoopback } from '../../loopback.ts'
import { redact } from '../../redact.ts'

export interface SmtpOptions extends MailServer {
  /** How long a server may be silent once it has greeted; default 30 seconds. */
  readonly answerMs?: number
  /** Whether to give up if the server offers no encryption; by default if a password would cross a network in the clear. */
  readonly mustEncrypt?: boolean
}

export interface Smtp extends MailSender {
  /** Closes the connections after the mails being sent are done. */
  close(): void
}

const CONNECT_MS = 10_000
const ANSWER_MS = 30_000
/** A server that answers one byte at a time must not outlast the lease of a mail. */
const WHOLE_MS = 90_000

/** Never send a password unencrypted, even if an attacker removes STARTTLS from the server's greeting. */
export const needsEncryption = ({ user, host }: Pick<MailServer, 'user' | 'host'>): boolean =>
  user !== '' && !isLoopback(host)

/** Connections to a mail server. They do not read files or URLs that a mail names. */
export const openTransport = ({ answerMs = ANSWER_MS, ...options }: SmtpOptions) => {
  const { host, port, secure, user, password, mustEncrypt = needsEncryption(options) } = options
  return createTransport({
    pool: true,
    host,
    port,
    secure,
    requireTLS: mustEncrypt,
    ...(user !== '' && { auth: { user, pass: password } }),
    maxConnections: 2,
    maxRequeues: 0,
    connectionTimeout: Math.min(CONNECT_MS, answerMs),
    // Shorter than the limit of a socket, so that a missing greeting can be told apart from a server that stops answering.
    greetingTimeout: Math.min(CONNECT_MS, answerMs * 0.75),
    socketTimeout: answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** Keeps automatic replies from answering. */
export const OWN_HEADERS = { 'Auto-Submitted': 'auto-generated' } as const

/** Mails to one server. It never re-sends a mail by itself: the queue decides whether a mail may be sent again. */
export function openSmtp(options: SmtpOptions): Smtp {
  const transport = openTransport(options)
  const server = `${options.host}:${options.port}`
  let sending = 0
  let isClosed = false
  const send = async (mail: ClaimedMail): Promise<MailOutcome> => {
    try {
      await transport.sendMail({
        from: { ...options.from },
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
        headers: OWN_HEADERS,
      })
      return { kind: 'sent' }
    } catch (error) {
      return outcomeOf(error, server)
    }
  }
  const end = () => {
    sending--
    if (isClosed && sending === 0) transport.close()
  }
  return {
    async send(mail) {
      sending++
      let limit: NodeJS.Timeout | undefined
      const late = new Promise<MailOutcome>((resolve) => {
        limit = setTimeout(resolve, WHOLE_MS, { kind: 'unclear', reason: placedReason(server, 'It took too long.') })
      })
      return Promise.race([send(mail).finally(end), late]).finally(() => clearTimeout(limit))
    },
    close() {
      isClosed = true
      // Closing the pool would drop mails still waiting for a connection, and it would be unclear whether they were sent.
      if (sending === 0) transport.close()
    },
  }
}

/** Codes of an error that comes before a mail is offered: no address, no connection, no TLS, no greeting, no sign-in. */
const BEFORE: ReadonlySet<unknown> = new Set(['EDNS', 'ETLS', 'EAUTH', 'ENOAUTH', 'EPROTOCOL', 'ECONFIG', 'EPROXY'])
/** Codes of time limits that passed before the server had sent anything. */
const EARLY: ReadonlySet<unknown> = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT'])

/**
 * An answer to the mail itself decides: 5xx is permanent, 4xx temporary. After an error before the mail was offered, such as a refused
 * sign-in, it is certainly unsent. Any other error may have come after the server accepted the mail.
 */
function outcomeOf(error: unknown, server: string): MailOutcome {
  const { code, command, message, permanent, responseCode, syscall, timeoutType }: Readonly<Record<string, unknown>> =
    Object(error)
  const reason = redact(String(message ?? error))
  if (code === 'EENVELOPE' || code === 'EMESSAGE') {
    const isFinal = permanent === true || responseCode === undefined
    return { kind: isFinal ? 'refused' : 'deferred', reason }
  }
  const isBefore =
    BEFORE.has(code) || EARLY.has(timeoutType) || syscall === 'connect' || (command === 'CONN' && !!responseCode)
  return { kind: isBefore ? 'unreachable' : 'unclear', reason: placedReason(server, reason) }
}
