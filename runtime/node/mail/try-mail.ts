import type { MailServer } from '../../../kernel/mail/mail-server.ts'
import type { MailStep, MailTrial, MailTrouble, TrialMail } from '../../../kernel/mail/mail-trial.ts'
import { redact } from '../../redact.ts'
import { needsEncryption, OWN_HEADERS, openTransport } from './smtp.ts'

const ANSWER_MS = 8_000
const WHOLE_MS = 20_000
const MAX_ANSWER_CHARS = 300

/**
 * Signs in to a mail server and sends it one mail, over separate connections, encrypted if the server offers it. It ends after 20 seconds
 * whatever the server does. The answer of something that is no mail server is not shown.
 */
export async function tryMail(server: MailServer, mail: TrialMail, answerMs = ANSWER_MS): Promise<MailTrial> {
  let transport = openTransport({ ...server, answerMs, mustEncrypt: true })
  let isEncrypted = true
  let isSignedIn = false
  const signIn = async () => {
    try {
      await transport.verify()
    } catch (error) {
      if (needsEncryption(server) || placeOf(Object(error), false)[1] !== 'no_tls') throw error
      transport.close({ force: true })
      isEncrypted = false
      transport = openTransport({ ...server, answerMs })
      await transport.verify()
    }
  }
  const send = async (): Promise<Outcome> => {
    try {
      await signIn()
      isSignedIn = true
      const { messageId, ...content } = mail
      await transport.sendMail({
        ...content,
        to: { ...mail.to },
        from: { ...server.from },
        messageId,
        headers: OWN_HEADERS,
      })
      return { ok: true }
    } catch (error) {
      return failure(error, isSignedIn, server.password)
    }
  }
  let limit: NodeJS.Timeout | undefined
  const late = new Promise<Outcome>((resolve) => {
    limit = setTimeout(() => resolve(failed(isSignedIn ? 'message' : 'connection', 'no_answer')), WHOLE_MS)
  })
  const outcome = await Promise.race([send(), late]).finally(() => {
    clearTimeout(limit)
    transport.close({ force: true })
  })
  return { ...outcome, isEncrypted }
}

type Outcome = { readonly ok: true } | Failed

interface Failed {
  readonly ok: false
  readonly step: MailStep
  readonly trouble: MailTrouble
  readonly answer: string | null
}

const failed = (step: MailStep, trouble: MailTrouble, answer: string | null = null): Failed => ({
  ok: false,
  step,
  trouble,
  answer,
})

interface SmtpError {
  /** Code of nodemailer: the step that failed. */
  readonly code?: unknown
  /** Code of the system: the reason. */
  readonly originalCode?: unknown
  readonly command?: unknown
  readonly message?: unknown
  readonly response?: unknown
  readonly responseCode?: unknown
  readonly timeoutType?: unknown
}

/** An error of nodemailer as the step that failed, and why. */
function failure(error: unknown, isSignedIn: boolean, password: string): Failed {
  const found: SmtpError = Object(error)
  const answer = answerOf(found, password)
  const [step, trouble] = placeOf(found, isSignedIn)
  return failed(step, trouble, trouble === 'no_mail_server' ? null : answer)
}

const UNREACHABLE: ReadonlySet<unknown> = new Set([
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'EACCES',
  'EADDRNOTAVAIL',
])
/** Codes and words of OpenSSL for a certificate that is not trusted. */
const CERTIFICATE = /CERT|certificate|UNABLE_TO_|self.signed|ALTNAME/i
const TLS = /SSL|TLS|EPROTO/

function placeOf(error: SmtpError, isSignedIn: boolean): readonly [MailStep, MailTrouble] {
  const { code, command, originalCode, response, responseCode, timeoutType } = error
  const words = `${String(originalCode)} ${String(error.message)}`
  if (code === 'EDNS') return ['name', 'host_unknown']
  if (code === 'EAUTH' || code === 'ENOAUTH') return ['sign_in', response ? 'sign_in_refused' : 'no_sign_in']
  if (code === 'EENVELOPE') return ['message', command === 'MAIL FROM' ? 'sender_refused' : 'recipient_refused']
  if (code === 'EMESSAGE') return ['message', 'message_refused']
  if (isSignedIn) return ['message', timeoutType === undefined ? 'broken' : 'no_answer']
  if (code === 'ETLS' && response) return ['encryption', 'no_tls']
  if (code === 'ETLS' || code === 'ESOCKET') {
    if (CERTIFICATE.test(words)) return ['encryption', 'certificate']
    if (code === 'ETLS' || TLS.test(words)) return ['encryption', 'tls']
    if (originalCode === 'ECONNREFUSED') return ['connection', 'refused']
    if (UNREACHABLE.has(originalCode)) return ['connection', 'unreachable']
  }
  if (timeoutType === 'UPGRADE_TIMEOUT') return ['encryption', 'tls']
  if (timeoutType === 'GREETING_TIMEOUT') return ['connection', 'no_mail_server']
  if (timeoutType !== undefined) return ['connection', 'no_answer']
  if (code === 'EPROTOCOL') return ['connection', responseCode ? 'turned_away' : 'no_mail_server']
  return ['connection', responseCode ? 'turned_away' : 'broken']
}

/** What a mail server said, on one line. A server may repeat what it was sent, so the password is taken out. */
function answerOf({ response, responseCode }: SmtpError, password: string): string | null {
  if (typeof response !== 'string' || !responseCode) return null
  const text = password === '' ? response : response.replaceAll(password, '…')
  return redact(text.replace(/\s+/g, ' ')).slice(0, MAX_ANSWER_CHARS)
}
