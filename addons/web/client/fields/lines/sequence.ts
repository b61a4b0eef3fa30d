/**
 * New numbers for rows in a new order, by row; only what has to change. The numbers that are there are dealt out again, so that a
 * move touches the rows between its ends; where they are unset or the same all rows are counted anew.
 */
export function renumberLines(
  rows: readonly number[],
  numberOf: (row: number) => number | null,
): ReadonlyMap<number, number> {
  const known = rows.map(numberOf)
  const sorted = known.filter((each) => each !== null).toSorted((a, b) => a - b)
  const isDistinct =
    sorted.length === rows.length && sorted.every((each, index) => index === 0 || each > sorted[index - 1]!)
  return new Map(
    rows.flatMap((row, index) => {
      const next = isDistinct ? sorted[index]! : (index + 1) * STEP
      return next === known[index] ? [] : [[row, next] as const]
    }),
  )
}

const STEP = 10

/** A number behind all others, for a row at the end; before all others at the start. */
export function edgeNumber(known: readonly (number | null)[], at: 'top' | 'bottom'): number {
  const numbers = known.filter((each) => each !== null)
  if (numbers.length === 0) return STEP
  return at === 'bottom' ? Math.max(...numbers) + STEP : Math.min(...numbers) - STEP
}
