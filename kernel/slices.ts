import type { Env } from './env.ts'

/** Records that are handled before other requests get their turn: few enough to take only milliseconds even in code not compiled yet. */
const SLICE = 25

/** The size of a slice for light work per item, such as reading the cells of a row. */
export const LIGHT_SLICE = 2_000

/** The items in parts. If there are several, other requests get their turn before each of them. */
export async function* slicesOf<T>(
  { services }: Pick<Env, 'services'>,
  items: readonly T[],
  size: number = SLICE,
): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) {
    if (items.length > size) await services.sleep(0)
    yield items.slice(at, at + size)
  }
}

/** Counts work of different size, and gives other requests their turn whenever `size` of it is done. */
export function turnsOf({ services }: Env, size: number): (work: number) => Promise<void> {
  let done = 0
  return async (work) => {
    done += work
    if (done < size) return
    done = 0
    await services.sleep(0)
  }
}

/** `items.map(map)`, in slices. */
export async function mapInSlices<T, R>(
  env: Pick<Env, 'services'>,
  items: readonly T[],
  map: (item: T, index: number) => R,
  size: number = SLICE,
): Promise<R[]> {
  const results: R[] = []
  for await (const slice of slicesOf(env, items, size))
    for (const item of slice) results.push(map(item, results.length))
  return results
}

/** `items.filter(test)`, in slices. */
export async function filterInSlices<T>(env: Env, items: readonly T[], test: (item: T) => boolean): Promise<T[]> {
  const results: T[] = []
  for await (const slice of slicesOf(env, items)) results.push(...slice.filter(test))
  return results
}
