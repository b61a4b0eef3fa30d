import type { Kysely, Transaction } from 'kysely'
import { AppError, type ErrorCode, unavailable } from './errors.ts'
import type { Observe } from './observation.ts'
import { type Sql, sql } from './sql-text.ts'
import type { KernelTables } from './tables.ts'

/** A database handle: the pool, or (as a subtype) one transaction. */
export type Db = Kysely<KernelTables>
export type Tx = Transaction<KernelTables>

/** Model tables: their names and columns come from the registry at run time. */
export interface DynamicTables {
  [table: string]: Record<string, unknown>
}

/** The same handle for model tables. A cast, because the types of those tables exist only at run time. */
export const dynamic = (db: Db): Kysely<DynamicTables> => db as unknown as Kysely<DynamicTables>

/**
 * write: READ COMMITTED. serial: REPEATABLE READ, a concurrent change of a row it writes re-runs it.
 * snapshot: REPEATABLE READ READ ONLY, several statements over one state.
 */
export type TransactionKind = 'write' | 'serial' | 'snapshot'

/** What a retry needs from the host; `Services` fits. */
export interface RetryPorts {
  readonly clock: () => Date
  readonly random: (bytes: number) => Uint8Array
  readonly sleep: (ms: number) => Promise<void>
  /** Told of every retry. */
  readonly observe?: Observe
}

const RETRIES = 4
const RETRY_TOTAL_MS = 1_000
const RETRY_PAUSES_MS = [5, 20, 80, 80] as const

/**
 * Runs `work` in a transaction. The whole closure runs again when PostgreSQL undid it to resolve a conflict, and once when the
 * connection was lost before COMMIT was sent; so it must have no effect outside the transaction.
 */
export async function transact<T>(
  db: Db,
  { kind, requestId = null }: { readonly kind: TransactionKind; readonly requestId?: string | null },
  work: (tx: Tx) => Promise<T>,
  ports: RetryPorts,
): Promise<T> {
  let deadline: number | undefined
  let wasLost = false
  for (let retries = 0; ; retries++) {
    let commitSent = false
    try {
      return await begin(db, kind).execute(async (tx) => {
        const result = await work(tx)
        commitSent = true
        return result
      })
    } catch (error) {
      const lost = !commitSent && isConnectionLost(error)
      if (retries >= RETRIES || !(isRetryable(error) || (lost && !wasLost))) throw error
      wasLost ||= lost
      // Counted from the first failure, because a deadlock alone takes PostgreSQL a second to notice.
      const now = ports.clock().getTime()
      deadline ??= now + RETRY_TOTAL_MS
      const pause = jitter(RETRY_PAUSES_MS[retries] ?? 0, ports)
      if (now + pause > deadline) throw error
      ports.observe?.({ kind: 'retry', requestId, reason: sqlState(error) ?? 'unknown', attempt: retries + 1 })
      await ports.sleep(pause)
    }
  }
}

function begin(db: Db, kind: TransactionKind) {
  const transaction = db.transaction()
  if (kind === 'write') return transaction.setIsolationLevel('read committed')
  const repeatable = transaction.setIsolationLevel('repeatable read')
  return kind === 'serial' ? repeatable : repeatable.setAccessMode('read only')
}

/** Full jitter: a pause anywhere between nothing and the cap, so that colliding transactions part. */
function jitter(capMs: number, ports: RetryPorts): number {
  const [high = 0, low = 0] = ports.random(2)
  return (capMs * (high * 256 + low)) / 65_536
}

/**
 * Runs `work` so that its failure undoes only its own statements. A failure that `isRetryable` must not be swallowed by the
 * caller: the transaction around it is void. One name serves any nesting, since PostgreSQL takes the innermost.
 */
export async function savepoint<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await sql`savepoint svc`.execute(tx)
  try {
    const result = await work()
    await sql`release savepoint svc`.execute(tx)
    return result
  } catch (error) {
    if (!isConnectionLost(error)) await sql.raw('rollback to savepoint svc; release savepoint svc').execute(tx)
    throw error
  }
}

