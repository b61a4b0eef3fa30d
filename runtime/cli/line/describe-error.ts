import { AppError } from '../../../kernel/errors.ts'
import { sqlState } from '../../../kernel/sql/pg-error.ts'
import { explainFileError } from '../../node/file/file-error.ts'
import { DatabaseUnreachable } from '../../postgres/unreachable.ts'

/** SQLSTATE if the role lacks the right to run a statement. */
const NO_RIGHT = '42501'

/** One sentence about what keeps every command from working: the database, or a file. Undefined for any other error. */
export function explainTrouble(error: unknown): string | undefined {
  const cause = error instanceof AppError ? error.cause : error
  if (cause instanceof DatabaseUnreachable) return cause.message
  if (sqlState(cause) === NO_RIGHT) return 'The user in db_dsn has too few rights. It must own the database.'
  return explainFileError(error)
}

/**
 * An error for a person: each refused field once with its reason; if the service could not do its work, also the cause. PostgreSQL's own
 * message about refused values is left out, since our message already says it in better words.
 */
export function describeError(error: unknown): string {
  const trouble = explainTrouble(error)
  if (trouble !== undefined) return trouble
  if (!(error instanceof AppError)) return error instanceof Error ? error.message : String(error)
  const fields = Object.entries(Object(error.details['fields'])).map(
    ([name, reason]) => [name, String(reason)] as const,
  )
  // The message about refused values repeats the reason of the first field, unless it is about all of them.
  const isReason = fields.some(([, reason]) => reason === error.message)
  const lines = [...(isReason ? [] : [error.message]), ...fields.map(([name, reason]) => describeField(name, reason))]
  if (error.status >= 500 && error.cause instanceof Error) lines.push(error.cause.message)
  return lines.join('\n  ')
}

/** "Name is required." names its field itself. */
const describeField = (name: string, reason: string): string =>
  reason.toLowerCase().startsWith(`${name.replace(/_ids?$/, '').replaceAll('_', ' ')} `) ? reason : `${name}: ${reason}`
