import { batch, effect, signal } from '@preact/signals'
import { onRecordChanges, type RecordChange } from '../../../net/record-changes.ts'
import { afterNote, isLeaving } from '../../../search/leaving.ts'
import type { LiveUpdates, Update } from '../../../search/updates.tsx'
import { services } from '../../../services.ts'
import { moveId } from '../../../store/positions.ts'
import { searchRead } from '../../../store/queries.ts'
import { valuesOf, writerOf } from '../../../store/records.ts'
import { highlightEnd } from '../../../ui/recent-changes.ts'
import type { MovedAwayPlaces } from '../move/moved-away-places.ts'
import type { Board, BoardColumn } from './board.ts'
import { cardMoves } from './card-moves.ts'
import { columnKey, determinesColumn } from './columns.ts'
import { cardTitle } from './title.ts'

type Change = Pick<RecordChange, 'id' | 'fields' | 'isHidden'> & { readonly kind: string }

/** A card that belongs elsewhere now. */
interface Move {
  readonly id: number
  readonly kind: Update['kind']
  readonly from: readonly BoardColumn[]
  readonly to: BoardColumn | null
}

/**
 * Follows changes to the records of a board. Values change in place and cards move, except in columns the user is working in
 * (`isHeld`): those cards wait until the user shows them. In other columns, cards that leave the board stay for a moment.
 */
