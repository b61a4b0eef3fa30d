import { AppError } from '../errors.ts'
import { translatePgError } from '../sql/pg-error.ts'

/** Error codes of a refusal by a record; any other error is a failure of the whole call. */
const REFUSALS: ReadonlySet<string> = new Set(['VALIDATION', 'CONFLICT', 'ACCESS_DENIED', 'NOT_FOUND'])

/** Reasons that concern the caller or the call, whatever the record. */
const OTHERS: ReadonlySet<string | undefined> = new Set(['confirm_password', 'action_unknown'])

/** The error if a record refuses the attempt; null for any other error, such as a password that must be confirmed first. */
export function refusalOf(error: unknown): AppError | null {
  const known = translatePgError(error)
  if (!(known instanceof AppError)) return null
  return REFUSALS.has(known.code) && !OTHERS.has(known.reason) ? known : null
}