/** SQLSTATE of a PostgreSQL error, or the `code` of a socket error. */
export function sqlState(error: unknown): string | undefined {
  if (error instanceof AppError || !(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** The transaction is undone for a reason that may not come back, so it can simply run again. */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error)
  return state !== undefined && RETRYABLE.has(state)
}

/** 40000 is the driver's: a prepared statement outdated by DDL, or a lost COMMIT that turned out undone. */
const RETRYABLE: ReadonlySet<string> = new Set(['40000', '40001', '40P01'])

function isConnectionLost(error: unknown): boolean {
  const state = sqlState(error)
  return state !== undefined && (state.startsWith('08') || LOST.has(state))
}

const LOST: ReadonlySet<string> = new Set(['57P01', '57P02', 'ECONNRESET', 'EPIPE'])

export type ViolationKind = 'unique' | 'reference' | 'check' | 'required' | 'value'

/** What PostgreSQL tells about a refused row. Names of the database, for the namer only: they never reach a message. */
export interface Violation {
  readonly kind: ViolationKind
  readonly table: string | undefined
  readonly constraint: string | undefined
  readonly column: string | undefined
}

/** How the caller calls the broken constraint towards its user; whatever is left out gets a neutral default. */
export interface NamedViolation {
  readonly field?: string
  readonly message?: string
  readonly code?: ErrorCode
}

export type ConstraintNamer = (violation: Violation) => NamedViolation | undefined

const VIOLATIONS: Readonly<Record<ViolationKind, { readonly code: ErrorCode; readonly message: string }>> = {
  unique: { code: 'CONFLICT', message: 'Another record already has this value.' },
  reference: {
    code: 'CONFLICT',
    message: 'The record refers to one that does not exist, or others still refer to it.',
  },
  check: { code: 'VALIDATION', message: 'The values break a rule of this record.' },
  required: { code: 'VALIDATION', message: 'A required value is missing.' },
  value: { code: 'VALIDATION', message: 'A value has the wrong form, is too large or out of range.' },
}

/** SQLSTATE, or its first two characters for the rest of a class. */
const VIOLATION_STATES: ReadonlyMap<string, ViolationKind> = new Map([
  ['23505', 'unique'],
  ['23P01', 'unique'],
  ['23503', 'reference'],
  ['23001', 'reference'],
  ['23514', 'check'],
  ['23502', 'required'],
  ['22', 'value'],
  ['54', 'value'],
])

const BUSY = 'Somebody else is changing the same records. Try again.'
const AWAY = 'The database is not available right now. Try again in a moment.'
const FULL = 'The service is out of storage or capacity. Try again later.'
const SLOW = 'The request took too long and was stopped.'
const UNKNOWN = 'The connection broke while saving; whether the change was saved is unknown.'

const conflictOf = (cause: unknown) => new AppError('CONFLICT', BUSY, {}, { cause })

const FAULT_STATES: ReadonlyMap<string, (cause: unknown) => AppError> = new Map([
  ['40000', conflictOf],
  ['40001', conflictOf],
  ['40P01', conflictOf],
  ['55P03', conflictOf],
  ['40003', (cause) => unavailable(UNKNOWN, 1, cause)],
  ['57014', (cause) => unavailable(SLOW, 5, cause)],
  ['25P03', (cause) => unavailable(SLOW, 5, cause)],
  ['25P04', (cause) => unavailable(SLOW, 5, cause)],
  ['25006', (cause) => unavailable(AWAY, 1, cause)],
  ['53', (cause) => unavailable(FULL, 5, cause)],
  ['57', (cause) => unavailable(AWAY, 1, cause)],
  ['08', (cause) => unavailable(AWAY, 1, cause)],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'].map(
    (code) => [code, (cause: unknown) => unavailable(AWAY, 1, cause)] as const,
  ),
])

