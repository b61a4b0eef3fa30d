/** The name that a misspelt one probably stands for: at most a third of it is wrong. Undefined if none is that close. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => [name, distance(given.toLowerCase(), name.toLowerCase())] as const)
    .toSorted(([, a], [, b]) => a - b)
  return best !== undefined && best[1] <= Math.max(1, Math.floor(given.length / 3)) ? best[0] : undefined
}

/** How many letters are added, left out, replaced or swapped with the next one. */
function distance(a: string, b: string): number {
  let [above, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        last[j]! + 1,
        row[j - 1]! + 1,
        last[j - 1]! + (isSame ? 0 : 1),
        isSwapped ? above[j - 2]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
    ;[above, last] = [last, row]
  }
  return last[b.length]!
}
