import pg from 'pg'

/** Where a pool connects to, without the password. */
export interface PoolTarget {
  readonly host: string
  readonly port: number
  readonly user: string | undefined
  readonly database: string | undefined
  /** The setting it comes from; null if there is none to mention in advice. */
  readonly setting: string | null
}

const at = ({ host, port }: PoolTarget): string => (host.startsWith('/') ? host : `${host}:${port}`)

/** Why a connection failed and what to do, by the code of the system or of PostgreSQL. */
const SENTENCES: Readonly<Record<string, (target: PoolTarget) => string>> = {
  ENOTFOUND: ({ host, setting }) => `There is no host ${host}. Check the host in ${setting}.`,
  EAI_AGAIN: ({ host, setting }) =>
    `The host name ${host} cannot be looked up now. Check the network, and the host in ${setting}.`,
  ECONNREFUSED: (target) =>
    `No PostgreSQL listens at ${at(target)}. Start it, or check host and port in ${target.setting}.`,
  ENOENT: (target) => `No PostgreSQL listens at ${at(target)}. Start it, or check the host in ${target.setting}.`,
  EHOSTUNREACH: (target) => `${at(target)} cannot be reached. Check the network, and the host in ${target.setting}.`,
  ENETUNREACH: (target) => `${at(target)} cannot be reached. Check the network, and the host in ${target.setting}.`,
  ETIMEDOUT: (target) =>
    `PostgreSQL at ${at(target)} does not answer. Check the network, and host and port in ${target.setting}.`,
  ECONNRESET: (target) => `PostgreSQL at ${at(target)} ended the connection.`,
  '28P01': (target) =>
    `PostgreSQL at ${at(target)} refuses the user ${target.user} or the password. Check ${target.setting}.`,
  '28000': (target) =>
    `PostgreSQL at ${at(target)} refuses the user ${target.user}. Check ${target.setting} and pg_hba.conf.`,
  '3D000': (target) =>
    `PostgreSQL at ${at(target)} has no database ${target.database}. Create it, or check ${target.setting}.`,
  '42501': ({ user, database }) => `The user ${user} may not connect to the database ${database}. It must own it.`,
  '53300': (target) => `PostgreSQL at ${at(target)} has no connection left. Close some, or raise max_connections.`,
  '57P03': (target) => `PostgreSQL at ${at(target)} is starting or stopping.`,
  '08004': (target) =>
    `PostgreSQL at ${at(target)} is a standby that cannot be written. Set ${target.setting} to the primary.`,
}

const PASSING: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', '53300', '57P01', '57P02', '57P03'])

/** A connection failed; the message is a sentence for operators. Callers of the service never see it. */
export class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseUnreachable'

  /** The server answers and may accept a connection a moment later. */
  readonly isPassing: boolean

  constructor(target: PoolTarget, cause: unknown) {
    super(sentenceOf(target, cause), { cause })
    const { code, message } = Object(cause) as { readonly code?: unknown; readonly message?: unknown }
    this.isPassing = PASSING.has(String(code)) || /terminated/.test(String(message))
  }
}

/** Whether an attempt failed only because it took too long. */
export const isTimeout = (error: unknown): boolean => error instanceof Error && /timeout/i.test(error.message)

function sentenceOf(target: PoolTarget, cause: unknown): string {
  const { code, message } = Object(cause) as { readonly code?: unknown; readonly message?: unknown }
  const known = SENTENCES[String(code)]
  if (known) return advised(target, known(target))
  if (isTimeout(cause)) return advised(target, SENTENCES['ETIMEDOUT']!(target))
  const named = target.setting === null ? at(target) : `${at(target)} (${target.setting})`
  return `No connection to PostgreSQL at ${named}: ${String(message ?? cause)}`
}

/** The advice is what comes after the first sentence. */
const advised = ({ setting }: PoolTarget, text: string): string =>
  setting === null ? text.replace(/(?<=\.) .*/, '') : text

/** The target from the options of a pool and the variables of `libpq`, without connecting. */
export function poolTarget({ options }: pg.Pool, setting: string | null): PoolTarget {
  const { host, port, user, database } = new pg.Client(options)
  return { host, port, user, database, setting }
}
