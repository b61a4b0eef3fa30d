import type { Env } from '../../env.ts'

/** Cells that are written at once, which takes a few milliseconds. */
const CELLS = 1_000

/** `rows.map(write)`, with a turn for everything else that is due between some of the rows. */
export async function mapInSlices<T, R>(
  { services }: Pick<Env, 'services'>,
  rows: readonly T[],
  width: number,
  write: (row: T, index: number) => R,
): Promise<R[]> {
  const size = Math.max(1, Math.floor(CELLS / Math.max(1, width)))
  const made: R[] = []
  for (const [index, row] of rows.entries()) {
    if (index > 0 && index % size === 0) await services.sleep(0)
    made.push(write(row, index))
  }
  return made
}
