import { readEpoch } from '../epoch.ts'
import { AppError } from '../errors.ts'
import type { KernelState, Services } from '../services.ts'
import { sqlState } from '../sql/pg-error.ts'

/**
 * Thrown if a change of modules has removed a table or column that a statement names, since the request began. Its unit of work is rolled
 * back, so the request may be handled again with the current models.
 */
export class Outdated extends AppError {
  constructor(cause: unknown) {
    super('CONFLICT', 'concurrent_change', 'Modules were changed meanwhile. Try again.', {}, { cause })
  }
}

/** SQLSTATEs of a missing table and a missing column. */
const GONE: ReadonlySet<string | undefined> = new Set(['42P01', '42703'])

/** The error of a failed unit of work: `Outdated` if modules have changed since it began, otherwise the original error. */
export async function reasonOf(error: unknown, { db }: Services, { epoch }: KernelState): Promise<unknown> {
  if (!GONE.has(sqlState(error))) return error
  const now = await readEpoch(db).catch(() => epoch)
  return now.modules > epoch.modules ? new Outdated(error) : error
}
