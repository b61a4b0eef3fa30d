import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { LinesArch } from './columns.ts'
import type { LinesModel } from './model.ts'
import { controlsOf } from './row.tsx'
import { savedAs } from './saved-as.ts'
import type { LineKind } from './sections.ts'

export interface EditingOptions {
  readonly model: LinesModel
  readonly arch: LinesArch
  readonly isReadonly: boolean
  readonly isLocked: (row: number) => boolean
}

/**
 * State and keys of editing lines. In a line, Enter goes to the next one and adds one after the last, Tab goes on into
 * the next line, and Escape leaves it. Outside, arrows move, Enter edits and Delete removes.
 */
export function useEditing({ model, arch, isReadonly, isLocked }: EditingOptions) {
  const [row, setRow] = useState<number | null>(null)
  const [focus, setFocus] = useState<string | null>(null)
  const [current, setCurrent] = useState<number | null>(null)
  const grid = useRef<HTMLDivElement>(null)
  /** Field of the control that had the focus last. */
  const field = useRef('first')
  const known = useRef<readonly number[]>([])
  const mayEdit = !isReadonly && arch.editable !== null && arch.mayWrite

  /** Removes a new line that was left without typing anything. */
  const drop = (left: number | null) => left !== null && model.isUntouched(left) && model.drop(left)

  const stop = () => {
    drop(row)
    setRow(null)
  }

  const start = (next: number, field: string) => {
    if (next > 0 && (!mayEdit || isLocked(next))) return
    if (next !== row) drop(row)
    setRow(next)
    setCurrent(next)
    setFocus(null)
    // Focus was reset first, so that starting in the same cell again focuses it again.
    queueMicrotask(() => setFocus(field))
  }

  const add = (kind?: LineKind) => {
    drop(row)
    start(model.add(arch.editable ?? 'bottom', kind), 'first')
  }

  // A save gives a new line its id, and with it another row: editing goes on there.
  const { rows: shown, blank } = model.lines()
  useLayoutEffect(() => {
    const saved = row === null ? null : savedAs(row, known.current, shown)
    // While the saved lines are not read yet, the rows from before the save are needed.
    if (row !== null && saved === null) return
    // A blank row is not saved and gets no id.
    known.current = shown.filter((each) => each !== blank)
    if (saved === null || saved === row) return
    setRow(saved)
    setCurrent(saved)
    setFocus(null)
    if (document.activeElement === document.body) queueMicrotask(() => setFocus(field.current))
  })

  useEffect(() => {
    if (row === null) return
    const leave = ({ target }: Event) => {
      if (!(target instanceof Element) || !target.isConnected) return
      if (grid.current?.contains(target))
        field.current = target.closest<HTMLElement>('[data-field]')?.dataset['field'] ?? 'first'
      const layer = target.closest('dialog, [popover]')
      // Popovers and dialogs opened from the list count as part of it; the dialog that contains the list does not.
      if (grid.current?.contains(target) || (layer && !layer.contains(grid.current))) return
      // The button that adds a line ends this edit itself: if an empty line disappeared first, the button would move away under the pointer.
      if (target.closest('.addbar')?.parentElement?.contains(grid.current)) return
      stop()
    }
    document.addEventListener('pointerdown', leave)
    document.addEventListener('focusin', leave)
    return () => {
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('focusin', leave)
    }
  })

  const focusRow = (wanted: number | undefined) => {
    if (wanted === undefined) return
    setCurrent(wanted)
    requestAnimationFrame(() => grid.current?.querySelector<HTMLElement>(`[data-line="${wanted}"]`)?.focus())
  }

  /** Removes a row. The focus goes to its neighbour; after the last row, to what adds one. */
  const remove = (gone: number) => {
    const { rows } = model.lines()
    const at = rows.indexOf(gone)
    stop()
    model.drop(gone)
    if (rows.length > 1) focusRow(rows[at + 1] ?? rows[at - 1])
    else grid.current?.closest('.lines')?.querySelector<HTMLElement>('.addbar :is(button, input)')?.focus()
  }

  function pressInEditor(event: KeyboardEvent, element: HTMLElement, at: number): void {
    const { rows } = model.lines()
    const target = event.target instanceof HTMLElement ? event.target : null
    const isLast = at === rows.length - 1
    const editNextRow = (field: string) => {
      event.preventDefault()
      const next = rows.find((each, index) => index > at && !isLocked(each))
      if (next !== undefined) start(next, field)
      else if (arch.mayCreate && row !== null && !model.isUntouched(row)) add()
    }
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      const left = row !== null && model.isUntouched(row) ? rows[at - 1] : (row ?? undefined)
      stop()
      focusRow(left)
    } else if (event.key === 'Enter' && !event.shiftKey && target?.tagName !== 'BUTTON' && target?.tagName !== 'A') {
      editNextRow(isLast ? 'first' : (target?.closest<HTMLElement>('[data-field]')?.dataset['field'] ?? 'first'))
    } else if (event.key === 'Tab') {
      const controls = controlsOf(element)
      if (!event.shiftKey && target === controls.at(-1)) {
        // From an untouched last line, Tab leaves the list.
        if (!isLast || (row !== null && !model.isUntouched(row) && arch.mayCreate)) editNextRow('first')
      } else if (event.shiftKey && target === controls[0]) {
        const before = rows.findLast((each, index) => index < at && !isLocked(each))
        if (before === undefined) return
        event.preventDefault()
        start(before, 'last')
      }
    }
  }

  function press(event: KeyboardEvent): void {
    const element = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-line]') : null
    if (!element || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    const { rows } = model.lines()
    const own = Number(element.dataset['line'])
    const at = rows.indexOf(own)
    if (own === row) {
      pressInEditor(event, element, at)
      return
    }
    if (event.target !== element) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      focusRow(rows[at + (event.key === 'ArrowDown' ? 1 : -1)])
    } else if ((event.key === 'Enter' || event.key === 'F2') && mayEdit) {
      event.preventDefault()
      start(own, 'first')
    } else if (event.key === 'Enter') {
      element.querySelector<HTMLElement>('a[href]')?.click()
    } else if (event.key === 'Delete' && !isReadonly && arch.mayDelete && !isLocked(own)) {
      event.preventDefault()
      remove(own)
    }
  }

  return {
    grid,
    row,
    focus,
    start,
    add,
    remove,
    press,
    /** The row in the tab order; all others are reached by the arrow keys. */
    tabRow: (rows: readonly number[]): number | undefined =>
      current !== null && rows.includes(current) ? current : rows[0],
  }
}
