import { currentLocale, dayOf, formatDate, today } from '../../../core/format.ts'
import { t, tn } from '../../../core/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'

const DAY_MS = 86_400_000

/** Number of days between two dates. */
const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS)

/** A date in short words: today, Monday, 17 Nov. */
export function sayDay(day: string, today: string): string {
  const days = daysBetween(today, day)
  if (days === 0) return t('today')
  if (days === 1) return t('tomorrow')
  if (days === -1) return t('yesterday')
  if (days > 1 && days < 7)
    return new Intl.DateTimeFormat(currentLocale().tag, { weekday: 'long', timeZone: 'UTC' }).format(Date.parse(day))
  return formatDate(day, day.slice(0, 4) === today.slice(0, 4) ? 'short' : 'medium')
}

interface DayProps {
  readonly value: string
  readonly label: string
  /** Set by the view's decorations: overdue, or due today. */
  readonly urgency: 'late' | 'today' | ''
}

/** A date on a card; an overdue one says by how many days. */
export function Day({ value, label, urgency }: DayProps) {
  const day = value.length > 10 ? dayOf(value) : value
  const now = today()
  const late = daysBetween(day, now)
  return (
    <span class={`act ${urgency}`} data-tip={`${label}: ${formatDate(day, 'long')}`}>
      <Icon name="calendar" />
      <time dateTime={day}>
        {urgency === 'late' && late > 0 ? tn(late, '{n} d late', '{n} d late') : sayDay(day, now)}
      </time>
    </span>
  )
}
