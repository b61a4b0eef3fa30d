import { isEditor } from '../../../core/hotkeys.ts'
import { nextIndex } from '../../../ui/menu.tsx'
import type { Board, BoardColumn } from '../model/board.ts'
import { cardMoves } from '../model/card-moves.ts'

/** Keys on cards: arrows move between cards; M or Space lifts a card, then arrows move it, Enter drops it, Escape returns it. */
export function pressOnBoard(board: Board, root: HTMLElement, event: KeyboardEvent): void {
  const { target, key } = event
  if (event.defaultPrevented || event.isComposing || isEditor(target) || !(target instanceof HTMLElement)) return
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const link = target.closest<HTMLElement>('[data-card] h3 a')
  const id = Number(link?.closest<HTMLElement>('[data-card]')?.dataset['card'])
  const columnKey = link?.closest<HTMLElement>('[data-column]')?.dataset['column'] ?? ''
  if (!link || !Number.isInteger(id)) return
  if (board.lifted.peek()?.by === 'keys') {
    // Other keys do nothing while a card is lifted.
    if (key !== 'Tab') event.preventDefault()
    void cardMoves.load().then(({ moveLifted }) => moveLifted(board, root, key))
  } else if (go(board, root, columnKey, id, key)) event.preventDefault()
}

function go(board: Board, root: HTMLElement, columnKey: string, id: number, key: string): boolean {
  const column = board.column(columnKey)
  if (!column) return false
  if (key === 'm' || key === ' ') {
    if (!root.querySelector(`[data-card="${id}"].movable`)) return false
    void cardMoves.load().then(({ lift }) => lift(board, column, id))
    return true
  }
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
  // Stops at the ends of a column, unlike menus, which wrap around.
  if (Math.abs(next - at) === 1 || key === 'Home' || key === 'End') focusCard(root, ids[next], column.key)
  return true
}

/** Right is forward in left-to-right languages. */
export function stepOf(root: HTMLElement, key: string): 1 | -1 | null {
  if (key !== 'ArrowRight' && key !== 'ArrowLeft') return null
  return (key === 'ArrowRight') === (getComputedStyle(root).direction === 'rtl') ? -1 : 1
}

export function neighbour(
  board: Board,
  column: BoardColumn,
  step: 1 | -1,
  fits: (column: BoardColumn) => boolean,
): BoardColumn | undefined {
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
