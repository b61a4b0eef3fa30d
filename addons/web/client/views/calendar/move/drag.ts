import { batch } from '@preact/signals'
import { t } from '../../../core/i18n.ts'
import { valuesOf } from '../../../store/records.ts'
import { followPointer } from '../../plan/follow-pointer.ts'
import { changeRecords } from '../../plan/reschedule.ts'
import { type Span, sameSpan, writeSpan } from '../../plan/span.ts'
import { spanText } from '../../plan/span-text.ts'
import type { Calendar } from '../model/calendar.ts'
import { type GridPlace, movedSpan, newSpan, placeAt, resizedSpan } from './place-at.ts'

/** A press on the grid: moves or resizes a record, or marks the span of a new one. */
export function pressOnGrid(calendar: Calendar, root: HTMLElement, down: PointerEvent): void {
  const { target } = down
  const from = placeAt(root, down.clientX, down.clientY)
  if (!(target instanceof Element) || !from || calendar.lifted.peek()) return
  const element = target.closest<HTMLElement>('[data-event]')
  const id = Number(element?.dataset['event'])
  const placed = calendar.placed.peek().find((each) => each.id === id)
  if (element && placed) {
    const isResized = target.closest('[data-resize]') !== null
    if (isResized ? calendar.arch.mayResize : calendar.arch.mayMove)
      drag(calendar, root, down, placed.id, placed.span, from, isResized)
  } else if (calendar.arch.mayCreate && target.closest('a, button') === null) mark(calendar, root, down, from)
}

function drag(
  calendar: Calendar,
  root: HTMLElement,
  down: PointerEvent,
  id: number,
  before: Span,
  from: GridPlace,
  isResized: boolean,
): void {
  const show = (span: Span) => {
    const shown = calendar.lifted.peek()
    if (!shown || !sameSpan(shown.span, span)) calendar.lifted.value = { id, span, by: 'pointer', isResized }
  }
  followPointer(down, {
    onStart: () => show(before),
    onMove({ clientX, clientY }) {
      const to = placeAt(root, clientX, clientY)
      if (to) show(isResized ? resizedSpan(before, to) : movedSpan(calendar.arch, before, from, to))
    },
    onEnd: () => void saveLifted(calendar),
    onCancel: () => returnLifted(calendar),
  })
}

/** Marks the span of a new record by dragging over empty days or hours. */
function mark(calendar: Calendar, root: HTMLElement, down: PointerEvent, from: GridPlace): void {
  let to = from
  const show = (isOpen: boolean) => {
    calendar.creating.value = { span: newSpan(calendar.arch, from, to), root, isOpen }
  }
  followPointer(down, {
    onStart: () => show(false),
    onMove({ clientX, clientY }) {
      const place = placeAt(root, clientX, clientY)
      if (!place || place.hasTime !== from.hasTime || place.wall === to.wall) return
      to = place
      show(false)
    },
    // After the release, which would otherwise close the form that opens now.
    onEnd: () => setTimeout(() => show(true)),
    onCancel: () => {
      calendar.creating.value = null
    },
  })
}

/** A click on an empty day or hour. */
export function clickOnGrid(calendar: Calendar, root: HTMLElement, { clientX, clientY, target }: MouseEvent): void {
  const place = placeAt(root, clientX, clientY)
  if (!place || !calendar.arch.mayCreate || !(target instanceof Element) || target.closest('a, button')) return
  calendar.creating.value = { span: newSpan(calendar.arch, place, place), root, isOpen: true }
}

/** Leaves a lifted record where it is shown, and saves that. */
export async function saveLifted(calendar: Calendar): Promise<boolean> {
  const { arch, set } = calendar
  const lifted = calendar.lifted.peek()
  if (!lifted || !arch.span) return false
  const entry = set.entryOf(lifted.id)
  const values = valuesOf(entry).peek()
  const wanted = writeSpan(lifted.span, arch.span, values, lifted.isResized)
  if (Object.entries(wanted).every(([name, value]) => values[name] === value)) {
    returnLifted(calendar)
    return false
  }
  const text = t('{name}: {when}', { name: calendar.titleOf(lifted.id), when: spanText(lifted.span) })
  let saved: Promise<boolean> = Promise.resolve(false)
  batch(() => {
    calendar.lifted.value = null
    saved = changeRecords(set, [{ entry, values: wanted }], text)
  })
  return saved
}

export function returnLifted(calendar: Calendar): void {
  calendar.lifted.value = null
  // Loads changes that other users made during the drag.
  void calendar.set.refresh([])
}
