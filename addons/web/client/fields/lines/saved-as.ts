/**
 * The row an edited line has after the rows changed: its own, or the id it got when it was saved. New lines have negative
 * numbers and get their ids in their order. Null if it was removed.
 */
export function savedAs(row: number, before: readonly number[], after: readonly number[]): number | null {
  if (after.includes(row)) return row
  if (row > 0) return null
  const made = after.filter((id) => id > 0 && !before.includes(id))
  return made[before.filter((id) => id < 0).indexOf(row)] ?? null
}
