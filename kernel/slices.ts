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

/**
 * Counts work of different size, so that other requests get their turn whenever `size` of it is done. In two steps, for loops over
 * millions of items: only a turn that is due costs a promise.
 */
export class Turns {
  readonly #env: Pick<Env, 'services'>
  readonly #size: number
  #done = 0

  constructor(env: Pick<Env, 'services'>, size: number) {
    this.#env = env
    this.#size = size
  }

  /** Notes work that is done; true when other requests are to get their turn. */
  isDue(work: number): boolean {
    this.#done += work
    return this.#done >= this.#size
  }

  async give(): Promise<void> {
    this.#done = 0
    await this.#env.services.sleep(0)
  }
}

/** `items.map(map)`, in slices: `weigh` says how many usual items one counts for. */
export async function mapInSlices<T, R>(
  env: Pick<Env, 'services'>,
  items: readonly T[],
  map: (item: T, index: number) => R,
  size: number = SLICE,
  weigh: (item: T) => number = () => 1,
): Promise<R[]> {
  const results: R[] = []
  const turns = new Turns(env, size)
  if (items.length > size) await turns.give()
  for (const item of items) {
    results.push(map(item, results.length))
    if (turns.isDue(weigh(item)) && results.length < items.length) await turns.give()
  }
  return results
}

/** `items.filter(test)`, in slices. */
export async function filterInSlices<T>(env: Env, items: readonly T[], test: (item: T) => boolean): Promise<T[]> {
  const results: T[] = []
  for await (const slice of slicesOf(env, items)) results.push(...slice.filter(test))
  return results
}
