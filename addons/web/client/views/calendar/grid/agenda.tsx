import './agenda.css'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { wallToDay } from '../../../../../../kernel/domain/zone.ts'
import { t } from '../../../core/i18n.ts'
import { valuesOf } from '../../../store/records.ts'
import { classNames } from '../../../ui/class-names.ts'
import { useRecentChanges } from '../../../ui/recent-changes.ts'
import { shownText, titleOf } from '../../plan/arch.ts'
import { hueOfValue } from '../../plan/hues.ts'
import { dayName, formatClock, unitsIn } from '../../plan/periods.ts'
import type { Placed } from '../../plan/placed.ts'
import { DAY, floorDay, wallNow } from '../../plan/wall.ts'
import type { Calendar } from '../model/calendar.ts'
import { inOrder, lastDay } from '../model/lanes.ts'

/** The days that have records, one below the other; while a record is lifted, all days, so that it can go to any. */
export function Agenda({ calendar }: { readonly calendar: Calendar }) {
  const box = useRef<HTMLDivElement>(null)
  const isLifted = calendar.lifted.value !== null
  useKeptInPlace(box, calendar.lifted.value?.id ?? null)
  const { from, to } = calendar.range.value
  const placed = calendar.placed.value.toSorted(inOrder)
  const days = unitsIn('day', from, to).flatMap((day) => {
    const inside = placed.filter(({ span }) => span.start < day + DAY && span.end > day)
    return inside.length === 0 && !isLifted ? [] : [{ day, inside }]
  })
  const today = floorDay(wallNow())
  const isReady = days.length > 0 && !calendar.set.isLoading.value
  useOpenAtToday(box, isReady && today >= from && today < to ? from : null, wallToDay(today))
  return (
    <div class="agenda" data-scroll="agenda" ref={box}>
      {days.length === 0 && <p class="t3">{t('Nothing in this period.')}</p>}
      {days.map(({ day, inside }) => (
        <section key={day} data-day={wallToDay(day)} {...(day === today && { 'aria-current': 'date' as const })}>
          <h3>{dayName(day)}</h3>
          <ul>
            {inside.map((each) => (
              <AgendaRow key={each.id} calendar={calendar} placed={each} day={day} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** A period that has today opens there, or at the nearest day with records; after that it stays where the user scrolls to. */
function useOpenAtToday(box: RefObject<HTMLDivElement | null>, period: number | null, today: string): void {
  const last = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (!box.current || period === null || last.current === period) return
    last.current = period
    const days = [...box.current.querySelectorAll<HTMLElement>('[data-day]')]
    const next = days.find(({ dataset }) => String(dataset['day']) >= today) ?? days.at(-1)
    if (next) box.current.scrollTop += next.getBoundingClientRect().top - box.current.getBoundingClientRect().top
  }, [period])
}

/** Days appear and disappear when a record is lifted and put down; this keeps the record under the pointer. */
function useKeptInPlace(box: RefObject<HTMLDivElement | null>, lifted: number | null): void {
  const last = useRef<number | null>(null)
  const id = lifted ?? last.current
  const find = () => box.current?.querySelector(`[data-event="${id}"]`)?.getBoundingClientRect().top
  const before = last.current === lifted ? undefined : find()
  useLayoutEffect(() => {
    last.current = lifted
    const now = before === undefined ? undefined : find()
    if (box.current && before !== undefined && now !== undefined) box.current.scrollTop += now - before
  }, [lifted])
}

function AgendaRow({
  calendar,
  placed: { id, span },
  day,
}: {
  readonly calendar: Calendar
  readonly placed: Placed
  readonly day: number
}) {
  const { arch } = calendar
  const entry = calendar.set.entryOf(id)
  const values = valuesOf(entry).value
  const isRecent = useRecentChanges(entry).size > 0
  const isLifted = calendar.lifted.value?.id === id
  const hue = hueOfValue(arch.color, arch.color && values[arch.color.name])
  const details = arch.shown.slice(1).flatMap((shown) => shownText(arch, shown, id, values) || [])
  const begins = floorDay(span.start) === day
  const ends = lastDay(span) === day
  const when =
    span.isAllDay || (!begins && !ends)
      ? t('all day')
      : begins && ends
        ? `${formatClock(span.start)} – ${formatClock(span.end)}`
        : begins
          ? t('from {time}', { time: formatClock(span.start) })
          : t('until {time}', { time: formatClock(span.end) })
  return (
    <li class={classNames(isRecent && 'live', isLifted && 'lifted')} {...(hue !== null && { 'data-hue': hue })}>
      <a
        href={calendar.hrefOf(id)}
        draggable={false}
        data-event={id}
        data-focus={`event-${id}`}
        {...(arch.mayMove && { 'aria-keyshortcuts': 'M' })}
      >
        <time>{when}</time>
        <b>{titleOf(arch, id, values)}</b>
        <span class="t3 cut">{details.join(' · ')}</span>
      </a>
    </li>
  )
}
