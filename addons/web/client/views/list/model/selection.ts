import { computed, type ReadonlySignal, signal } from '@preact/signals'

/** The selected records: some by id, or all that match the search. */
export interface Selection {
  readonly ids: ReadonlySignal<ReadonlySet<number>>
  /** Everything that matches, also what is not loaded. */
  readonly isAll: ReadonlySignal<boolean>
  readonly isAny: ReadonlySignal<boolean>
  has(id: number): boolean
  toggle(id: number): void
  /** Selects or deselects several. */
  set(ids: readonly number[], isOn: boolean): void
  /** Selects exactly these, for a range that grows and shrinks. */
  only(ids: readonly number[]): void
  /** All that match; `ids` are those that are loaded. */
  all(ids: readonly number[]): void
  clear(): void
}

export function createSelection(): Selection {
  const ids = signal<ReadonlySet<number>>(new Set())
  const isAll = signal(false)
  const set = (changed: readonly number[], isOn: boolean) => {
    const next = new Set(ids.peek())
    for (const id of changed) {
      if (isOn) next.add(id)
      else next.delete(id)
    }
    if (!isOn) isAll.value = false
    ids.value = next
  }
  const only = (chosen: readonly number[]) => {
    isAll.value = false
    ids.value = new Set(chosen)
  }
  return {
    ids,
    isAll,
    isAny: computed(() => isAll.value || ids.value.size > 0),
    has: (id) => isAll.value || ids.value.has(id),
    set,
    only,
    toggle: (id) => set([id], !isAll.peek() && !ids.peek().has(id)),
    all(loaded) {
      ids.value = new Set(loaded)
      isAll.value = true
    },
    clear: () => only([]),
  }
}
