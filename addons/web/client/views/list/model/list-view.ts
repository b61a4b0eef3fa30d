import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { isEditor } from '../../../core/hotkeys.ts'
import { services } from '../../../services.ts'
import type { ListColumn } from '../column/arch.ts'
import type { Editing } from '../edit/editing.ts'
import { listParts } from './deferred-parts.ts'
import { lineOfLast } from './last-row.ts'
import { indexAt, type Line, lineAt, lineOfRecord, placeOf } from './layout.ts'
import type { Cursor, ListModel } from './model.ts'

/** The part of the list that is on screen. */
export interface Viewport {
  readonly top: number
  readonly height: number
}

/** A list on the page: the visible part, the cursor, and what keys and clicks do. */
export interface ListView {
  readonly model: ListModel
  readonly editing: Editing
  readonly mayWrite: boolean
  /** The part of the body that is drawn. */
  readonly viewport: Signal<Viewport>
  /** Whether the grid has the keyboard focus: then the cursor's row is drawn even if it is scrolled out of view. */
  readonly isFocused: ReadonlySignal<boolean>
  /** The scrolling element, once it is mounted. */
  attach(scroller: HTMLElement | null): void
  /** Sets the viewport to what the scrolling element shows. */
  measure(): void
  setFocused(isFocused: boolean): void
  /** Brings a line into view. */
  reveal(line: number): void
  /** Puts a line at the top. */
  scrollTo(line: number): void
  /** Starts a new row at the top or bottom, as the view says. */
  beginNew(): void
  moveTo(cursor: Cursor): void
  /** Called after the cursor was drawn. */
  settleFocus(): void
  focusGrid(): void
  /** Moves the cursor to the row from which a record was last opened. */
  comeBack(): void
  /** Toggles the checkbox of a row; with Shift all rows since the last one. */
  choose(line: number, id: number, isRange: boolean): void
  press(event: KeyboardEvent): void
  /** Handles a mouse press in a cell. */
  pointAt(event: MouseEvent): void
  edit(line: number, column: number): boolean
  /** Opens or closes the group of a line. */
  toggle(line: number): void
  /** The first cell of a line that can be edited, or going back the last one. */
  editFirst(line: number, step: 1 | -1): boolean
  discard(id: number): void
  drag(event: PointerEvent, id: number): void
}

/** Heights of the sticky header and footer, which cover rows. */
const edges = (scroller: HTMLElement): number =>
  (scroller.querySelector<HTMLElement>('.gh')?.offsetHeight ?? 0) +
  (scroller.querySelector<HTMLElement>('.gf')?.offsetHeight ?? 0)

