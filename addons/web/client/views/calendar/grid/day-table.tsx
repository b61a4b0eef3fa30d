import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { wallToDay } from '../../../../../../kernel/domain/zone.ts'
import { t } from '../../../core/i18n.ts'
import { changeRoute, formatRoute } from '../../../router/codec.ts'
import { services } from '../../../services.ts'
import { classNames } from '../../../ui/class-names.ts'
import { dayName, formatWall, isWeekend } from '../../plan/periods.ts'
import type { Placed } from '../../plan/placed.ts'
import { DAY, floorDay, wallNow } from '../../plan/wall.ts'
import type { Calendar } from '../model/calendar.ts'
import { type FittedRow, fitRow, layOutRow } from '../model/lanes.ts'
import { Event } from './event.tsx'
import { MoreButton } from './more.tsx'

interface DayTableProps {
  readonly calendar: Calendar
  /** First day of each row. */
  readonly rows: readonly number[]
  /** Days of a row. */
  readonly count: number
  readonly placed: readonly Placed[]
  /** Whether a row is as high as its records need, instead of sharing the height of the window. */
  readonly isTall: boolean
  /** Whether there are hours beside it. */
  readonly hasGutter?: boolean
}

/** Height of a line in a cell, and of the number above them. */
const LINE = 25
const NUMBER = 32

/** Days in rows, each with its records; those of several days are bars. */
export function DayTable({ calendar, rows, count, placed, isTall, hasGutter = false }: DayTableProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  const lanes = useLanes(body, rows.length, isTall)
  const isMonth = rows.length > 1
  const month = wallToDay(calendar.date.value).slice(0, 7)
  const [first = 0] = rows
  const days = Array.from({ length: count }, (_, at) => first + at * DAY)
  return (
    <table class={classNames('cal', isTall && 'tall')} aria-label={t('Days')}>
      <thead>
        <tr>
          {hasGutter && <td class="gutter" />}
          {days.map((day) => (
            <th key={day} scope="col" abbr={formatWall(day, { weekday: 'long' })} {...(!isMonth && nowOf(day))}>
              {formatWall(day, { weekday: 'short' })}
              {!isMonth && (
                <>
                  {' '}
                  <b>{formatWall(day, { day: 'numeric' })}</b>
                </>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.map((from) => {
          const row = fitRow(layOutRow(placed, from, count), count, lanes)
          return (
            <tr key={from}>
              {hasGutter && <td class="gutter t3">{t('all day')}</td>}
              {days.map((_, at) => (
                <DayCell key={at} {...{ calendar, row, at, month, isMonth }} day={from + at * DAY} />
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const isToday = (day: number): boolean => day === floorDay(wallNow())
const nowOf = (day: number) => isToday(day) && { 'aria-current': 'date' as const }

interface DayCellProps {
  readonly calendar: Calendar
  readonly row: FittedRow
  /** Place in the row. */
  readonly at: number
  readonly day: number
  readonly month: string
  readonly isMonth: boolean
}

function DayCell({ calendar, row, at, day, month, isMonth }: DayCellProps) {
  const touching = row.shown.filter(({ first, days }) => first <= at && at < first + days)
  const lanes = Math.max(-1, ...touching.map(({ lane }) => lane)) + 1
  const hidden = row.hidden[at] ?? 0
  const text = wallToDay(day)
  const isFirst = text.endsWith('-01')
  return (
    <td
      class={classNames(
        isMonth && text.slice(0, 7) !== month && 'out',
        isWeekend(day) && 'we',
        isToday(day) && 'today',
      )}
      data-day={text}
      {...nowOf(day)}
    >
      {isMonth && (
        <div class="dn">
          <a
            href={formatRoute(changeRoute(services().router.route.peek(), {}, { scale: 'day', date: text }))}
            data-focus={`day-${text}`}
            aria-label={formatWall(day, { weekday: 'long', day: 'numeric', month: 'short' })}
          >
            {isFirst ? dayName(day, 'short') : formatWall(day, { day: 'numeric' })}
          </a>
        </div>
      )}
      {Array.from({ length: lanes }, (_, lane) => {
        const item = touching.find((each) => each.lane === lane)
        // A bar is drawn in the cell it begins in; the others keep its lane free.
        if (!item || item.first < at) return <span key={lane} class="cev gap" aria-hidden="true" />
        return (
          <Event
            key={`e${item.id}`}
            calendar={calendar}
            id={item.id}
            span={item.span}
            class={classNames(item.isContinued && 'from', item.isContinuing && 'on')}
            style={{ '--span': item.days }}
            hasEnd={!item.isContinuing}
          />
        )
      })}
      {hidden > 0 && <MoreButton calendar={calendar} day={day} hidden={hidden} />}
    </td>
  )
}

/** How many lines fit into a cell; all of them in a tall row. */
function useLanes(body: { readonly current: HTMLElement | null }, rows: number, isTall: boolean): number {
  const [lanes, setLanes] = useState(isTall ? Number.POSITIVE_INFINITY : 3)
  useLayoutEffect(() => {
    const element = body.current?.closest<HTMLElement>('.calwrap')
    if (isTall || !element) return setLanes(Number.POSITIVE_INFINITY)
    const measure = () => setLanes(Math.max(1, Math.floor(((element.clientHeight - 28) / rows - NUMBER - 4) / LINE)))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [rows, isTall])
  return lanes
}
