import { t } from '../../../core/i18n.ts'
import { announce } from '../../../ui/announce.ts'
import { type Span, shiftSpan } from '../../plan/span.ts'
import { spanText } from '../../plan/span-text.ts'
import { enterView } from '../../shared/enter-view.ts'
import { ROW_HEIGHT } from '../chart/rows.tsx'
import type { Gantt } from '../model/gantt.ts'
import { snapOf } from '../model/scale.ts'
import { saveBar } from './save-bar-move.tsx'

/** Gives the focus to the row that the Tab key stops at, unless something has it. */
export const enterRows = (root: HTMLElement | null): boolean =>
  enterView(root?.querySelector<HTMLElement>('[tabindex="0"]'))

/**
 * Keys of the chart: up and down go from row to row, left and right fold groups; M or Space lifts a bar, then arrows move it, with Shift
 * they change its end, Enter puts it down and Escape puts it back.
 */
export function pressOnRows(gantt: Gantt, root: HTMLElement, event: KeyboardEvent): void {
  const { target, key } = event
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLElement))
    return
  const isRtl = getComputedStyle(root).direction === 'rtl'
  const forward = key === (isRtl ? 'ArrowLeft' : 'ArrowRight')
  const backward = key === (isRtl ? 'ArrowRight' : 'ArrowLeft')
  if (gantt.lifted.peek()?.by === 'keys') {
    if (key === 'Tab') stay(gantt)
    else {
      event.preventDefault()
      event.stopPropagation()
      carry(gantt, root, event, forward ? 1 : backward ? -1 : 0)
    }
    return
  }
  const rows = gantt.rows.peek()
  if (!target.closest('[data-key]')) return
  // Not the row of the target: after a fast key before, the focus is still on its way.
  const at = rows.findIndex(({ key: each }) => each === gantt.current.peek())
  const row = rows[at]
  if (!row) return
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[key]
  if (next !== undefined) {
    event.preventDefault()
    focusRow(gantt, root, Math.max(0, Math.min(rows.length - 1, next)))
  } else if (row.kind === 'group' && (forward || backward) && row.isOpen === backward) {
    event.preventDefault()
    gantt.toggle(row)
  } else if (row.kind === 'record' && (key === 'm' || key === ' ') && gantt.arch.mayMove) {
    event.preventDefault()
    gantt.lifted.value = { id: row.id, span: row.span, by: 'keys', isResized: false }
    announce(
      t(
        '{name} is lifted. Arrow keys move it, with Shift they change its end, Enter puts it down, Escape puts it back.',
        {
          name: gantt.titleOf(row.id),
        },
      ),
    )
  }
}

function stay(gantt: Gantt): void {
  const lifted = gantt.lifted.peek()
  gantt.lifted.value = null
  if (lifted) announce(t('{name} stays where it was.', { name: gantt.titleOf(lifted.id) }))
  void gantt.set.refresh([])
}

function carry(gantt: Gantt, root: HTMLElement, { key, shiftKey }: KeyboardEvent, step: number): void {
  const lifted = gantt.lifted.peek()
  if (!lifted) return
  const focus = () => {
    const at = gantt.rows.peek().findIndex((row) => row.kind === 'record' && row.id === lifted.id)
    if (at >= 0) focusRow(gantt, root, at)
  }
  if (key === 'Escape') stay(gantt)
  else if (key === 'Enter' || key === ' ' || key === 'm') void saveBar(gantt)
  else if (step !== 0) {
    const by = step * snapOf(gantt.scale.peek())
    const span = shiftKey ? stretch(lifted.span, by) : shiftSpan(lifted.span, by)
    gantt.lifted.value = { ...lifted, span, isResized: lifted.isResized || shiftKey }
    announce(spanText(span))
  }
  focus()
}

const stretch = (span: Span, by: number): Span => ({
  ...span,
  end: span.end + by > span.start ? span.end + by : span.end,
})

/** Brings a row into the window and focuses its bar or its heading. */
export function focusRow(gantt: Gantt, root: HTMLElement, at: number): void {
  const top = at * ROW_HEIGHT
  const head = root.querySelector<HTMLElement>('.ghead')?.offsetHeight ?? 0
  if (top < root.scrollTop) root.scrollTop = top
  else if (top + ROW_HEIGHT + head > root.scrollTop + root.clientHeight)
    root.scrollTop = top + ROW_HEIGHT + head - root.clientHeight
  const key = gantt.rows.peek()[at]?.key ?? ''
  gantt.current.value = key
  const find = () => root.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"] :is(.gbar, .twist)`)
  // It may only be drawn after the scrolling.
  requestAnimationFrame(() => requestAnimationFrame(() => find()?.focus({ preventScroll: true })))
}
