import { readEpoch } from '../epoch.ts'
import { AppError } from '../errors.ts'
import type { KernelState, Services } from '../services.ts'
import { sqlState } from '../sql/pg-error.ts'

/**
 * Thrown where a change of modules has taken away what a statement names, since the request began. All that its unit of work did is
 * undone, so it may be handled again, with the models there are now.
 */
export class Outdated extends AppError {
  constructor(cause: unknown) {
    super('CONFLICT', 'concurrent_change', 'Modules were changed meanwhile. Try again.', {}, { cause })
  }
}

/** No such table, no such column. */
const GONE: ReadonlySet<string | undefined> = new Set(['42P01', '42703'])

/** Why a unit of work failed: `Outdated`, or the error as it is, where the statement names what should be there. */
export async function reasonOf(error: unknown, { db }: Services, { epoch }: KernelState): Promise<unknown> {
  if (!GONE.has(sqlState(error))) return error
  const now = await readEpoch(db).catch(() => epoch)
  return now.modules > epoch.modules ? new Outdated(error) : error
}
