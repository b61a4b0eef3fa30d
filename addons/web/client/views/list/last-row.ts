import { lineAt, lineOfRecord } from './layout.ts'
import type { ListModel } from './model.ts'

/** The row one left a list from. */
export interface LastRow {
  readonly id: number
  readonly line: number
}

const keyOf = ({ place }: ListModel): string => `modulus.cursor.${place}`

export function keepRow(model: ListModel): void {
  const { line } = model.cursor.peek()
  const found = lineAt(model.layout.peek(), line)
  const id = found?.kind === 'record' ? found.list.ids.value.peek()[found.at] : undefined
  if (id !== undefined) sessionStorage.setItem(keyOf(model), `${id} ${line}`)
}

export function lastRow(model: ListModel): LastRow {
  const [id = 0, line = 0] = (sessionStorage.getItem(keyOf(model)) ?? '').split(' ').map(Number)
  return { id, line }
}

/** Where it is now, or was when it is not loaded yet; null when there was none. */
export function lineOfLast(model: ListModel): number | null {
  const { id, line } = lastRow(model)
  return id > 0 ? (lineOfRecord(model.layout.peek(), id) ?? line) : null
}
