import { AppError } from '../../kernel/errors.ts'
import { sqlState } from '../../kernel/sql/pg-error.ts'

/** Why the database does not let the program work, by SQLSTATE. Trying again does not help with these. */
const DATABASE_REFUSALS: ReadonlyMap<string, string> = new Map([
  ['28P01', 'The database server refuses the user name or the password in db_dsn.'],
  ['28000', 'The database server refuses the user name or the password in db_dsn.'],
  ['3D000', 'The database server has no database of the name in db_dsn. Create it, or correct db_dsn.'],
  ['42501', 'The user in db_dsn has too few rights. It must own the database.'],
])

/**
 * An error for a person: each refused field with its reason, once; and, where the service could not do its work, what lies
 * behind it. What PostgreSQL says about refused values is not for people, and our message has said it already.
 */
export function describeError(error: unknown): string {
  const refused = DATABASE_REFUSALS.get(sqlState(error instanceof AppError ? error.cause : error) ?? '')
  if (refused !== undefined) return refused
  if (!(error instanceof AppError)) return error instanceof Error ? error.message : String(error)
  const fields = Object.entries(Object(error.details['fields']))
  // The message of refused values is the reason of the first field, unless it says something about all of them.
  const isReason = fields.some(([, reason]) => reason === error.message)
  const lines = [...(isReason ? [] : [error.message]), ...fields.map(([name, reason]) => `${name}: ${reason}`)]
  if (error.status >= 500 && error.cause instanceof Error) lines.push(error.cause.message)
  return lines.join('\n  ')
}
