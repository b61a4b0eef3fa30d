import type { Env } from '../../../env.ts'
import { AppError } from '../../../errors.ts'
import { LIMITS } from '../../../limits.ts'
import { constraintNamer } from '../../../schema/violations.ts'
import { isRetryable, translatePgError } from '../../../sql/pg-error.ts'
import { undoable } from '../../../work/undoable.ts'
import type { Column } from '../column/column.ts'
import type { SheetRow } from '../file/sheet.ts'
import { notAlone } from '../record/lookup.ts'
import { type Problem, problemsIn, rowProblem } from '../record/record.ts'
import type { Planned } from './apply.ts'

/** Parts of at most this size are tried record by record, since bad rows are often next to each other. */
const SINGLES = 8

/** Acts on records of the file and calls `refuse` for those that refuse it. */
export type TryInParts = <T extends Pick<Planned, 'record'>>(
  batch: readonly T[],
  act: (part: readonly T[]) => Promise<void>,
  refuse: (item: T, problems: readonly Problem[]) => void,
) => Promise<void>

/** Halves a refused batch until the faulty records are found; after `LIMITS.importRefusedRows` of them, refused parts are not divided. */
export function partsOf(env: Env, columns: readonly Column[]): TryInParts {
  let found = 0
  const untried = () => {
    const { sentence, values } = notAlone()
    return env.t(sentence, values)
  }
  const tryInParts: TryInParts = async (batch, act, refuse) => {
    if (batch.length === 0) return
    try {
      await undoable(env, () => act(batch))
    } catch (error) {
      const known = isRetryable(error) ? error : translatePgError(error, constraintNamer(env.registry, env.t))
      if (!(known instanceof AppError) || known.status >= 500) throw error
      // Not the fault of a row: after the user has confirmed the password, all of them can be imported.
      if (known.reason === 'confirm_password') throw known
      if (batch.length > 1 && found < LIMITS.importRefusedRows) {
        const part = batch.length <= SINGLES ? 1 : Math.ceil(batch.length / 2)
        for (let at = 0; at < batch.length; at += part) await tryInParts(batch.slice(at, at + part), act, refuse)
        return
      }
      found += batch.length
      for (const item of batch) {
        const [row] = item.record.rows as readonly [SheetRow]
        refuse(item, batch.length === 1 ? problemsIn(known, columns, row) : [rowProblem(row, null, untried())])
      }
    }
  }
  return tryInParts
}
