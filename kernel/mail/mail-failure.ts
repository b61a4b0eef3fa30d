import type { Env } from '../env.ts'

type Translate = Env['t']

/** What keeps a mail from its server, by the words that libraries and systems have for it; the first that fits holds. */
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

/** An answer of the server to the mail itself, which is said as it is. */
const ANSWER = /^(?!Invalid login).*\b[45]\d\d[ -]/s

/** The server that an attempt was made with stands before what went wrong on the way to it: `smtp.example.com:587: Timeout`. */
const PLACED = /^(\S+:\d+): (.+)$/s

/** What went wrong on the way to a server, as it is kept with the mail. */
export const placedReason = (server: string, reason: string): string => `${server}: ${reason}`

export interface MailFailure {
  /** A sentence, or the technical text where there is none for it. */
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
