import { isFocusNowhere } from '../../../core/hotkeys.ts'
import { t } from '../../../core/i18n.ts'
import { announce } from '../../../ui/announce.ts'
import type { Board, BoardColumn, Slot } from '../model/board.ts'
import { cardTitle } from '../model/title.ts'
import { focusCard, neighbour, stepOf } from './keys.ts'
import { isElsewhere, moveCard } from './moves.ts'

/** Lifts a card by keyboard. */
export function lift(board: Board, column: BoardColumn, id: number): void {
  const index = column.ids.value.peek().indexOf(id)
  board.lifted.value = { id, from: column.key, by: 'keys' }
  board.slot.value = { column: column.key, index }
  announce(
    t('{card} is lifted. Arrow keys move it, Enter puts it down, Escape puts it back.', {
      card: cardTitle(board.arch, board.entryOf(id)),
    }),
  )
}

/** Puts a lifted card back where it was. */
export function putBack(board: Board): void {
  const lifted = board.lifted.peek()
  if (lifted?.by !== 'keys') return
  board.lifted.value = null
  board.slot.value = null
  announce(t('{card} stays where it was.', { card: cardTitle(board.arch, board.entryOf(lifted.id)) }))
}

/** What a key does to a lifted card. */
export function moveLifted(board: Board, root: HTMLElement, key: string): void {
  const lifted = board.lifted.peek()
  const slot = board.slot.peek()
  if (!lifted || !slot) return
  if (key === 'Escape' || key === 'Tab') putBack(board)
  else if (key === 'Enter' || key === ' ' || key === 'm') void putDown(board, root, slot)
  else carryOn(board, root, slot, key)
}

function carryOn(board: Board, root: HTMLElement, slot: Slot, key: string): void {
  const next = nextSlot(board, root, slot, key)
  if (!next) return
  board.slot.value = next
  announceSlot(board, next)
  requestAnimationFrame(() =>
    root.querySelector('.slot, .col.over')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
  )
}

function nextSlot(board: Board, root: HTMLElement, slot: Slot, key: string): Slot | null {
  const column = board.column(slot.column)
  const lifted = board.lifted.peek()
  if (!column || !lifted) return null
  const step = stepOf(root, key)
  if (step !== null) {
    if (!board.mayMove.peek()) return null
    const beside = neighbour(board, column, step, () => true)
    if (!beside) return null
    const isHome = beside.key === lifted.from && !board.mayOrder.peek()
    const index = isHome
      ? beside.ids.value.peek().indexOf(lifted.id)
      : board.mayOrder.peek()
        ? Math.min(slot.index, others(beside, lifted.id))
        : 0
    return { column: beside.key, index }
  }
  if (!board.mayOrder.peek()) return null
  const last = others(column, lifted.id)
  const at = { ArrowUp: slot.index - 1, ArrowDown: slot.index + 1, Home: 0, End: last }[key]
  return at === undefined || at < 0 || at > last ? null : { column: column.key, index: at }
}

const others = ({ ids }: BoardColumn, id: number): number => ids.value.peek().filter((each) => each !== id).length

function announceSlot(board: Board, { column: key, index }: Slot): void {
  const column = board.column(key)
  const lifted = board.lifted.peek()
  if (!column || !lifted) return
  if (!board.mayOrder.peek()) {
    announce(t('Column {column}', { column: column.label }))
    return
  }
  const place = index + 1
  const total = others(column, lifted.id) + 1
  announce(t('{column}, place {place} of {total}.', { column: column.label, place, total }))
}

async function putDown(board: Board, root: HTMLElement, slot: Slot): Promise<void> {
  const lifted = board.lifted.peek()
  if (!lifted) return
  if (!isElsewhere(board, lifted.id, lifted.from, slot)) return putBack(board)
  board.lifted.value = null
  board.slot.value = null
  const isDown = moveCard(board, lifted.id, lifted.from, slot)
  requestAnimationFrame(() => focusCard(root, lifted.id, slot.column))
  if (!(await isDown)) requestAnimationFrame(() => focusCard(root, lifted.id, lifted.from))
}

/** Goes to the first further card of a column if the button that asked for it has gone with the last ones. */
export function keepFocus({ ids, key }: BoardColumn, at: number): void {
  requestAnimationFrame(() => {
    if (isFocusNowhere()) focusCard(document.body, ids.value.peek()[at], key)
  })
}
