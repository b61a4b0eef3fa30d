import { asKernel, type Env } from '../env.ts'
import type { Translate } from '../i18n/translate.ts'
import { isMailAddress, type Mailbox } from './mail-address.ts'
import { type MailDraft, queueMail } from './mail-queue.ts'
import { canSendMail } from './mail-server.ts'

/** A user who can be reached by mail. */
export interface Recipient {
  readonly mailbox: Mailbox
  readonly lang: string
}

/** The e-mail address of a user, or else the login if that is an address; undefined if mail can be sent to neither. */
export const addressOf = ({ email, login }: { readonly email: string | null; readonly login: string | null }) =>
  [email, login].find((text): text is string => text !== null && isMailAddress(text))

/** The mailbox of a user; null if the user has no address. */
export async function readAddress(env: Env, userId: number): Promise<Mailbox | null> {
  const [user] = await env.model('core.user').read([userId], ['name', 'email', 'login'])
  const address = user && addressOf(user)
  return user && address ? { name: shortLine(user.name), address } : null
}

/** The user's mail address, or the login if that is an address; null where mail cannot be sent. */
export async function readRecipient(env: Env, userId: number): Promise<Recipient | null> {
  if (!(await canSendMail(env))) return null
  const [user] = await asKernel(env).model('core.user').read([userId], ['name', 'email', 'login', 'lang'])
  const address = user && addressOf(user)
  return user && address ? { mailbox: { name: user.name, address }, lang: user.lang } : null
}

/**
 * Queues a mail to a user, written in the user's language. False when it cannot be sent: no address, or no mail server. Names in the
 * subject may contain anything: characters that are not allowed in a header are removed.
 */
export async function mailUser(
  env: Env,
  userId: number,
  write: (t: Translate) => Pick<MailDraft, 'subject' | 'text' | 'dedupeKey'>,
): Promise<boolean> {
  const user = await readRecipient(env, userId)
  if (user === null) return false
  const { subject, ...rest } = write(env.registry.translatorIn(user.lang))
  const { name, address } = user.mailbox
  await queueMail(env, { to: { name: shortLine(name), address }, subject: shortLine(subject), ...rest })
  return true
}

/** Queues a mail to a person who may not be a user. False if no mail can be sent. Characters unfit for headers are removed from names. */
export async function mailPerson(env: Env, { to, subject, ...rest }: MailDraft): Promise<boolean> {
  if (!(await canSendMail(env))) return false
  const name = shortLine(to.name)
  await queueMail(env, { to: { name, address: to.address }, subject: shortLine(subject), ...rest })
  return true
}

const MAX_CHARS = 200
/** Control characters, line ends, and characters that change the direction of text. */
const UNFIT = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

const shortLine = (text: string): string => [...text.replace(UNFIT, ' ')].slice(0, MAX_CHARS).join('').trim()
