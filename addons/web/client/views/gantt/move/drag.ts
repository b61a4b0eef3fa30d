import type { RefObject } from 'preact'
import { followPointer } from '../../plan/follow-pointer.ts'
import { type Span, sameSpan, shiftSpan } from '../../plan/span.ts'
import { ROW_HEIGHT } from '../chart/rows.tsx'
import type { Gantt, LiftedBar } from '../model/gantt.ts'
import type { BarGroup, GanttRow } from '../model/rows.ts'
import { snapOf } from '../model/scale.ts'
import { saveBar } from './save-bar-move.tsx'

/** Time of a point, and how much of it a pixel is; positive towards the later side in both writing directions. */
function timeScale(gantt: Gantt, root: HTMLElement) {
  const timeline = root.querySelector<HTMLElement>('.ghead .gt')
  const { left, width } = timeline?.getBoundingClientRect() ?? { left: 0, width: 1 }
  const isRtl = getComputedStyle(root).direction === 'rtl'
  const { from, to } = gantt.range.peek()
  const perPixel = (to - from) / width
  return {
    perPixel: isRtl ? -perPixel : perPixel,
    at: (x: number) => from + (isRtl ? left + width - x : x - left) * perPixel,
  }
}

const snapped = (gantt: Gantt, wall: number): number => {
  const snap = snapOf(gantt.scale.peek())
  return Math.round(wall / snap) * snap
}

const rowAt = (gantt: Gantt, root: HTMLElement, y: number): GanttRow | undefined => {
  const body = root.querySelector('.gbody')?.getBoundingClientRect()
  return body && gantt.rows.peek()[Math.floor((y - body.top) / ROW_HEIGHT)]
}

const groupOf = (row: GanttRow | undefined): BarGroup | null => (row?.kind === 'group' ? row : (row?.group ?? null))

/** A press on the chart: moves, resizes or fills a bar, or marks the span of a new one. */
export function pressOnChart(gantt: Gantt, box: RefObject<HTMLDivElement | null>, down: PointerEvent): void {
  const root = box.current
  const { target } = down
  if (!root || !(target instanceof Element) || gantt.lifted.peek()) return
  const bar = target.closest<HTMLElement>('[data-bar]')
  if (bar)
    dragBar(gantt, root, down, Number(bar.dataset['bar']), target.closest<HTMLElement>('[data-grip]')?.dataset['grip'])
  else if (target.closest('[data-slot]') && gantt.arch.mayCreate) mark(gantt, root, down)
}

function dragBar(gantt: Gantt, root: HTMLElement, down: PointerEvent, id: number, grip: string | undefined): void {
  const row = gantt.rows.peek().find((each) => each.kind === 'record' && each.id === id)
  const { arch } = gantt
  if (row?.kind !== 'record' || (grip !== 'progress' && !arch.mayMove)) return
  const { span: before } = row
  const time = timeScale(gantt, root)
  const show = (next: Partial<LiftedBar>) => {
    const known = gantt.lifted.peek()
    const lifted: LiftedBar = { id, span: before, by: 'pointer', isResized: grip !== undefined, ...next }
    if (
      !known ||
      !sameSpan(known.span, lifted.span) ||
      known.progress !== lifted.progress ||
      known.group !== lifted.group
    )
      gantt.lifted.value = lifted
  }
  const step = (event: PointerEvent): Partial<LiftedBar> => {
    const by = (event.clientX - down.clientX) * time.perPixel
    if (grip === 'progress') {
      const part = (time.at(event.clientX) - before.start) / (before.end - before.start)
      return { progress: Math.round(Math.min(1, Math.max(0, part)) * 20) * 5, isResized: false }
    }
    if (grip === 'start')
      return {
        span: {
          ...before,
          start: Math.min(snapped(gantt, before.start + by), before.end - snapOf(gantt.scale.peek())),
        },
      }
    if (grip === 'end')
      return {
        span: { ...before, end: Math.max(snapped(gantt, before.end + by), before.start + snapOf(gantt.scale.peek())) },
      }
    const over = groupOf(rowAt(gantt, root, event.clientY))
    const isOther = over !== null && over.key !== row.group?.key && Object.keys(over.values).length > 0
    return { span: shiftSpan(before, snapped(gantt, by)), group: isOther ? over : null }
  }
  followPointer(down, {
    onStart: () => show({}),
    onMove: (event) => show(step(event)),
    onEnd: () => void saveBar(gantt),
    onCancel: () => {
      gantt.lifted.value = null
      void gantt.set.refresh([])
    },
  })
}

/** Marks the span of a new record on an empty part of a row. */
function mark(gantt: Gantt, root: HTMLElement, down: PointerEvent): void {
  const row = rowAt(gantt, root, down.clientY)
  if (!row) return
  const time = timeScale(gantt, root)
  const snap = snapOf(gantt.scale.peek())
  const floor = (x: number) => Math.floor(time.at(x) / snap) * snap
  const from = floor(down.clientX)
  let to = from
  const show = (isOpen: boolean) => {
    const isAllDay = gantt.arch.span?.start.type === 'date'
    const span: Span = { start: Math.min(from, to), end: Math.max(from, to) + snap, isAllDay }
    gantt.creating.value = { span, row: row.key, group: groupOf(row), isOpen }
  }
  followPointer(down, {
    onStart: () => show(false),
    onMove({ clientX }) {
      const next = floor(clientX)
      if (next !== to) {
        to = next
        show(false)
      }
    },
    // After the release, which would otherwise close the form that opens now.
    onEnd: () => setTimeout(() => show(true)),
    onCancel: () => {
      gantt.creating.value = null
    },
  })
}
