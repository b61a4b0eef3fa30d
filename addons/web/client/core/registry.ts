import { signal } from '@preact/signals'

/** Named entries in an order, which addons can extend. Reading it inside a component or an effect subscribes to changes. */
export interface Registry<T> {
  /** An existing name is replaced, so an addon can override another. Lower sequences come first. */
  add(name: string, item: T, sequence?: number): void
  get(name: string): T | undefined
  /** All in order. */
  entries(): readonly (readonly [name: string, item: T])[]
  /** The item of the first of these names that exists. */
  first(names: Iterable<string>): T | undefined
}

interface Entry<T> {
  readonly name: string
  readonly item: T
  readonly sequence: number
}

export const DEFAULT_SEQUENCE = 50

export function createRegistry<T>(): Registry<T> {
  const ordered = signal<readonly Entry<T>[]>([])
  const byName = signal<ReadonlyMap<string, T>>(new Map())
  return {
    add(name, item, sequence = DEFAULT_SEQUENCE) {
      const others = ordered.peek().filter((entry) => entry.name !== name)
      const at = others.findIndex((entry) => entry.sequence > sequence)
      const entry = { name, item, sequence }
      ordered.value = at < 0 ? [...others, entry] : others.toSpliced(at, 0, entry)
      byName.value = new Map(ordered.peek().map((each) => [each.name, each.item]))
    },
    get: (name) => byName.value.get(name),
    entries: () => ordered.value.map(({ name, item }) => [name, item] as const),
    first(names) {
      for (const name of names) {
        const item = byName.value.get(name)
        if (item !== undefined) return item
      }
      return undefined
    },
  }
}
