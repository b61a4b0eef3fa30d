import { lineAt, lineOfRecord } from './layout.ts'
import type { ListModel } from './model.ts'

/** The row one left a list from. */
export interface LastRow {
  readonly id: number
  readonly line: number
}

/** By list. Storage would last longer than the way back does, and takes longer than drawing a view should. */
const rows = new Map<string, LastRow>()

export function keepRow(model: ListModel): void {
  const { line } = model.cursor.peek()
  const found = lineAt(model.layout.peek(), line)
  const id = found?.kind === 'record' ? found.list.ids.value.peek()[found.at] : undefined
  if (id !== undefined) rows.set(model.storageKey, { id, line })
}

export const lastRow = ({ storageKey }: ListModel): LastRow => rows.get(storageKey) ?? { id: 0, line: 0 }

/** Where it is now, or was when it is not loaded yet; null when there was none. */
export function lineOfLast(model: ListModel): number | null {
  const { id, line } = lastRow(model)
  return id > 0 ? (lineOfRecord(model.layout.peek(), id) ?? line) : null
}
