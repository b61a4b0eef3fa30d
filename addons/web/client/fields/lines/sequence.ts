/**
 * New sequence numbers after a reorder, only for rows whose number changes. The existing numbers are redistributed, so
 * that a move changes only the rows between its two positions. If numbers are missing or duplicated, all rows are
 * renumbered.
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

/** A sequence number after all others for a row at the bottom, or before all others at the top. */
export function edgeNumber(known: readonly (number | null)[], at: 'top' | 'bottom'): number {
  const numbers = known.filter((each) => each !== null)
  if (numbers.length === 0) return STEP
  return at === 'bottom' ? Math.max(...numbers) + STEP : Math.min(...numbers) - STEP
}

/** Compares values of a column: numbers by size, links by name, and empty values last. */
export function compareValues(a: unknown, b: unknown): number {
  const [one, other] = [a, b].map((value) => (Array.isArray(value) ? (value[1] ?? value.length) : (value ?? '')))
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return Number(one === '') - Number(other === '') || String(one).localeCompare(String(other), undefined, NUMERIC)
}

const NUMERIC = { numeric: true }
