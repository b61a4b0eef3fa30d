import { cellMatrix } from '../../../ui/cell-matrix.ts'
import { enterView } from '../enter-view.ts'

const STOPS = 'a, button'

const stopOf = (cell: HTMLElement | null | undefined): HTMLElement | null => cell?.querySelector(STOPS) ?? null

/** The first link or button that lies in a direction; empty cells are passed over. */
function nextStop(table: HTMLTableElement, from: HTMLElement, down: number, right: number): HTMLElement | null {
  const matrix = cellMatrix(table)
  const own = from.closest<HTMLTableCellElement>('td, th')
  let row = matrix.findIndex((line) => own && line.includes(own))
  if (!own || row < 0) return null
  let column = matrix[row]!.indexOf(own)
  for (;;) {
    row += down
    column += right
    const cell = matrix[row]?.[column]
    if (!cell) return null
    const stop = stopOf(cell)
    if (stop && stop !== from) return stop
  }
}

/** Where a key leads from a link or button of a table; undefined for keys of others, null at the edge. */
function target(table: HTMLTableElement, from: HTMLElement, { key, ctrlKey }: KeyboardEvent) {
  const forward = getComputedStyle(table).direction === 'rtl' ? -1 : 1
  const part = ctrlKey ? table : from.closest('tr')
  const stops = part?.querySelectorAll<HTMLElement>(STOPS) ?? []
  if (key === 'Home') return stops[0]
  if (key === 'End') return stops[stops.length - 1]
  if (ctrlKey) return undefined
  if (key === 'ArrowDown') return nextStop(table, from, 1, 0)
  if (key === 'ArrowUp') return nextStop(table, from, -1, 0)
  if (key === 'ArrowRight') return nextStop(table, from, 0, forward)
  return key === 'ArrowLeft' ? nextStop(table, from, 0, -forward) : undefined
}

/**
 * Arrow keys, Home and End go from cell to cell; the table is one stop of the Tab key, at the cell one was last at. The table of a view
 * is entered with the down arrow when nothing has the focus; a dashboard has several, so its tables are not.
 */
export function bindTableKeys(table: HTMLTableElement): void {
  let current: HTMLElement | null = null
  const settle = () => {
    if (!current || !table.contains(current)) current = stopOf(table.tBodies[0]) ?? stopOf(table)
    for (const stop of table.querySelectorAll<HTMLElement>(STOPS)) {
      const index = stop === current ? 0 : -1
      if (stop.tabIndex !== index) stop.tabIndex = index
    }
  }
  const take = ({ target: focused }: FocusEvent) => {
    const stop = focused instanceof Element ? focused.closest<HTMLElement>(STOPS) : null
    if (!stop || stop === current) return
    if (current) current.tabIndex = -1
    stop.tabIndex = 0
    current = stop
  }
  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.metaKey || event.shiftKey) return
    const from = event.target instanceof Element ? event.target.closest<HTMLElement>(STOPS) : null
    const to = from && target(table, from, event)
    if (to === undefined || !from) return
    event.preventDefault()
    to?.focus()
  }
  const enter = (event: KeyboardEvent) => {
    if (!table.isConnected) document.removeEventListener('keydown', enter)
    else if (event.key === 'ArrowDown' && !event.defaultPrevented && enterView(current)) event.preventDefault()
  }
  if (!table.closest('[data-tile]')) document.addEventListener('keydown', enter)
  table.role = 'grid'
  settle()
  // It ends with the table, like the listeners.
  new MutationObserver(settle).observe(table, { childList: true, subtree: true })
  table.addEventListener('focusin', take)
  table.addEventListener('keydown', press)
}
