/** The ids with one of them moved to another position; an id that is not among them is inserted. */
export function moveId(ids: readonly number[], id: number, to: number): readonly number[] {
  const others = ids.filter((each) => each !== id)
  return others.toSpliced(Math.max(0, Math.min(others.length, to)), 0, id)
}

/** New positions for the records that need one: the old numbers in the new order, made strictly increasing where they were not. */
export function renumber(
  order: readonly number[],
  positions: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  const sorted = order.map((id) => positions.get(id) ?? 0).toSorted((a, b) => a - b)
  const changed = new Map<number, number>()
  let least = Number.NEGATIVE_INFINITY
  order.forEach((id, index) => {
    const next = Math.max(sorted[index] ?? 0, least + 1)
    least = next
    if (positions.get(id) !== next) changed.set(id, next)
  })
  return changed
}
