import { dayToWall, wallToDay } from '../../../../../../kernel/domain/zone.ts'
import { isEditor } from '../../../core/hotkeys.ts'
import { t } from '../../../core/i18n.ts'
import { announce } from '../../../ui/announce.ts'
import type { Span } from '../../plan/span.ts'
import { shiftSpan } from '../../plan/span.ts'
import { spanText } from '../../plan/span-text.ts'
import { DAY } from '../../plan/wall.ts'
import { enterView } from '../../shared/enter-view.ts'
import type { Calendar } from '../model/calendar.ts'
import { returnLifted, saveLifted } from './drag.ts'
import { SNAP } from './place-at.ts'

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
    const by = stepOf(key, isRtl, verticalStep(root, lifted.span))
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

/** The step of up and down: a quarter of an hour in a grid with hours, a day in an agenda, otherwise a week. */
const verticalStep = (root: HTMLElement, span: Span): number =>
  isAgenda(root) ? DAY : !span.isAllDay && root.querySelector('[data-hours]') ? SNAP : 7 * DAY

const isAgenda = (root: HTMLElement): boolean => root.querySelector('.agenda') !== null

function stepOf(key: string, isRtl: boolean, vertical: number): number | null {
  const forward = isRtl ? -DAY : DAY
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: forward,
    ArrowLeft: -forward,
    ArrowDown: vertical,
    ArrowUp: -vertical,
  }
  return steps[key] ?? null
}

/** Gives the focus to the first record, unless something has it. */
export const enterDays = (root: HTMLElement | null): boolean =>
  enterView(root?.querySelector<HTMLElement>('[data-event]'))

/** Focuses a record once it is drawn where it is now. */
export function focusEvent(root: HTMLElement, id: number): void {
  requestAnimationFrame(() => root.querySelector<HTMLElement>(`[data-event="${id}"]`)?.focus())
}

/** Moves the focus: within a day, then to the same weekday of another week; sideways to the days beside. An agenda is one column. */
function go(root: HTMLElement, target: HTMLElement, key: string, isRtl: boolean): boolean {
  if (isAgenda(root)) {
    const rows = [...root.querySelectorAll<HTMLElement>('[data-event]')]
    const next = rows[rows.indexOf(target) + (key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0)]
    next?.focus()
    return next !== undefined
  }
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
