import { lineAt, lineOfRecord } from './layout.ts'
import type { ListModel } from './model.ts'

/** The row from which a record was opened, to return to it. */
export interface LastRow {
  readonly id: number
  readonly line: number
}

/** By list, in memory only: it is needed for the way back within this page, and reading storage would delay drawing. */
const rows = new Map<string, LastRow>()

export function keepRow(model: ListModel): void {
  const { line } = model.cursor.peek()
  const found = lineAt(model.layout.peek(), line)
  const id = found?.kind === 'record' ? found.list.ids.value.peek()[found.at] : undefined
  if (id !== undefined) rows.set(model.storageKey, { id, line })
}

export const lastRow = ({ storageKey }: ListModel): LastRow => rows.get(storageKey) ?? { id: 0, line: 0 }

/** The line of that row now, or its old line while it is not loaded; null if there is none. */
export function lineOfLast(model: ListModel): number | null {
  const { id, line } = lastRow(model)
  return id > 0 ? (lineOfRecord(model.layout.peek(), id) ?? line) : null
}
