import type { ListColumn } from '../column/arch.ts'
import { clampWidth, moveColumn } from '../column/columns.ts'
import type { ListView } from '../model/list-view.ts'
import type { ListModel } from '../model/model.ts'

/** Moves a column to the position of another: after it when moving forward, before it when moving backward. */
export function dropColumn(model: ListModel, key: string, target: string): void {
  const keys = model.columns.peek().map((column) => column.key)
  const isForward = keys.indexOf(key) < keys.indexOf(target)
  const before = isForward ? (keys[keys.indexOf(target) + 1] ?? null) : target
  if (key === target) return
  model.preferences.change(moveColumn(model.arch.columns, model.preferences.value.peek(), key, before))
}

const setWidth = (model: ListModel, key: string, width: number): void => {
  const preferences = model.preferences.value.peek()
  model.preferences.change({ ...preferences, widths: { ...preferences.widths, [key]: clampWidth(width) } })
}

export function resizeColumn(event: PointerEvent, cell: HTMLElement, model: ListModel, { key }: ListColumn): void {
  if (event.button !== 0) return
  event.preventDefault()
  const { width } = cell.getBoundingClientRect()
  const isRtl = getComputedStyle(cell).direction === 'rtl'
  const from = event.clientX
  // The heading is draggable; while its edge is dragged to resize, that is switched off.
  cell.draggable = false
  // A press without movement may be part of a double click, which fits the column instead.
  const move = ({ clientX }: PointerEvent) => {
    if (clientX !== from) setWidth(model, key, width + (isRtl ? from - clientX : clientX - from))
  }
  const stop = () => {
    cell.draggable = true
    removeEventListener('pointermove', move)
    removeEventListener('pointerup', stop)
  }
  addEventListener('pointermove', move)
  addEventListener('pointerup', stop)
}

/** Sets the width of a column to that of its widest rendered cell. */
export function fitColumn(cell: HTMLElement, model: ListModel, { key }: ListColumn): void {
  const all = cell
    .closest('.grid')
    ?.querySelectorAll<HTMLElement>(`.gr:not(.group) > [data-col="${cell.dataset['col']}"]`)
  const cells = [...(all ?? [])]
  for (const { style } of cells) style.inlineSize = 'max-content'
  const widest = Math.max(...cells.map((each) => each.getBoundingClientRect().width))
  for (const { style } of cells) style.inlineSize = ''
  setWidth(model, key, Math.ceil(widest))
}

const STEP = 16

/** Shift and an arrow key resize the column of the cursor, Alt and an arrow key move it. */
export function pressInHeader(event: KeyboardEvent, view: ListView): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  const { model } = view
  const at = model.cursor.peek().column - 1
  const columns = model.columns.peek()
  const column = columns[at]
  if (step === undefined || !column || !(event.shiftKey || event.altKey)) return
  event.preventDefault()
  if (event.altKey) {
    const target = columns[at + step]
    if (!target) return
    dropColumn(model, column.key, target.key)
    view.moveTo({ line: -1, column: at + 1 + step })
    return
  }
  const cell = event.target instanceof Element ? event.target.closest('[role="columnheader"]') : null
  if (cell) setWidth(model, column.key, cell.getBoundingClientRect().width + step * STEP)
}
