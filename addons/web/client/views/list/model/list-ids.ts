import { batch } from '@preact/signals'
import type { ListStore } from '../../../store/list.ts'

type Ids = readonly (number | undefined)[]

/** The ids without some of them; positions that are not loaded stay empty. */
export function withoutIds(ids: Ids, gone: ReadonlySet<number>): Ids {
  const left: (number | undefined)[] = []
  for (let at = 0; at < ids.length; at++) {
    const id = ids[at]
    if (id === undefined || !gone.has(id)) left.push(id)
  }
  return left
}

/** Hides records from the lists; the returned function shows them again. */
export function hideRecords(lists: readonly ListStore[], ids: ReadonlySet<number>): () => void {
  const undo = batch(() => lists.map((list) => list.ids.push((known) => withoutIds(known, ids))))
  return () =>
    batch(() => {
      for (const take of undo) take()
    })
}

/** Puts a record that was just created where it was entered, until the list is loaded again. */
export function insertRecord({ ids, total }: ListStore, id: number, at: 'top' | 'bottom'): void {
  batch(() => {
    const known = ids.base.peek()
    if (at === 'top') ids.base.value = [id, ...known]
    else {
      const next = known.slice()
      next[total.peek()] = id
      ids.base.value = next
    }
    total.value++
  })
}
