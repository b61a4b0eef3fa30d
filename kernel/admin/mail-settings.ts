import { audit } from '../audit.ts'
import type { Env } from '../env.ts'
import { conflict, invalid } from '../errors.ts'
import { mailboxText, parseMailbox } from '../mail/mail-address.ts'
import {
  forgetMailServer,
  type MailAccount,
  type MailServer,
  openPassword,
  readMailSetup,
  readStoredMail,
  storeMailServer,
} from '../mail/mail-server.ts'
import { readAddress } from '../mail/recipient.ts'
import type { WireMail, WireMailInput, WireMailServer } from './wire-operations.ts'

/** The mail server, and whether it is set in the database or in the configuration of the service. */
export async function readMail(env: Env): Promise<WireMail> {
  const { kind } = await readMailSetup(env.services, env.tx)
  const own = await readAddress(env, env.user.id)
  return { state: kind, ...(await serverOf(env)), testAddress: own?.address ?? null }
}

async function serverOf({ services: { mail }, tx }: Env): Promise<Pick<WireMail, 'server' | 'places'>> {
  // In a process that sends no mail there is nothing to set.
  if (mail === undefined) return { server: null, places: {} }
  if (mail.configured !== null) {
    const { server, places } = mail.configured
    return { server: server && wireServer(server, server.password !== ''), places }
  }
  const stored = await readStoredMail(tx)
  return { server: stored && wireServer(stored, stored.sealed !== null), places: null }
}

const wireServer = (
  { host, port, secure, user, from }: Omit<MailServer, 'password'>,
  hasPassword: boolean,
): WireMailServer => ({ host, port, secure, user, hasPassword, from: mailboxText(from) })

/** Stores the settings of mail; null removes them. The handler has asked for an administrator and a recent password. */
export async function saveMail(env: Env, input: WireMailInput | null): Promise<void> {
  requireOwnSettings(env)
  const before = await readStoredMail(env.tx)
  const server = input && (await serverOfInput(env, input))
  const old = before && { ...before, password: (await openPassword(env.services, before)) ?? '', sealed: null }
  const changed = NAMES.filter((name) => JSON.stringify(old?.[name]) !== JSON.stringify(server?.[name]))
  if (changed.length === 0) return
  await (server === null ? forgetMailServer(env) : storeMailServer(env, server))
  const detail = server === null ? 'deleted' : changed.join(', ')
  await audit(env, [{ kind: 'settings_changed', subject: 'outgoing mail', detail }])
}

/** The settings that the audit trail names as changed; their values never appear in it. */
const NAMES = ['host', 'port', 'secure', 'user', 'password', 'from'] as const satisfies readonly (keyof MailServer)[]

export function requireOwnSettings({ services: { mail }, t }: Env): void {
  if (mail === undefined) throw conflict('business_rule', t('This service cannot send mail.'))
  if (mail.configured !== null)
    throw conflict(
      'business_rule',
      t('The mail server is set by those who run the service, so it cannot be changed here.'),
    )
}

/** Control characters have no place in what is sent to a mail server. */
const CONTROL = /\p{Cc}/u
/** A name or an address, IPv6 with or without brackets. */
const HOST = /^(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252})|\[?[0-9A-Fa-f:.]{2,45}\]?)$/

/** The settings as entered; without a password the stored one is kept. */
export async function serverOfInput(
  env: Env,
  { host, port, secure, user, password, from }: WireMailInput,
): Promise<MailServer> {
  const { t } = env
  const mailbox = parseMailbox(from)
  const problems: Record<string, string> = {}
  if (!HOST.test(host)) problems['host'] = t('This is not the name of a server.')
  if (CONTROL.test(user)) problems['user'] = t('An account is one line of text.')
  if (password !== null && CONTROL.test(password)) problems['password'] = t('A password is one line of text.')
  if (mailbox === null) problems['from'] = t('Write erp@example.com, or Name <erp@example.com>.')
  if (mailbox === null || Object.keys(problems).length > 0) throw invalid('value_invalid', problems)
  const account = { host, port, secure, user }
  return { ...account, password: await passwordFor(env, account, password), from: mailbox }
}

async function passwordFor(env: Env, account: MailAccount, typed: string | null): Promise<string> {
  if (account.user === '') return ''
  if (typed !== null) return typed
  const sealed = (await readStoredMail(env.tx))?.sealed ?? null
  const kept = await openPassword(env.services, { ...account, sealed })
  if (kept !== null) return kept
  throw invalid('value_invalid', {
    password:
      sealed === null
        ? env.t('Enter the password of this account.')
        : env.t(
            'Enter the password again: the one that is kept is for another server or account, or cannot be opened.',
          ),
  })
}