const noNames: ConstraintNamer = () => undefined

/**
 * A PostgreSQL or socket error as the AppError the caller may see, with the original as its cause; anything else comes back
 * unchanged. Messages never hold SQL, table or constraint names.
 */
export function translatePgError(error: unknown, namer: ConstraintNamer = noNames): unknown {
  const state = sqlState(error)
  if (state === undefined) return error
  const fault = FAULT_STATES.get(state) ?? FAULT_STATES.get(state.slice(0, 2))
  if (fault) return fault(error)
  const kind = VIOLATION_STATES.get(state) ?? VIOLATION_STATES.get(state.slice(0, 2))
  if (!kind) return error
  const named = namer({ kind, ...placeOf(error) }) ?? {}
  const message = named.message ?? VIOLATIONS[kind].message
  const details = named.field === undefined ? {} : { fields: { [named.field]: message } }
  return new AppError(named.code ?? VIOLATIONS[kind].code, message, details, { cause: error })
}

function placeOf(error: unknown): Omit<Violation, 'kind'> {
  const place: Readonly<Record<string, unknown>> = Object(error)
  const text = (key: string) => (typeof place[key] === 'string' ? place[key] : undefined)
  return { table: text('table'), constraint: text('constraint'), column: text('column') }
}

/** The table whose rows still refer to what a statement wanted to delete; undefined for any other error. */
export const violatedReference = (error: unknown): string | undefined =>
  sqlState(error) === '23503' || sqlState(error) === '23001' ? placeOf(error).table : undefined

declare const checkedText: unique symbol

/** SQL text made only from constant text, quoted names and quoted values. */
export interface Ddl {
  readonly text: string
  readonly [checkedText]: true
}

/** The brand exists only for the compiler: this is the one place that makes such a value. */
const asDdl = (text: string) => ({ text }) as Ddl

/** DDL text, which cannot take bound values. Holes take only what `identifier`, `literal`, `joinDdl` or this tag made. */
export function ddl(strings: TemplateStringsArray, ...parts: readonly Ddl[]): Ddl {
  return asDdl(strings.reduce((text, piece, i) => `${text}${parts[i - 1]?.text ?? ''}${piece}`))
}

export const joinDdl = (parts: readonly Ddl[], separator = ', ') =>
  asDdl(parts.map((part) => part.text).join(separator))

/** A quoted name. PostgreSQL cuts names at 63 bytes without a word, so a longer one is refused. */
export function identifier(name: string): Ddl {
  if (name === '' || name.includes('\0') || new TextEncoder().encode(name).length > 63) {
    throw new Error(`Not a usable SQL identifier: ${JSON.stringify(name)}`)
  }
  return asDdl(`"${name.replaceAll('"', '""')}"`)
}

export function literal(value: string | number | boolean | null): Ddl {
  if (value === null) return asDdl('NULL')
  if (typeof value === 'boolean') return asDdl(value ? 'TRUE' : 'FALSE')
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error(`Not a usable SQL number: ${value}`)
    return asDdl(String(value))
  }
  if (value.includes('\0')) throw new Error('A text literal cannot hold NUL.')
  const quoted = `'${value.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`
  return asDdl(value.includes('\\') ? `E${quoted}` : quoted)
}

export const runDdl = (db: Db, statement: Ddl) => runScript(db, statement.text)

/** Runs the text of a migration file: trusted, any number of statements, no values. */
export async function runScript(db: Db, text: string): Promise<void> {
  await sql.raw(text).execute(db)
}

const TYPE_NAME = /^[a-z]+(\(\d+(,\d+)?\))?$/

/** The name of a column type, as a field type declares it, inside a query. */
export function typeName(name: string): Sql<unknown> {
  if (!TYPE_NAME.test(name)) throw new Error(`Not the name of a column type: ${name}`)
  return sql.raw(name)
}
