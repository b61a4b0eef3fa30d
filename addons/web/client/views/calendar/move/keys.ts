import { dayToWall, wallToDay } from '../../../../../../kernel/domain/zone.ts'
import { isEditor } from '../../../core/hotkeys.ts'
import { t } from '../../../core/i18n.ts'
import { announce } from '../../../ui/announce.ts'
import type { Span } from '../../plan/span.ts'
import { shiftSpan } from '../../plan/span.ts'
import { spanText } from '../../plan/span-text.ts'
import { DAY } from '../../plan/wall.ts'
import type { Calendar } from '../model/calendar.ts'
import { returnLifted, saveLifted } from './drag.ts'
import { SNAP } from './place-at.ts'

/** Days or quarters of an hour that an arrow key means. */
type Arrow = readonly [days: number, quarters: number]

/**
 * Keys of the grid: arrows go from day to day and from record to record; M or Space lifts a record, then arrows move it, with Shift they
 * change its end, Enter puts it down and Escape puts it back. `show` brings a day into view.
 */
export function pressOnDays(
  calendar: Calendar,
  root: HTMLElement,
  event: KeyboardEvent,
  show: (day: number) => void,
): void {
  const { target, key } = event
  if (event.defaultPrevented || event.isComposing || isEditor(target) || !(target instanceof HTMLElement)) return
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const isRtl = getComputedStyle(root).direction === 'rtl'
  if (calendar.lifted.peek()?.by === 'keys') {
    if (key === 'Tab') returnLifted(calendar)
    else {
      event.preventDefault()
      event.stopPropagation()
      moveLifted(calendar, root, event, isRtl, show)
    }
    return
  }
  const id = Number(target.closest<HTMLElement>('[data-event]')?.dataset['event'])
  if ((key === 'm' || key === ' ') && id > 0 && calendar.arch.mayMove) {
    event.preventDefault()
    lift(calendar, id)
  } else if (key.startsWith('Arrow') && go(root, target, key, isRtl)) event.preventDefault()
}

function lift(calendar: Calendar, id: number): void {
  const placed = calendar.placed.peek().find((each) => each.id === id)
  if (!placed) return
  calendar.lifted.value = { ...placed, by: 'keys', isResized: false }
  const hint = calendar.arch.mayResize
    ? t(
        '{name} is lifted. Arrow keys move it, with Shift they change its end, Enter puts it down, Escape puts it back.',
        {
          name: calendar.titleOf(id),
        },
      )
    : t('{name} is lifted. Arrow keys move it, Enter puts it down, Escape puts it back.', {
        name: calendar.titleOf(id),
      })
  announce(hint)
}

function moveLifted(
  calendar: Calendar,
  root: HTMLElement,
  { key, shiftKey }: KeyboardEvent,
  isRtl: boolean,
  show: (day: number) => void,
): void {
  const lifted = calendar.lifted.peek()
  if (!lifted) return
  if (key === 'Escape') {
    returnLifted(calendar)
    announce(t('{name} stays where it was.', { name: calendar.titleOf(lifted.id) }))
    focusEvent(root, lifted.id)
  } else if (key === 'Enter' || key === ' ' || key === 'm') {
    void saveLifted(calendar)
    focusEvent(root, lifted.id)
  } else {
    const by = stepOf(key, isRtl, !lifted.span.isAllDay && root.querySelector('[data-hours]') !== null)
    if (by === null || (shiftKey && !calendar.arch.mayResize)) return
    const span = shiftKey ? stretch(lifted.span, by) : shiftSpan(lifted.span, by)
    calendar.lifted.value = { ...lifted, span, isResized: lifted.isResized || shiftKey }
    announce(spanText(span))
    show(span.start)
    focusEvent(root, lifted.id)
  }
}

const stretch = (span: Span, by: number): Span => ({
  ...span,
  end: span.end + by > span.start ? span.end + by : span.end,
})

/** In a grid with hours, up and down are a quarter of an hour; otherwise they are a week. */
function stepOf(key: string, isRtl: boolean, hasHours: boolean): number | null {
  const forward = isRtl ? -1 : 1
  const steps: Readonly<Record<string, Arrow>> = {
    ArrowRight: [forward, 0],
    ArrowLeft: [-forward, 0],
    ArrowDown: hasHours ? [0, 1] : [7, 0],
    ArrowUp: hasHours ? [0, -1] : [-7, 0],
  }
  const [days, quarters] = steps[key] ?? [0, 0]
  return days === 0 && quarters === 0 ? null : days * DAY + quarters * SNAP
}

/** Focuses a record once it is drawn where it is now. */
export function focusEvent(root: HTMLElement, id: number): void {
  requestAnimationFrame(() => root.querySelector<HTMLElement>(`[data-event="${id}"]`)?.focus())
}

/** Moves the focus: within a day, then to the same weekday of another week; sideways to the days beside. */
function go(root: HTMLElement, target: HTMLElement, key: string, isRtl: boolean): boolean {
  const cell = target.closest<HTMLElement>('[data-day]')
  if (!cell) return false
  const day = dayToWall(cell.dataset['day'] ?? '')
  const inside = focusables(root, day)
  const at = inside.indexOf(target)
  const isVertical = key === 'ArrowDown' || key === 'ArrowUp'
  const down = key === 'ArrowDown' ? 1 : -1
  const beside = isVertical ? inside[at + down] : undefined
  const sideways = (key === 'ArrowRight') === isRtl ? -1 : 1
  const there = focusables(root, day + (isVertical ? down * 7 : sideways) * DAY)
  const next = beside ?? (isVertical && down < 0 ? there.at(-1) : there[0])
  next?.focus()
  return next !== undefined
}

const focusables = (root: HTMLElement, day: number): readonly HTMLElement[] =>
  [...root.querySelectorAll<HTMLElement>(`[data-day="${wallToDay(day)}"]`)].flatMap((cell) => [
    ...cell.querySelectorAll<HTMLElement>('a, button'),
  ])
