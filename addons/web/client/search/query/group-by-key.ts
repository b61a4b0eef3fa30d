/** Groups items by a key, in the order in which the keys first occur. */
export function groupByKey<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly [T, ...T[]]> {
  const gathered = new Map<K, [T, ...T[]]>()
  for (const item of items) {
    const key = keyOf(item)
    const others = gathered.get(key)
    if (others) others.push(item)
    else gathered.set(key, [item])
  }
  return gathered
}
