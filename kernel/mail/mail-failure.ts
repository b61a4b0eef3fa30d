import type { Env } from '../env.ts'

type Translate = Env['t']

/** Failures to send a mail, recognised by the words of libraries and systems; the first match counts. */
const KINDS: readonly (readonly [words: RegExp, say: (t: Translate, server: string) => string])[] = [
  [
    /ENOTFOUND|EAI_AGAIN|EDNS/,
    (t, server) => t('The mail server {server} cannot be found: there is no such name.', { server }),
  ],
  [
    /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|EADDRNOTAVAIL/,
    (t, server) => t('The mail server {server} cannot be reached.', { server }),
  ],
  [
    /ETIMEDOUT|timed? ?out|never received|too long/i,
    (t, server) => t('The mail server {server} did not answer in time.', { server }),
  ],
  [
    /invalid login|EAUTH|credentials/i,
    (t, server) => t('The mail server {server} did not accept account and password.', { server }),
  ],
  [
    /CERT|certificate|self.signed|altnames/i,
    (t, server) => t('The certificate of the mail server {server} is not valid, or is for another name.', { server }),
  ],
  [
    /SSL|TLS|EPROTO\b/,
    (t, server) => t('No encrypted connection to the mail server {server} could be made.', { server }),
  ],
  [
    /ECONNRESET|EPIPE|socket close|closed unexpectedly|ended the connection/i,
    (t, server) => t('The mail server {server} has ended the connection.', { server }),
  ],
]

/** An answer of the server to the mail itself, which is shown unchanged. */
const ANSWER = /^(?!Invalid login).*\b[45]\d\d[ -]/s

/** A stored failure to reach a server begins with that server: `smtp.example.com:587: Timeout`. */
const PLACED = /^(\S+:\d+): (.+)$/s

/** A failure to reach a server, as stored with the mail. */
export const placedReason = (server: string, reason: string): string => `${server}: ${reason}`

export interface MailFailure {
  /** A sentence for users, or the technical text if there is none. */
  readonly error: string
  /** The technical text below a sentence. */
  readonly detail: string | null
}

/** The last error of a mail in words. `current`: the server of the settings, for an error that names none; null without one. */
export function explainFailure({ t }: Pick<Env, 't'>, kept: string, current: string | null): MailFailure {
  const [, place, text = kept] = PLACED.exec(kept) ?? []
  const server = place ?? current
  const kind = ANSWER.test(text) ? undefined : KINDS.find(([words]) => words.test(text))
  if (kind === undefined || server === null) return { error: kept, detail: null }
  return { error: kind[1](t, server), detail: text }
}