export function followBoard(board: Board, isHeld: (column: BoardColumn) => boolean): LiveUpdates & { stop(): void } {
  const { bus, rpc } = services()
  const { arch } = board
  const updates = signal<readonly Update[]>([])
  let isAllDue = false
  let movedAway: MovedAwayPlaces | undefined
  // Loaded also if this user may not move cards, since cards that other users move need it.
  cardMoves.load().catch(() => undefined)
  let stopHighlight = () => {}
  let stopWaiting = () => {}

  const columns = () => (board.item.peek() === '' ? [board.cards] : board.columns.peek())

  const sortFields = () => [
    ...(arch.sequence ? [arch.sequence.name] : []),
    ...(board.order() ?? '').split(',').map((term) => term.trim().split(' ')[0] ?? ''),
  ]

  /** Reads the records again and finds the cards to move. Records that are not returned no longer match. */
  async function findMoves(changes: readonly Change[]): Promise<readonly Move[]> {
    const ids = [...new Set(changes.map(({ id }) => id))]
    const domain = [...board.search.peek().domain, ['id', 'in', ids]]
    const rows = await searchRead(rpc, arch.model, domain, [...board.fieldNames(), 'write_uid'], { limit: ids.length })
    board.hold(rows, true)
    const found = new Map(rows.map((row) => [row.id, row]))
    const item = board.item.peek()
    const isKnown = item === '' || determinesColumn(item, board.field.peek())
    return changes.flatMap(({ id, kind, isHidden, fields = [] }): readonly Move[] => {
      const row = found.get(id)
      const inside = columns().filter((column) => column.ids.base.peek().includes(id))
      // Where the value does not tell the column, cards stay where they are.
      if (row && !isKnown) return []
      const to = row ? (columns().find(({ key }) => item === '' || key === columnKey(row[item])) ?? null) : null
      const from = inside.filter((column) => column !== to)
      const isThere = to === null || inside.includes(to)
      const isSorted = sortFields().some((name) => fields.includes(name))
      if (from.length === 0 && isThere && !isSorted) return []
      const lost = isHidden ? 'hidden' : kind === 'deleted' ? kind : 'gone'
      const told = to ? (inside.length > 0 ? 'moved' : 'new') : lost
      return [{ id, kind: told, from, to }]
    })
  }

  function show(moves: readonly Move[]): void {
    if (moves.length === 0) return
    batch(() => {
      movedAway ??= cardMoves.peek()?.followMovedAway(board, isHeld)
      movedAway?.add(moves)
      for (const { id, from, to } of moves) {
        for (const { ids } of from) ids.base.value = ids.base.peek().filter((each) => each !== id)
        const known = to?.ids.base.peek() ?? []
        if (to?.isOpened.peek() && !known.includes(id)) to.ids.base.value = moveId(known, id, 0)
      }
    })
    highlight(moves.map(({ id }) => id))
    const changed = new Set(moves.flatMap(({ to }) => (to?.isOpened.peek() && to !== board.cards ? [to] : [])))
    for (const column of changed) void board.sortAgain(column)
  }

  function highlight(ids: readonly number[]): void {
    stopHighlight()
    board.moved.value = new Set(ids)
    stopHighlight = highlightEnd(() => {
      board.moved.value = new Set()
    })
  }

  async function look(changes: readonly Change[], isAsked: boolean): Promise<void> {
    const moves = await findMoves(changes)
    const waits = (move: Move) => isLeaving(move) || [...move.from, ...(move.to ? [move.to] : [])].some(isHeld)
    const held = isAsked ? [] : moves.filter(waits)
    show(moves.filter((move) => !held.includes(move)))
    const others = updates.peek().filter((update) => !changes.some(({ id }) => id === update.id))
    updates.value = [...held.map(({ id, kind }) => updateOf(board, id, kind)), ...others]
    stopWaiting()
    if (updates.peek().some(isLeaving))
      stopWaiting = afterNote(() => lookAgain((update) => isLeaving(update) && isFree(update)))
    await board.refreshFigures()
  }

  const isFree = ({ id }: Update) => !columns().some((column) => column.ids.base.peek().includes(id) && isHeld(column))

  /** Applies updates that waited. */
  function lookAgain(isDue: (update: Update) => boolean): void {
    const due = updates.peek().filter(isDue)
    if (due.length === 0) return
    updates.value = updates.peek().filter((update) => !due.includes(update))
    const changes = due.map((update) => ({ ...update, fields: sortFields() }))
    look(changes, true).catch(() => undefined)
  }

  /** Whether the user works in any column, so that changes to the whole board wait. */
  function isAllHeld(): boolean {
    isAllDue ||= columns().some(isHeld)
    if (isAllDue && updates.peek().length === 0) updates.value = [{ ...updateOf(board, 0, 'new'), name: null }]
    return isAllDue
  }

  /** Anything may have changed. */
  async function lookAtAll(): Promise<void> {
    if (isAllHeld()) return
    if (board.item.peek() === '') return board.reload()
    const opened = columns().filter(({ isOpened }) => isOpened.peek())
    await Promise.all([...opened.map(board.sortAgain), board.refreshFigures()])
  }

  const stop = onRecordChanges(bus, [arch.model], (changes) => {
    const others = changes?.filter(({ isOwn }) => !isOwn)
    if (others?.length === 0) return // If the request fails, the next event repeats it.
    ;(others ? look(others, false) : lookAtAll()).catch(() => undefined)
  })
  // Columns are often records too, whose changes affect names and order of columns.
  const stopColumns = effect(() => {
    const target = board.field.value?.relation
    if (target === undefined) return
    return onRecordChanges(bus, [target], (changes) => {
      const isShown = ({ id, kind, isOwn }: RecordChange) => (kind === 'created' ? !isOwn : board.column(String(id)))
      if ((changes === null || changes.some(isShown)) && !isAllHeld()) board.reload()
    })
  })
  return {
    updates,
    apply() {
      if (!isAllDue) return lookAgain(() => true)
      isAllDue = false
      updates.value = []
      board.reload()
    },
    stop() {
      stop()
      stopColumns()
      movedAway?.stop()
      stopHighlight()
      stopWaiting()
    },
  }
}

function updateOf(board: Board, id: number, kind: Update['kind']): Update {
  const entry = board.entryOf(id)
  const by = () => {
    const deleted = entry.deleted.value
    return (deleted ? typeof deleted === 'object' && deleted : writerOf(valuesOf(entry).value)) || null
  }
  return { id, kind, name: cardTitle(board.arch, entry), by, at: Date.now() }
}
