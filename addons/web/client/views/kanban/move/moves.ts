import { batch } from '@preact/signals'
import { t } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import type { Layered } from '../../../store/layered.ts'
import { runOptimistic } from '../../../store/optimistic.ts'
import { moveId, renumber } from '../../../store/positions.ts'
import { unlinkRecords, writeRecords } from '../../../store/queries.ts'
import { type Values, valuesOf } from '../../../store/records.ts'
import { announce } from '../../../ui/announce.ts'
import { attempt, showError, showToast, undoAction } from '../../../ui/toasts.tsx'
import { offerUndo } from '../../../ui/undo.ts'
import type { Board, BoardColumn, Slot } from '../model/board.ts'
import { valueInColumn } from '../model/column-value.ts'
import { countCard } from '../model/columns.ts'
import { cardTitle } from '../model/title.ts'

/** A change that is shown at once and kept if the server accepted it (`isKept`). */
const keepable =
  <T>(layered: Layered<T>, change: (value: T) => T, isKept: () => boolean) =>
  () => {
    const takeAway = layered.push(change)
    return () => {
      if (isKept()) layered.base.value = change(layered.base.peek())
      takeAway()
    }
  }

const without = (id: number) => (ids: readonly number[]) => ids.filter((each) => each !== id)
const withAt = (id: number, index: number) => (ids: readonly number[]) => moveId(ids, id, index)

/** Whether a slot differs from where the card is: another column, or another position if cards can be ordered. */
export function isElsewhere(board: Board, id: number, from: string, slot: Slot): boolean {
  if (slot.column !== from) return board.mayMove.peek()
  return board.mayOrder.peek() && board.column(from)?.ids.value.peek().indexOf(id) !== slot.index
}

/** Moves a card to a slot. Shown at once; if the server refuses, the move is undone and the reason is shown. */
export async function moveCard(board: Board, id: number, fromKey: string, slot: Slot): Promise<boolean> {
  const from = board.column(fromKey)
  const to = board.column(slot.column)
  const field = board.field.peek()
  if (!from || !to || !isElsewhere(board, id, fromKey, slot)) return false
  const { rpc } = services()
  const { arch } = board
  const entry = board.entryOf(id)
  const values = valuesOf(entry).peek()
  const card = cardTitle(arch, entry)
  const positions = newPositions(board, to, id, slot.index)
  const own: Record<string, unknown> = {}
  const shown: Record<string, unknown> = {}
  if (from !== to && field) {
    const given = valueInColumn(field, board.item.peek(), to, from, values[field.name])
    own[field.name] = given.send
    shown[field.name] = given.show
  }
  const sequence = arch.sequence?.name ?? ''
  const position = positions.get(id)
  if (position !== undefined) own[sequence] = shown[sequence] = position
  const others = [...positions].filter(([other]) => other !== id)

  let isKept = false
  let isBegun = false
  const kept = () => isKept
  const set = (changed: Values) => (known: Values) => ({ ...known, ...changed })
  const changes = [
    ...(from === to
      ? []
      : [
          keepable(from.ids, without(id), kept),
          keepable(from.stats, (stats) => countCard(stats, values, arch, -1), kept),
          keepable(to.stats, (stats) => countCard(stats, values, arch, 1), kept),
        ]),
    keepable(to.ids, withAt(id, slot.index), kept),
    keepable(entry.values, set(shown), kept),
    ...others.map(([other, number]) => keepable(board.entryOf(other).values, set({ [sequence]: number }), kept)),
  ]
  try {
    await runOptimistic(
      changes,
      async () => {
        if (Object.keys(own).length > 0) await inTurn(id, () => writeRecords(rpc, arch.model, [id], own))
        isBegun = true
        for (const [other, number] of others) await writeRecords(rpc, arch.model, [other], { [sequence]: number })
      },
      () => {
        isKept = true
        if (from !== to) leaveOthers(board, id, to)
      },
    )
  } catch (error) {
    showError(error, () => void moveCard(board, id, fromKey, slot))
    announce(t('{card} is back in {column}.', { card, column: from.label }))
    // Part of the new order may have been saved: only a reload shows which.
    if (isBegun) board.reload()
    return false
  }
  announceMove(board, id, to)
  if (from === to) return true
  void refresh(board, [id])
  if (!board.mayOrder.peek()) void board.sortAgain(to)
  return true
}

const turns = new Map<number, Promise<unknown>>()

/** Moves of the same card are sent one after the other, so that the last one wins. */
function inTurn<T>(id: number, send: () => Promise<T>): Promise<T> {
  const before = turns.get(id) ?? Promise.resolve()
  const own = before.then(send, send)
  turns.set(id, own)
  const done = () => turns.get(id) === own && turns.delete(id)
  own.then(done, done)
  return own
}

