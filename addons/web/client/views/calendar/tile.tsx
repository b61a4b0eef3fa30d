import './tile.css'
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks'
import { wallToDay } from '../../../../../kernel/domain/zone.ts'
import { t } from '../../core/i18n.ts'
import type { TileProps } from '../../core/registries.ts'
import { useSearch } from '../../search/query/search-model.ts'
import { valuesOf } from '../../store/records.ts'
import { classNames } from '../../ui/class-names.ts'
import { useRecentChanges } from '../../ui/recent-changes.ts'
import { titleOf } from '../plan/arch.ts'
import { hueOfValue } from '../plan/hues.ts'
import { dayName, formatClock, formatWall, isWeekend, unitsIn } from '../plan/periods.ts'
import type { Placed } from '../plan/placed.ts'
import { DAY, floorDay, wallNow } from '../plan/wall.ts'
import { TileError } from '../shared/tile/tile-body.tsx'
import { TileCut } from '../shared/tile/tile-cut.tsx'
import { Agenda } from './grid/agenda.tsx'
import { type Calendar, createCalendar } from './model/calendar.ts'
import { inOrder } from './model/lanes.ts'

/** Narrower tiles list the days one below the other. */
const WIDE = 5

/** The records of this week, a column per day. */
export function Tile({ workspace, route, title, width }: TileProps) {
  const search = useSearch(workspace, route)
  const weekly = useMemo(() => ({ ...route, state: { ...route.state, scale: 'week' } }), [JSON.stringify(route)])
  const calendar = useMemo(() => {
    const made = createCalendar(workspace)
    made.take(workspace, search, weekly)
    return made
  }, [])
  useLayoutEffect(() => calendar.take(workspace, search, weekly), [workspace, search, weekly])
  useEffect(() => calendar.stop, [])
  const error = calendar.set.error.value
  if (error !== null) return <TileError error={error} onRetry={calendar.set.reload} />
  if (!calendar.arch.span) return <p class="tilenote t3">{t('You may not see the dates of these records.')}</p>
  return (
    <>
      <TileCut when={calendar.set.isCut.value} />
      {width < WIDE ? (
        <div class="tilebody scrolled" aria-busy={calendar.set.isLoading.value}>
          <Agenda calendar={calendar} />
        </div>
      ) : (
        <Week calendar={calendar} title={title} />
      )}
    </>
  )
}

function Week({ calendar, title }: { readonly calendar: Calendar; readonly title: string }) {
  const { from, to } = calendar.range.value
  const placed = calendar.placed.value.toSorted(inOrder)
  const inside = (day: number) => placed.filter(({ span }) => span.start < day + DAY && span.end > day)
  // A weekend is shown if something happens then.
  const days = unitsIn('day', from, to).filter((day) => !isWeekend(day) || inside(day).length > 0)
  const today = floorDay(wallNow())
  return (
    <div
      class="tileweek"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
      tabIndex={0}
      role="region"
      aria-label={t('{title}, scrollable', { title })}
      aria-busy={calendar.set.isLoading.value}
    >
      {days.map((day) => (
        <div key={day} class={classNames('wd', day === today && 'today')} data-day={wallToDay(day)}>
          <h3 aria-label={dayName(day)} {...(day === today && { 'aria-current': 'date' as const })}>
            <span>{formatWall(day, { weekday: 'short' })}</span>
            <span class="tn">{formatWall(day, { day: 'numeric' })}</span>
          </h3>
          {inside(day).map((each) => (
            <WeekEvent key={each.id} calendar={calendar} placed={each} day={day} />
          ))}
        </div>
      ))}
    </div>
  )
}

interface WeekEventProps {
  readonly calendar: Calendar
  readonly placed: Placed
  readonly day: number
}

function WeekEvent({ calendar, placed: { id, span }, day }: WeekEventProps) {
  const { arch } = calendar
  const entry = calendar.set.entryOf(id)
  const values = valuesOf(entry).value
  const hue = hueOfValue(arch.color, arch.color && values[arch.color.name])
  const isRecent = useRecentChanges(entry).size > 0
  const isTimed = !span.isAllDay && floorDay(span.start) === day
  return (
    <a
      class={classNames('wev', isRecent && 'live')}
      href={calendar.hrefOf(id)}
      {...(hue !== null && { 'data-hue': hue })}
    >
      {isTimed && <time>{formatClock(span.start)}</time>}
      <span>{titleOf(arch, id, values)}</span>
    </a>
  )
}
