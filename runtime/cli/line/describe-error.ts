import { AppError } from '../../../kernel/errors.ts'
import { sqlState } from '../../../kernel/sql/pg-error.ts'
import { explainFileError } from '../../node/file/file-error.ts'
import { DatabaseUnreachable } from '../../postgres/unreachable.ts'

/** SQLSTATE of a statement that the role may not run. */
const NO_RIGHT = '42501'

/** One sentence about what keeps every command from working: the database, or a file. Undefined for any other error. */
export function explainTrouble(error: unknown): string | undefined {
  const cause = error instanceof AppError ? error.cause : error
  if (cause instanceof DatabaseUnreachable) return cause.message
  if (sqlState(cause) === NO_RIGHT) return 'The user in db_dsn has too few rights. It must own the database.'
  return explainFileError(error)
}

/**
 * An error for a person: each refused field with its reason, once; and, where the service could not do its work, what lies
 * behind it. What PostgreSQL says about refused values is not for people, and our message has said it already.
 */
export function describeError(error: unknown): string {
  const trouble = explainTrouble(error)
  if (trouble !== undefined) return trouble
  if (!(error instanceof AppError)) return error instanceof Error ? error.message : String(error)
  const fields = Object.entries(Object(error.details['fields'])).map(
    ([name, reason]) => [name, String(reason)] as const,
  )
  // The message of refused values is the reason of the first field, unless it says something about all of them.
  const isReason = fields.some(([, reason]) => reason === error.message)
  const lines = [...(isReason ? [] : [error.message]), ...fields.map(([name, reason]) => describeField(name, reason))]
  if (error.status >= 500 && error.cause instanceof Error) lines.push(error.cause.message)
  return lines.join('\n  ')
}

/** "Name is required." names its field itself. */
const describeField = (name: string, reason: string): string =>
  reason.toLowerCase().startsWith(`${name.replace(/_ids?$/, '').replaceAll('_', ' ')} `) ? reason : `${name}: ${reason}`
