import { announce, isEditor, nextIndex, t } from '../../sdk.ts'
import type { Board, Column, Slot } from './board.ts'
import { isElsewhere, moveCard } from './moves.ts'
import { titleOf } from './title.ts'

/** What keys do on cards: arrows go from card to card; M or Space lifts one, then arrows carry it, Enter puts it down, Escape back. */
export function pressOnBoard(board: Board, root: HTMLElement, event: KeyboardEvent): void {
  const { target, key } = event
  if (event.defaultPrevented || event.isComposing || isEditor(target) || !(target instanceof HTMLElement)) return
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const link = target.closest<HTMLElement>('[data-card] h3 a')
  const id = Number(link?.closest<HTMLElement>('[data-card]')?.dataset['card'])
  const columnKey = link?.closest<HTMLElement>('[data-column]')?.dataset['column'] ?? ''
  if (!link || !Number.isInteger(id)) return
  const isDone = board.lifted.peek()?.by === 'keys' ? carry(board, root, key) : go(board, root, columnKey, id, key)
  if (isDone) event.preventDefault()
}

function go(board: Board, root: HTMLElement, columnKey: string, id: number, key: string): boolean {
  const column = board.column(columnKey)
  if (!column) return false
  if (key === 'm' || key === ' ') return lift(board, column, id)
  const ids = column.ids.value.peek()
  const step = stepOf(root, key)
  if (board.item.peek() === '') {
    const across = key === 'ArrowDown' || key === 'ArrowUp' ? cardsPerRow(root) * (key === 'ArrowDown' ? 1 : -1) : step
    const next = ids[ids.indexOf(id) + (across ?? 0)]
    if (across === null) return false
    if (next !== undefined) focusCard(root, next)
    return true
  }
  if (step !== null) {
    const beside = neighbour(board, column, step, (each) => !each.isFolded.peek() && each.ids.value.peek().length > 0)
    const theirs = beside?.ids.value.peek() ?? []
    const there = theirs[Math.min(theirs.length - 1, ids.indexOf(id))]
    if (there !== undefined) focusCard(root, there, beside?.key)
    return true
  }
  const at = ids.indexOf(id)
  const next = nextIndex(key, at, ids.length)
  if (next === null) return false
  // A column has ends; only menus go round.
  if (Math.abs(next - at) === 1 || key === 'Home' || key === 'End') focusCard(root, ids[next], column.key)
  return true
}

/** One column or card to the right is forwards, where text runs that way. */
function stepOf(root: HTMLElement, key: string): 1 | -1 | null {
  if (key !== 'ArrowRight' && key !== 'ArrowLeft') return null
  return (key === 'ArrowRight') === (getComputedStyle(root).direction === 'rtl') ? -1 : 1
}

function neighbour(board: Board, column: Column, step: 1 | -1, fits: (column: Column) => boolean): Column | undefined {
  const columns = board.columns.peek()
  for (let at = columns.indexOf(column) + step; columns[at] !== undefined; at += step)
    if (fits(columns[at]!)) return columns[at]
  return undefined
}

const cardsPerRow = (root: HTMLElement): number => {
  const tops = [...root.querySelectorAll<HTMLElement>('[data-card]')].map((card) => card.offsetTop)
  return Math.max(1, tops.filter((top) => top === tops[0]).length)
}

/** Focuses a card once it is drawn where it belongs. */
export function focusCard(root: HTMLElement, id: number | undefined, column?: string): void {
  const inColumn = column === undefined ? '' : `[data-column="${CSS.escape(column)}"] `
  const find = () => root.querySelector<HTMLElement>(`${inColumn}[data-card="${id}"] h3 a`)
  const found = find()
  if (found) found.focus()
  else requestAnimationFrame(() => find()?.focus())
}

function lift(board: Board, column: Column, id: number): boolean {
  if (!board.mayMove.peek() && !board.mayOrder.peek()) return false
  const index = column.ids.value.peek().indexOf(id)
  board.lifted.value = { id, from: column.key, by: 'keys' }
  board.slot.value = { column: column.key, index }
  announce(
    t('{card} is lifted. Arrow keys move it, Enter puts it down, Escape puts it back.', {
      card: titleOf(board.arch, board.entryOf(id)),
    }),
  )
  return true
}

/** Puts a lifted card back where it was. */
export function putBack(board: Board): void {
  const lifted = board.lifted.peek()
  if (lifted?.by !== 'keys') return
  board.lifted.value = null
  board.slot.value = null
  announce(t('{card} stays where it was.', { card: titleOf(board.arch, board.entryOf(lifted.id)) }))
}

/** Other keys do nothing until the card is down, so that none is lost by accident. */
function carry(board: Board, root: HTMLElement, key: string): boolean {
  const lifted = board.lifted.peek()
  const slot = board.slot.peek()
  if (!lifted || !slot) return false
  if (key === 'Escape' || key === 'Tab') {
    putBack(board)
    return key === 'Escape'
  }
  if (key === 'Enter' || key === ' ' || key === 'm') {
    void putDown(board, root, slot)
    return true
  }
  const next = nextSlot(board, root, slot, key)
  if (next) {
    board.slot.value = next
    announceSlot(board, next)
    requestAnimationFrame(() =>
      root.querySelector('.slot, .col.over')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    )
  }
  return true
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
    const index = isHome ? beside.ids.value.peek().indexOf(lifted.id) : Math.min(slot.index, others(beside, lifted.id))
    return { column: beside.key, index }
  }
  if (column.key === lifted.from && !board.mayOrder.peek()) return null
  const last = others(column, lifted.id)
  const at = { ArrowUp: slot.index - 1, ArrowDown: slot.index + 1, Home: 0, End: last }[key]
  return at === undefined || at < 0 || at > last ? null : { column: column.key, index: at }
}

const others = ({ ids }: Column, id: number): number => ids.value.peek().filter((each) => each !== id).length

function announceSlot(board: Board, { column: key, index }: Slot): void {
  const column = board.column(key)
  const lifted = board.lifted.peek()
  if (!column || !lifted) return
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
