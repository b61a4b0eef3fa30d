import { t } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import { moveId } from '../../../store/positions.ts'
import { createRecord, searchRead } from '../../../store/queries.ts'
import { announce } from '../../../ui/announce.ts'
import type { Board, BoardColumn } from './board.ts'
import { columnKey, determinesColumn, emptyStats } from './columns.ts'
import { cardTitle } from './title.ts'

/** Shows a record that was just created at the top of its column. */
export async function addCard(board: Board, column: BoardColumn, id: number): Promise<void> {
  const { rpc } = services()
  board.hold(await rpc.read(board.arch.model, [id], board.fieldNames()))
  const item = board.item.peek()
  const value = board.entryOf(id).values.base.peek()[item]
  const own = determinesColumn(item, board.field.peek()) ? (board.column(columnKey(value)) ?? column) : column
  own.ids.base.value = moveId(own.ids.base.peek(), id, 0)
  own.stats.base.value = { ...own.stats.base.peek(), count: own.stats.base.peek().count + 1 }
  own.current.value = id
  announce(t('{card} is in {column} now.', { card: cardTitle(board.arch, board.entryOf(id)), column: own.label }))
  await board.refreshFigures()
}

/** Creates the record behind a new column and adds the column at the end. */
export async function createColumn(board: Board, name: string): Promise<void> {
  const { rpc } = services()
  const field = board.field.peek()
  const model = field?.relation
  if (!field || model === undefined) return
  const last = await lastNumber(model)
  const id = await createRecord(rpc, model, { name, ...(last !== null && { sequence: last + 10 }) })
  board.addColumn({
    key: columnKey(id),
    value: id,
    label: name,
    domain: [[field.name, '=', id]],
    isFolded: false,
    stats: emptyStats(board.arch),
  })
}

/** Highest sequence number; null if the model has none. */
async function lastNumber(model: string): Promise<number | null> {
  try {
    const [last] = await searchRead(services().rpc, model, [], ['sequence'], { order: 'sequence desc', limit: 1 })
    return typeof last?.['sequence'] === 'number' ? last['sequence'] : null
  } catch {
    return null
  }
}
