import { wallToDay } from '../../../../../kernel/domain/zone.ts'
import { t } from '../../core/i18n.ts'
import { changeRoute, formatRoute, type Route } from '../../router/codec.ts'
import { classNames } from '../../ui/class-names.ts'
import { dayName, formatWall, unitsIn } from '../plan/periods.ts'
import { DAY, floorDay, wallNow } from '../plan/wall.ts'
import type { Calendar } from './model/calendar.ts'
import { rangeOf } from './model/range.ts'

/** The month around the chosen day; each day is a link to it. */
export function MiniMonth({ calendar, route }: { readonly calendar: Calendar; readonly route: Route }) {
  const date = calendar.date.value
  const { from, to } = rangeOf('month', date)
  const shown = calendar.range.value
  const days = Array.from({ length: 7 }, (_, at) => from + at * DAY)
  const today = floorDay(wallNow())
  const month = wallToDay(date).slice(0, 7)
  return (
    <table class="mini" aria-label={t('Pick a date')}>
      <thead>
        <tr>
          {days.map((day) => (
            <th key={day} scope="col" abbr={formatWall(day, { weekday: 'long' })}>
              {formatWall(day, { weekday: 'narrow' })}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {unitsIn('week', from, to).map((week) => (
          <tr key={week}>
            {days.map((_, at) => {
              const day = week + at * DAY
              const text = wallToDay(day)
              const isShown =
                calendar.scale.value !== 'month' &&
                calendar.scale.value !== 'agenda' &&
                shown.from <= day &&
                day < shown.to
              return (
                <td key={at}>
                  <a
                    href={formatRoute(changeRoute(route, {}, { date: text }))}
                    class={classNames(text.slice(0, 7) !== month && 't3', isShown && 'shown')}
                    aria-label={dayName(day)}
                    {...(day === today && { 'aria-current': 'date' as const })}
                  >
                    {formatWall(day, { day: 'numeric' })}
                  </a>
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
