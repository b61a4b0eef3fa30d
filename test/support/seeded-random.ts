/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export type Random = () => number

export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const below = (random: Random, limit: number): number => Math.floor(random() * limit)

export const pick = <T>(random: Random, items: readonly T[]): T => items[below(random, items.length)]!

export const listOf = <T>(random: Random, most: number, make: () => T): T[] =>
  Array.from({ length: below(random, most + 1) }, make)

/** Up to `count` different items. */
export function sample<T>(random: Random, items: readonly T[], count: number): T[] {
  const left = [...items]
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(below(random, left.length), 1)[0]!)
}
