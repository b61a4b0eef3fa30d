import { effect } from '@preact/signals'
import { services } from '../../../services.ts'
import { searchRead } from '../../../store/queries.ts'
import { partsOf } from '../../shared/act/parts-of.ts'
import type { ListModel } from '../model/model.ts'

/** Removes records from the selection that are no longer in the list, each time rows are loaded. Returns a function that stops it. */
export const keepMatching = (model: ListModel): (() => void) =>
  effect(() => {
    const { selection, list, groups } = model
    void groups.value
    void list.ids.base.value
    if (list.isLoading.value) return
    if (selection.isAll.peek()) {
      if (list.total.peek() === 0) selection.clear()
      return
    }
    const loaded = new Set(model.loadedIds())
    const unseen = [...selection.ids.peek()].filter((id) => !loaded.has(id))
    // If the request fails they stay selected, since the server checks each record anyway.
    dropGone(model, unseen).catch(() => undefined)
  })

/** Rows that are not loaded may have left the list, or only be further down. */
async function dropGone({ selection, arch, domain }: ListModel, ids: readonly number[]): Promise<void> {
  const asked = domain.peek()
  for (const part of partsOf(ids)) {
    const rows = await searchRead(services().rpc, arch.model, [...asked, ['id', 'in', part]], ['id'], {
      limit: part.length,
    })
    const left = new Set(rows.map(({ id }) => id))
    if (!selection.isAll.peek() && domain.peek() === asked)
      selection.set(
        part.filter((id) => !left.has(id)),
        false,
      )
  }
}