export function createListView(model: ListModel, editing: Editing): ListView {
  const viewport = signal<Viewport>({ top: 0, height: 800 })
  const isFocused = signal(false)
  let scroller: HTMLElement | null = null
  let isFocusDue = false
  let isPointing = false
  /** Line a range of rows starts from. */
  let anchor: number | null = null

  const mayWrite = model.workspace.peek().arch.access.write
  const lines = () => model.layout.peek()
  const line = (index: number): Line | null => lineAt(lines(), index)
  const idAt = (index: number): number | null => {
    const found = line(index)
    return found?.kind === 'record' ? (found.list.ids.value.peek()[found.at] ?? null) : null
  }
  const lastColumn = () => model.columns.peek().length
  const pageSize = () => Math.max(1, Math.floor((viewport.peek().height - 64) / model.heights.peek().row) - 1)

  function measure(): void {
    if (!scroller) return
    const { scrollTop, clientHeight } = scroller
    const now = viewport.peek()
    if (now.top !== scrollTop || now.height !== clientHeight) viewport.value = { top: scrollTop, height: clientHeight }
  }

  function reveal(index: number): void {
    if (!scroller || index < 0) return
    const { top, height } = placeOf(lines(), index)
    const room = scroller.clientHeight - edges(scroller)
    if (top < scroller.scrollTop) scroller.scrollTop = top
    else if (top + height > scroller.scrollTop + room) scroller.scrollTop = top + height - room
    measure()
  }

  function moveTo({ line: to, column }: Cursor): void {
    const next = {
      line: Math.max(-1, Math.min(lines().count - 1, to)),
      column: Math.max(0, Math.min(lastColumn() + (to < 0 ? 1 : 0), column)),
    }
    isFocusDue = true
    reveal(next.line)
    // The same cell again: the focus may have been elsewhere.
    model.cursor.value = next
    settleFocus()
  }

  function settleFocus(): void {
    if (!isFocusDue || !scroller) return
    const { line: at, column } = model.cursor.peek()
    const cell = scroller.querySelector<HTMLElement>(`[data-line="${at}"] [data-col="${column}"]`)
    // An editor, or a new row about to be removed, is not focused, since the focus would be lost with it.
    if (!cell || cell.querySelector('.editor') || (cell.closest('.new') && !editing.rows.peek().has(0))) return
    isFocusDue = false
    const target = at < 0 ? (cell.querySelector<HTMLElement>('.sort, input, .btn') ?? cell) : cell
    target.focus({ preventScroll: true })
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  const idsBetween = (a: number, b: number): readonly number[] =>
    Array.from({ length: Math.abs(a - b) + 1 }, (_, step) => idAt(Math.min(a, b) + step)).filter((id) => id !== null)

  function choose(at: number, id: number, isRange: boolean): void {
    const { selection } = model
    if (isRange && anchor !== null) selection.set(idsBetween(anchor, at), true)
    else {
      // When everything matching is selected, deselecting one keeps only the loaded rows selected.
      if (selection.isAll.peek()) selection.only(model.loadedIds())
      selection.toggle(id)
      anchor = at
    }
  }

  /** Shift and an arrow: selects the rows from the start of the range. */
  function stretch(to: number): void {
    const from = model.cursor.peek()
    anchor ??= from.line
    const next = Math.max(0, Math.min(lines().count - 1, to))
    model.selection.only(idsBetween(anchor, next))
    moveTo({ line: next, column: from.column })
  }

  function edit(at: number, column: number): boolean {
    const id = idAt(at)
    const target: ListColumn | undefined = model.columns.peek()[column - 1]
    if (id === null || !target) return false
    const values = editing.rows.peek().get(id)?.record
    const entry = model.entryOf(id)
    const known = entry.values.value.peek()
    const now = values ? { ...known, [target.key]: values.get(target.key) } : known
    if (!editing.mayEdit(target, now, id)) return false
    // The text typed last is not a valid value and must be corrected first.
    if (editing.place.peek()?.row.refused.size) {
      scroller?.querySelector<HTMLElement>('.editor [aria-invalid]')?.focus()
      return true
    }
    reveal(at)
    model.cursor.value = { line: at, column }
    editing.begin(id, target.key)
    return true
  }

  function beginNew(): void {
    editing.beginNew(() => {
      const at = model.newAt.peek() === 'top' ? 0 : lines().count - 1
      model.cursor.value = { line: at, column: 1 }
      reveal(at)
    })
  }

  function editFirst(at: number, step: 1 | -1): boolean {
    const order = model.columns.peek().map((_, index) => index + 1)
    return (step === 1 ? order : order.reverse()).some((column) => edit(at, column))
  }

  function openLine(event: KeyboardEvent, at: number): void {
    const found = line(at)
    if (found?.kind === 'group') model.toggleGroup(found.group, found.path)
    else if (found?.kind === 'more') model.wholeGroups.value = new Set([...model.wholeGroups.peek(), found.path])
    const id = idAt(at)
    if (id === null) return
    const href = model.hrefOf(id)
    if (event.ctrlKey || event.metaKey) window.open(href, '_blank')
    else void services().router.go(href)
  }

  /** The last line, also where the server stopped counting before it. */
  function toEnd(column: number): void {
    const last = () => moveTo({ line: lines().count - 1, column })
    if (model.list.isExact.peek()) last()
    else void model.list.count().then(last)
  }

  /** The line, or the one nearest to it that is on screen. */
  function inView(at: number): number {
    measure()
    const { top } = viewport.peek()
    const first = indexAt(lines(), top + model.heights.peek().row - 1)
    return Math.max(first, Math.min(at, first + pageSize()))
  }

  function focusGrid(): void {
    const { line: at, column } = model.cursor.peek()
    moveTo({ line: Math.max(0, at), column })
  }

  /** Handles a key in the grid; false if the key means nothing here. */
  function act(event: KeyboardEvent): boolean {
    const { line: at, column } = model.cursor.peek()
    const { key, shiftKey } = event
    const isMod = event.ctrlKey || event.metaKey
    const isRtl = scroller !== null && getComputedStyle(scroller).direction === 'rtl'
    const found = line(at)
    switch (key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        const step = key === 'ArrowDown' ? 1 : -1
        const id = idAt(at)
        if (event.altKey) {
          const move = listParts.value?.moveRow
          return id !== null && move?.(model, id, step, (to) => moveTo({ line: to, column })) === true
        }
        if (shiftKey) stretch(at + step)
        else {
          anchor = null
          if (isMod && step === 1) toEnd(column)
          else moveTo({ line: isMod ? 0 : at + step, column })
        }
        return true
      }
      case 'ArrowRight':
      case 'ArrowLeft': {
        if (isMod || event.altKey || (shiftKey && found?.kind !== 'group')) return false
        const step = (key === 'ArrowRight') === isRtl ? -1 : 1
        if (found?.kind === 'group') {
          const isOpen = found.group.isOpen.peek()
          if (shiftKey) model.foldAll(step === 1)
          else if (isOpen === (step === -1)) model.toggleGroup(found.group, found.path)
        } else moveTo({ line: at, column: column + step })
        return true
      }
      case 'Home':
        moveTo(isMod ? { line: 0, column } : { line: at, column: 0 })
        return true
      case 'End':
        if (isMod) toEnd(column)
        else moveTo({ line: at, column: lastColumn() })
        return true
      case 'PageDown':
      case 'PageUp': {
        const to = at + (key === 'PageDown' ? pageSize() : -pageSize())
        if (shiftKey) stretch(to)
        else moveTo({ line: Math.max(0, to), column })
        return true
      }
      case 'Enter':
        openLine(event, at)
        return true
      case ' ': {
        const id = idAt(at)
        if (id !== null) choose(at, id, shiftKey)
        else if (found?.kind === 'group') openLine(event, at)
        return true
      }
      case 'a':
        if (!isMod) return false
        model.selection.set(model.loadedIds(), true)
        return true
      case 'e':
      case 'F2':
        return !isMod && (edit(at, column) || editFirst(at, 1))
      case 'Escape':
        if (!model.selection.isAny.peek()) return false
        model.selection.clear()
        anchor = null
        return true
      default:
        return false
    }
  }

  const view: ListView = {
    model,
    editing,
    mayWrite,
    viewport,
    isFocused,
    attach(element) {
      scroller = element
    },
    measure,
    setFocused(focused) {
      isFocused.value = focused
    },
    reveal,
    scrollTo(index) {
      if (!scroller) return
      scroller.scrollTop = placeOf(lines(), index).top
      measure()
    },
    beginNew,
    moveTo,
    settleFocus,
    focusGrid,
    comeBack() {
      // A press on the header focuses the grid too, but does not move the cursor.
      if (isPointing) return
      const { line: at, column } = model.cursor.peek()
      const back = lineOfLast(model) ?? inView(at)
      if (back < lines().count) moveTo({ line: back, column })
      // The server has not counted that far yet. Nothing is scrolled, since the page restores its position itself.
      else
        void model.list.count().then(() => {
          isFocusDue = true
          model.cursor.value = { line: Math.min(back, lines().count - 1), column }
        })
    },
    choose,
    press(event) {
      if (event.target instanceof Element && event.target.closest('.editor')) {
        listParts.value?.pressInEditor(event, view)
        return
      }
      if (event.defaultPrevented || isEditor(event.target) || event.isComposing) return
      const { target } = event
      // Controls inside the header or a row handle their own keys, except for arrows.
      const isControl = target instanceof Element && target.closest('button, a, input') !== null
      if (isControl && (event.key === 'Enter' || event.key === ' ')) return
      if (act(event)) event.preventDefault()
    },
    pointAt(event) {
      isPointing = true
      requestAnimationFrame(() => {
        isPointing = false
      })
      // Prevents the browser's auto-scroll: a middle click opens the record.
      if (event.button === 1) event.preventDefault()
      if (event.button !== 0 || !(event.target instanceof Element)) return
      const cell = event.target.closest<HTMLElement>('[data-col]')
      const at = Number(cell?.closest<HTMLElement>('[data-line]')?.dataset['line'])
      if (!cell || !Number.isInteger(at) || at < 0 || cell.querySelector('.editor')) return
      anchor ??= at
      if (event.target.closest('button, input')) return
      model.cursor.value = { line: at, column: Number(cell.dataset['col']) }
    },
    edit,
    toggle(at) {
      const found = line(at)
      if (found?.kind === 'group') model.toggleGroup(found.group, found.path)
    },
    editFirst,
    discard(id) {
      const row = editing.rows.peek().get(id)
      if (!row) return
      editing.begin(id, '')
      editing.discard()
    },
    drag: (event, id) =>
      scroller &&
      listParts.value?.dragRow(
        model,
        scroller,
        event,
        id,
        (px) => indexAt(lines(), px),
        (each) => lineOfRecord(lines(), each),
      ),
  }
  return view
}
