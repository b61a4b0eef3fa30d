import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'

/**
 * A value as the server has it, with changes of the user on top that it has not confirmed yet. Taking a change away leaves exactly
 * what would be there without it, also when the value below or other changes have moved meanwhile.
 */
export interface Layered<T> {
  readonly base: Signal<T>
  /** The base with all changes applied in order. */
  readonly value: ReadonlySignal<T>
  /** Adds a change on top and returns a function that removes it. */
  push(change: (value: T) => T): () => void
}

export function createLayered<T>(initial: T): Layered<T> {
  const base = signal(initial)
  const layers = signal<readonly ((value: T) => T)[]>([])
  return {
    base,
    value: computed(() => layers.value.reduce((value, change) => change(value), base.value)),
    push(change) {
      // Wrapped, so that the same function added twice makes two layers.
      const layer = (value: T) => change(value)
      layers.value = [...layers.peek(), layer]
      return () => {
        layers.value = layers.peek().filter((each) => each !== layer)
      }
    },
  }
}
