import { AppError, type ErrorDetails, type ErrorExtra, notSetUp, refusal, unavailable } from '../errors.ts'

/** SQLSTATE of a PostgreSQL error, or the `code` of a socket error. */
export function sqlState(error: unknown): string | undefined {
  if (error instanceof AppError || !(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Whether PostgreSQL rolled the transaction back for a temporary reason, so that it can be retried. */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error)
  return state !== undefined && RETRYABLE.has(state)
}

/**
 * 40000 comes from our driver: a prepared statement invalidated by DDL, or a lost COMMIT that turned out to be rolled back.
 */
const RETRYABLE: ReadonlySet<string> = new Set(['40000', '40001', '40P01'])

/** Whether the connection was lost, so that PostgreSQL rolled back everything not committed. */
export function isConnectionLost(error: unknown): boolean {
  const state = sqlState(error)
  return state !== undefined && (state.startsWith('08') || LOST.has(state))
}

const LOST: ReadonlySet<string> = new Set(['57P01', '57P02', 'ECONNRESET', 'EPIPE'])

export type ViolationKind = 'unique' | 'reference' | 'check' | 'required' | 'value'

/** A constraint violation as PostgreSQL reports it. The names are database names and never shown to callers. */
export interface Violation {
  readonly kind: ViolationKind
  readonly table: string | undefined
  readonly constraint: string | undefined
  readonly column: string | undefined
}

/** Field and message for the user of a violated constraint; missing parts get a neutral default. */
export interface NamedViolation {
  readonly field?: string
  readonly message?: string
  readonly refuse?: RefuseRow
}

/** Makes the refusal of a row. */
type RefuseRow = (message: string, details: ErrorDetails, extra: ErrorExtra) => AppError

export type ConstraintNamer = (violation: Violation) => NamedViolation | undefined

const VIOLATIONS: Readonly<Record<ViolationKind, { readonly refuse: RefuseRow; readonly message: string }>> = {
  unique: {
    refuse: (...about) => refusal('CONFLICT', 'value_taken', ...about),
    message: 'Another record already has this value.',
  },
  reference: {
    refuse: (...about) => refusal('CONFLICT', 'reference_broken', ...about),
    message: 'The record refers to one that does not exist, or others still refer to it.',
  },
  check: {
    refuse: (...about) => refusal('VALIDATION', 'check_failed', ...about),
    message: 'The values break a rule of this record.',
  },
  required: {
    refuse: (...about) => refusal('VALIDATION', 'value_required', ...about),
    message: 'A required value is missing.',
  },
  value: {
    refuse: (...about) => refusal('VALIDATION', 'value_invalid', ...about),
    message: 'A value has the wrong form, is too large or out of range.',
  },
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

const conflictOf = (cause: unknown) => refusal('CONFLICT', 'concurrent_change', BUSY, {}, { cause })

const FAULT_STATES: ReadonlyMap<string, (cause: unknown) => AppError> = new Map([
  ['40000', conflictOf],
  ['40001', conflictOf],
  ['40P01', conflictOf],
  ['55P03', conflictOf],
  ['40003', (cause) => unavailable('outcome_unknown', UNKNOWN, 1, cause)],
  ['57014', (cause) => unavailable('timed_out', SLOW, 5, cause)],
  ['25P03', (cause) => unavailable('timed_out', SLOW, 5, cause)],
  ['25P04', (cause) => unavailable('timed_out', SLOW, 5, cause)],
  ['25006', (cause) => unavailable('database_away', AWAY, 1, cause)],
  ['53', (cause) => unavailable('capacity_exhausted', FULL, 5, cause)],
  ['57', (cause) => unavailable('database_away', AWAY, 1, cause)],
  ['08', (cause) => unavailable('database_away', AWAY, 1, cause)],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'].map(
    (code) => [code, (cause: unknown) => unavailable('database_away', AWAY, 1, cause)] as const,
  ),
])

const noNames: ConstraintNamer = () => undefined

/**
 * A PostgreSQL or socket error as the AppError the caller may see, with the original as its cause; anything else comes back
 * unchanged. Messages never contain SQL, table or constraint names.
 */
export function translatePgError(error: unknown, namer: ConstraintNamer = noNames): unknown {
  const state = sqlState(error)
  if (state === undefined) return error
  const fault = FAULT_STATES.get(state) ?? FAULT_STATES.get(state.slice(0, 2))
  if (fault) return fault(error)
  if (isWithoutTables(error, state)) return notSetUp(error)
  const kind = VIOLATION_STATES.get(state) ?? VIOLATION_STATES.get(state.slice(0, 2))
  if (!kind) return error
  const named = namer({ kind, ...placeOf(error) }) ?? {}
  const message = named.message ?? VIOLATIONS[kind].message
  const details = named.field === undefined ? {} : { fields: { [named.field]: message } }
  const refuse = named.refuse ?? VIOLATIONS[kind].refuse
  return refuse(message, details, { cause: error })
}

/** Whether a table is missing that is needed for any sign-in. The message contains its name, whatever language the message is in. */
const isWithoutTables = (error: unknown, state: string): boolean =>
  state === '42P01' && error instanceof Error && /\b(sys_|core_(user|company|api_key)\b)/.test(error.message)

function placeOf(error: unknown): Omit<Violation, 'kind'> {
  const place: Readonly<Record<string, unknown>> = Object(error)
  const text = (key: string) => (typeof place[key] === 'string' ? place[key] : undefined)
  return { table: text('table'), constraint: text('constraint'), column: text('column') }
}

/** The table whose rows still refer to what a statement wanted to delete; undefined for any other error. */
export const violatedReference = (error: unknown): string | undefined =>
  sqlState(error) === '23503' || sqlState(error) === '23001' ? placeOf(error).table : undefined
