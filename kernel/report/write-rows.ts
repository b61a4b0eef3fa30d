import type { Env } from '../env.ts'
import { mapInSlices } from '../slices.ts'

/** Cells that are written before other requests get their turn: a few milliseconds. */
const CELLS = 1_000

/** `rows.map(write)` in slices, which are shorter the more columns a row has. */
export const writeRows = <T, R>(
  env: Pick<Env, 'services'>,
  rows: readonly T[],
  width: number,
  write: (row: T, index: number) => R,
): Promise<R[]> => mapInSlices(env, rows, write, Math.max(1, Math.floor(CELLS / Math.max(1, width))))
