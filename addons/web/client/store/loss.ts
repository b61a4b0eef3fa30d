import { CallError } from '../net/errors.ts'
import type { Loss, RecordEntry } from './records.ts'

/** Reasons of refusals that concern the whole record and not one of its fields. */
const HIDING: ReadonlySet<unknown> = new Set(['rule_hides_record', 'model_access'])

/** Marks a record whose reading failed because it is deleted or out of sight; returns whether that was the cause. Known details of a deletion are kept. */
export function noteLoss(entry: RecordEntry | null | undefined, error: unknown): boolean {
  const loss = lossOf(error)
  if (!entry || !loss) return false
  entry.deleted.value ||= loss
  return true
}

function lossOf(error: unknown): Loss {
  if (!(error instanceof CallError)) return false
  if (error.code === 'NOT_FOUND') return true
  return error.code === 'ACCESS_DENIED' && HIDING.has(error.details['reason']) && 'hidden'
}
