import './agenda.css'
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

/** The days that have records, one below the other. */
export function Agenda({ calendar }: { readonly calendar: Calendar }) {
  const { from, to } = calendar.range.value
  const placed = calendar.placed.value.toSorted(inOrder)
  const days = unitsIn('day', from, to).flatMap((day) => {
    const inside = placed.filter(({ span }) => span.start < day + DAY && span.end > day)
    return inside.length === 0 ? [] : [{ day, inside }]
  })
  const today = floorDay(wallNow())
  return (
    <div class="agenda" data-scroll="agenda">
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
  const isNews = useRecentChanges(entry).size > 0
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
    <li class={classNames(isNews && 'live')} {...(hue !== null && { 'data-hue': hue })}>
      <a href={calendar.hrefOf(id)} data-event={id} data-focus={`event-${id}`}>
        <time>{when}</time>
        <b>{titleOf(arch, id, values)}</b>
        <span class="t3 cut">{details.join(' · ')}</span>
      </a>
    </li>
  )
}
