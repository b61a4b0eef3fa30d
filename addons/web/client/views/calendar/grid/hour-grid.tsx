import './hour-grid.css'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { wallToDay } from '../../../../../../kernel/domain/zone.ts'
import { classNames } from '../../../ui/class-names.ts'
import { dayName, formatClock, isWeekend } from '../../plan/periods.ts'
import { DAY, floorDay, HOUR, MINUTE, wallNow } from '../../plan/wall.ts'
import type { Calendar } from '../model/calendar.ts'
import { isBar, layOutDay } from '../model/lanes.ts'
import { DayTable } from './day-table.tsx'
import { Event } from './event.tsx'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
/** The first visible hour when a day is opened, with its label, which is half above its line. */
const FIRST_HOUR = 7
const LABEL = 10

/** Days beside each other with their hours; above them records of whole days. */
export function HourGrid({
  calendar,
  from,
  count,
}: {
  readonly calendar: Calendar
  readonly from: number
  readonly count: number
}) {
  const box = useRef<HTMLDivElement>(null)
  const placed = calendar.placed.value
  const timed = placed.filter(({ span }) => !isBar(span))
  const days = Array.from({ length: count }, (_, at) => from + at * DAY)
  const now = useNow()
  useLayoutEffect(() => {
    const hours = box.current?.querySelector<HTMLElement>('.hours')
    if (box.current && hours) box.current.scrollTop = (hours.offsetHeight / 24) * FIRST_HOUR - LABEL
  }, [count])
  return (
    <div class="calscroll" ref={box} data-scroll="hours" tabIndex={-1}>
      <div class="calhead">
        <DayTable
          calendar={calendar}
          rows={[from]}
          count={count}
          placed={placed.filter(({ span }) => isBar(span))}
          isTall
          hasGutter
        />
      </div>
      <div class="hours">
        <div class="gutter" aria-hidden="true">
          {HOURS.map((hour) => (
            <span key={hour}>{hour > 0 && formatClock(hour * HOUR)}</span>
          ))}
        </div>
        {days.map((day) => (
          <section
            key={day}
            class={classNames('hourday', isWeekend(day) && 'we')}
            data-day={wallToDay(day)}
            data-hours
            aria-label={dayName(day)}
          >
            {layOutDay(timed, day).map(({ id, span, from: top, to, column, columns }) => (
              <Event
                key={id}
                calendar={calendar}
                id={id}
                span={span}
                class={classNames('timed', to - top < 45 * MINUTE && 'short')}
                style={{
                  '--top': (top - day) / DAY,
                  '--long': (to - top) / DAY,
                  '--at': column / columns,
                  '--of': 1 / columns,
                }}
                hasEnd={to === span.end}
              />
            ))}
            {floorDay(now) === day && (
              <span class="nowmark" style={{ '--top': (now - day) / DAY }} aria-hidden="true" />
            )}
          </section>
        ))}
      </div>
    </div>
  )
}

/** The time of the clock, kept up to date. */
function useNow(): number {
  const [now, setNow] = useState(wallNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(wallNow()), MINUTE)
    return () => clearInterval(timer)
  }, [])
  return now
}
