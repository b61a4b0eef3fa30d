import type { Env } from '../env.ts'
import { deleteParam, readParam, writeParam } from '../param.ts'
import { seal, unseal } from '../seal.ts'
import type { Services } from '../services.ts'
import type { Db } from '../sql/database.ts'
import type { Mailbox } from './mail-address.ts'

/** An account on a mail server. An administrator's password for it must be typed again when one of these changes. */
export interface MailAccount {
  readonly host: string
  readonly port: number
  /** TLS from the first byte instead of STARTTLS. */
  readonly secure: boolean
  /** Empty for no sign-in. */
  readonly user: string
}

/** How this service sends mail. */
export interface MailServer extends MailAccount {
  readonly password: string
  readonly from: Mailbox
}

/** The settings a process was started with. They replace those of the database completely. */
export interface ConfiguredMail {
  /** Null: something is missing, so that nothing is sent. */
  readonly server: MailServer | null
  /** Where each setting comes from: a line of the file, or a variable. */
  readonly places: Readonly<Record<string, string>>
}

/** The settings in the database. The password is sealed for its account, so that it can be sent to no other server. */
export interface StoredMail extends MailAccount {
  /** Null: none. */
  readonly sealed: string | null
  readonly from: Mailbox
}

/** locked: the password was sealed by a process with another secret, or for another account. */
export type MailSetup = { readonly kind: 'none' | 'locked' } | { readonly kind: 'ready'; readonly server: MailServer }

const PARAM = 'mail_server'

export const readStoredMail = (db: Db): Promise<StoredMail | null> => readParam<StoredMail | null>(db, PARAM, null)

/**
 * The mail server as it is now: that of the process, else that of the database. It is read again for every mail, so every process
 * follows a change at once.
 */
export async function readMailSetup(services: Services, db: Db): Promise<MailSetup> {
  const { mail } = services
  if (mail === undefined) return { kind: 'none' }
  if (mail.configured !== null) return setupOf(mail.configured.server)
  const stored = await readStoredMail(db)
  if (stored === null) return { kind: 'none' }
  const { sealed, ...rest } = stored
  const password = sealed === null ? '' : await openPassword(services, stored)
  return password === null ? { kind: 'locked' } : setupOf({ ...rest, password })
}

const setupOf = (server: MailServer | null): MailSetup =>
  server === null ? { kind: 'none' } : { kind: 'ready', server }

/** Whether a mail that is queued now can leave. */
export const canSendMail = async ({ services, tx }: Pick<Env, 'services' | 'tx'>): Promise<boolean> =>
  (await readMailSetup(services, tx)).kind === 'ready'

export async function storeMailServer(
  { services, tx }: Pick<Env, 'services' | 'tx'>,
  { password, ...rest }: MailServer,
): Promise<void> {
  const sealed = password === '' ? null : await seal(services, purposeOf(rest), password)
  await writeParam(tx, PARAM, { ...rest, sealed } satisfies StoredMail)
}

export const forgetMailServer = ({ tx }: Env): Promise<void> => deleteParam(tx, PARAM)

/** The password kept for an account; null: there is none for it, or this process cannot open it. */
export async function openPassword(
  services: Services,
  { sealed, ...account }: MailAccount & Pick<StoredMail, 'sealed'>,
): Promise<string | null> {
  if (sealed === null) return null
  try {
    return await unseal(services, purposeOf(account), sealed)
  } catch {
    return null
  }
}

const purposeOf = ({ host, port, secure, user }: MailAccount): string =>
  `mail password ${JSON.stringify([host, port, secure, user])}`
