import { AppError } from '../errors.ts'
import { translatePgError } from '../sql/pg-error.ts'

/** What a record may answer; anything else is a failure of the whole call. */
const REFUSALS: ReadonlySet<string> = new Set(['VALIDATION', 'CONFLICT', 'ACCESS_DENIED', 'NOT_FOUND'])

/** What the caller has to do or mend, whatever the record. */
const OTHERS: ReadonlySet<string | undefined> = new Set(['confirm_password', 'action_unknown'])

/** The answer of a record that refuses what was tried; null: an error of another kind, which also a password to be confirmed is. */
export function refusalOf(error: unknown): AppError | null {
  const known = translatePgError(error)
  if (!(known instanceof AppError)) return null
  return REFUSALS.has(known.code) && !OTHERS.has(known.reason) ? known : null
}