/** Removes the card from all other columns: an earlier move that was refused may have put it back into one. Cards of a many2many may be in several. */
function leaveOthers(board: Board, id: number, to: BoardColumn): void {
  if (board.field.peek()?.type === 'many2many' && to.value !== null) return
  for (const { ids, key } of board.columns.peek())
    if (key !== to.key && ids.base.peek().includes(id)) ids.base.value = without(id)(ids.base.peek())
}

function announceMove(board: Board, id: number, to: BoardColumn): void {
  const ids = to.ids.base.peek()
  const where = { card: cardTitle(board.arch, board.entryOf(id)), column: to.label }
  announce(
    board.mayOrder.peek()
      ? t('{card} is in {column} now, place {place} of {total}.', {
          ...where,
          place: ids.indexOf(id) + 1,
          total: ids.length,
        })
      : t('{card} is in {column} now.', where),
  )
}

/** The sequence numbers to write for the new order; none if the order is not saved. */
function newPositions(board: Board, to: BoardColumn, id: number, index: number): ReadonlyMap<number, number> {
  const name = board.arch.sequence?.name
  if (name === undefined || !board.mayOrder.peek()) return new Map()
  const order = moveId(to.ids.value.peek(), id, index)
  const numberOf = (each: number) => {
    const number = valuesOf(board.entryOf(each)).peek()[name]
    return typeof number === 'number' ? number : 0
  }
  return renumber(order, new Map(order.map((each) => [each, numberOf(each)])))
}

/** Reloads the records and the totals, since a change can affect other values. */
export async function refresh(board: Board, ids: readonly number[]): Promise<void> {
  const { rpc } = services()
  const [rows] = await Promise.all([
    // A record that is hidden or deleted by now keeps its values.
    rpc.read(board.arch.model, ids, board.fieldNames()).catch(() => []),
    board.refreshFigures(),
  ])
  board.hold(rows)
}

/** Hides a card from its columns until the change is confirmed or undone. */
function hideCard(board: Board, id: number, isKept: () => boolean): readonly (() => () => void)[] {
  const values = valuesOf(board.entryOf(id)).peek()
  return [...board.columns.peek(), board.cards]
    .filter((column) => column.ids.value.peek().includes(id))
    .flatMap((column) => [
      keepable(column.ids, without(id), isKept),
      keepable(column.stats, (stats) => countCard(stats, values, board.arch, -1), isKept),
    ])
}

export async function archiveCard(board: Board, id: number): Promise<void> {
  const { rpc } = services()
  const card = cardTitle(board.arch, board.entryOf(id))
  const before = [...board.columns.peek(), board.cards].map((column) => [column, column.ids.base.peek()] as const)
  let isKept = false
  try {
    await runOptimistic(
      hideCard(board, id, () => isKept),
      () => writeRecords(rpc, board.arch.model, [id], { active: false }),
      () => {
        isKept = true
      },
    )
  } catch (error) {
    return showError(error, () => void archiveCard(board, id))
  }
  void board.refreshFigures()
  const bringBack = async () => {
    await writeRecords(rpc, board.arch.model, [id], { active: true })
    for (const [column, ids] of before) {
      const index = ids.indexOf(id)
      if (index >= 0) column.ids.base.value = moveId(column.ids.base.peek(), id, index)
    }
    await refresh(board, [id])
  }
  showToast({
    level: 'success',
    text: t('{card} is archived.', { card }),
    action: undoAction(() => void attempt(bringBack)),
  })
}

/** Hides the card at once and deletes it after five seconds, unless the user undoes it. */
export function deleteCard(board: Board, id: number): void {
  const hidden = hideCard(board, id, () => false).map((change) => change())
  const show = () => {
    for (const take of hidden) take()
  }
  offerUndo({
    text: t('{card} is deleted.', { card: cardTitle(board.arch, board.entryOf(id)) }),
    undo: show,
    run: (isLeaving) =>
      batch(() => {
        show()
        void removeCard(board, id, isLeaving)
      }),
  })
}

/** Deletes a card, which is hidden meanwhile. */
async function removeCard(board: Board, id: number, isLeaving = false): Promise<void> {
  let isKept = false
  try {
    await runOptimistic(
      hideCard(board, id, () => isKept),
      () => unlinkRecords(services().rpc, board.arch.model, [id], { keepalive: isLeaving }),
      () => {
        isKept = true
      },
    )
    void board.refreshFigures()
  } catch (error) {
    showError(error, () => void removeCard(board, id))
  }
}
