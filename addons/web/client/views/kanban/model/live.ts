import { batch, type ReadonlySignal, signal } from '@preact/signals'
import { services } from '../../../services.ts'
import { moveId } from '../../../store/positions.ts'
import { searchRead } from '../../../store/queries.ts'
import type { Board } from './board.ts'
import { columnKey, determinesColumn } from './columns.ts'

/**
 * Applies changes of other users to the board. Values change in place; cards that are added, removed or moved are
 * applied later while the user is working on the board.
 */
export interface LiveBoard {
  /** Number of pending cards. */
  readonly waiting: ReadonlySignal<number>
  apply(): void
  stop(): void
}

const MAX_EVENTS = 200

export function followBoard(board: Board, isBusy: () => boolean): LiveBoard {
  const { bus, rpc } = services()
  const { arch } = board
  const moved = new Set<number>()
  const waiting = signal(0)

  /** Reads the records again and moves their cards. Records that are not returned no longer match and are removed. */
  async function look(ids: readonly number[]): Promise<void> {
    const domain = [...board.search.peek().domain, ['id', 'in', ids]]
    const rows = await searchRead(rpc, arch.model, domain, board.fieldNames(), { limit: ids.length })
    const found = new Map(rows.map((row) => [row.id, row]))
    const item = board.item.peek()
    const isKnown = item === '' || determinesColumn(item, board.field.peek())
    board.hold(rows)
    batch(() => {
      for (const id of ids) {
        const row = found.get(id)
        const key = row && isKnown ? columnKey(row[item]) : null
        for (const column of item === '' ? [board.cards] : board.columns.peek()) {
          const known = column.ids.base.peek()
          const isIn = known.includes(id)
          const belongs = row !== undefined && (key === null ? isIn : item === '' || column.key === key)
          if (isIn && !belongs) column.ids.base.value = known.filter((each) => each !== id)
          else if (!isIn && belongs && column.isOpened.peek()) column.ids.base.value = moveId(known, id, 0)
        }
      }
    })
    await board.refreshFigures()
  }

  function apply(): void {
    const ids = [...moved]
    moved.clear()
    waiting.value = 0
    // If the request fails, the next event repeats it.
    if (ids.length > 0) look(ids).catch(() => undefined)
  }

  function heard(events: readonly { readonly model: string; readonly id: number }[]): void {
    for (const { model, id } of events.slice(0, MAX_EVENTS)) if (model === arch.model) moved.add(id)
    if (moved.size === 0) return
    if (isBusy()) waiting.value = moved.size
    else apply()
  }

  const stops = [
    bus.on('record.created', heard),
    bus.on('record.updated', heard),
    bus.on('record.deleted', heard),
    bus.on('resync', () => board.reload()),
  ]
  return {
    waiting,
    apply,
    stop() {
      for (const each of stops) each()
    },
  }
}
