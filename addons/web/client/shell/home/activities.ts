import type { WireActivities } from '../../../../../kernel/view/wire.ts'
import { currentLocale, dayOf, formatDate, formatTime } from '../../core/format.ts'
import { t, tn } from '../../core/i18n.ts'
import type { Row, Rpc } from '../../net/rpc.ts'
import { changeRoute, formatRoute, parseRoute } from '../../router/codec.ts'
import { readGroup, searchRead } from '../../store/queries.ts'
import { daysBetween } from './figures.ts'

export interface Activity {
  readonly href: string
  readonly title: string
  readonly about: string
  /** A date, or a date with time. */
  readonly due: string
  readonly icon: string
}

export interface ActivityList {
  /** Activities of all sources, oldest first. */
  readonly shown: readonly Activity[]
  /** Number of all activities, including those not shown. */
  readonly total: number
  /** Number due today or earlier; `late` counts those due before today. */
  readonly due: number
  readonly late: number
}

/** Maximum number of activities listed. */
const MAX_ACTIVITIES = 40

export async function loadActivities(
  rpc: Rpc,
  sources: readonly WireActivities[],
  today: string,
): Promise<ActivityList> {
  const lists = await Promise.all(sources.map((source) => loadSource(rpc, source, today)))
  const add = (pick: (list: ActivityList) => number) => lists.reduce((sum, list) => sum + pick(list), 0)
  return {
    // Each source is sorted and has the same limit, so the first ones overall are among the first of each source.
    shown: lists
      .flatMap(({ shown }) => shown)
      .toSorted((a, b) => byTime(a.due, b.due))
      .slice(0, MAX_ACTIVITIES),
    total: add(({ total }) => total),
    due: add(({ due }) => due),
    late: add(({ late }) => late),
  }
}

/** Orders by due date. On the same day, dates without a time come first. */
function byTime(a: string, b: string): number {
  const days = daysBetween(dayOfDue(b), dayOfDue(a))
  const momentOf = (due: string) => (isMoment(due) ? Date.parse(due) : 0)
  return days === 0 ? momentOf(a) - momentOf(b) : days
}

async function loadSource(rpc: Rpc, source: WireActivities, today: string): Promise<ActivityList> {
  const { model, domain, title, about, date, icon } = source
  const fields = [title, date, ...(about === null ? [] : [about]), ...(typeof icon === 'string' ? [] : [icon.field])]
  const byDay = `${date}:day`
  const [rows, days] = await Promise.all([
    searchRead(rpc, model, domain, fields, { order: `${date}, id`, limit: MAX_ACTIVITIES }),
    readGroup(rpc, model, { domain, groupby: [byDay] }),
  ])
  const count = (isCounted: (day: string) => boolean) =>
    days.reduce((sum, row) => (isCounted(String(row[byDay])) ? sum + row.__count : sum), 0)
  return {
    shown: rows.map((row) => toActivity(source, row)),
    total: count(() => true),
    due: count((day) => day <= today),
    late: count((day) => day < today),
  }
}

function toActivity({ title, about, date, icon, href }: WireActivities, row: Row): Activity {
  const link = about === null ? null : row[about]
  return {
    href: formatRoute(changeRoute(parseRoute(href), { view_type: 'form', id: row.id })),
    title: String(row[title] ?? ''),
    about: Array.isArray(link) ? String(link[1]) : '',
    due: String(row[date]),
    icon: typeof icon === 'string' ? icon : (icon.icons[String(row[icon.field])] ?? 'circle'),
  }
}

const isMoment = (due: string): boolean => due.length > 10

/** The due date in the user's time zone. */
const dayOfDue = (due: string): string => (isMoment(due) ? dayOf(due) : due)

export interface DueText {
  readonly text: string
  readonly urgency: 'late' | 'today' | ''
}

/** The due date in words: 2 days late, Today 16:00, Mon 10:00, 24 Nov. */
export function describeDue(due: string, today: string): DueText {
  const day = dayOfDue(due)
  const ahead = daysBetween(today, day)
  if (ahead < 0) return { text: tn(-ahead, '{n} day late', '{n} days late'), urgency: 'late' }
  const time = isMoment(due) ? ` ${formatTime(due)}` : ''
  if (ahead === 0) return { text: t('Today') + time, urgency: 'today' }
  if (ahead > 6)
    return { text: formatDate(day, day.slice(0, 4) === today.slice(0, 4) ? 'short' : 'medium'), urgency: '' }
  const weekday = new Intl.DateTimeFormat(currentLocale().tag, { weekday: 'short', timeZone: 'UTC' })
  return { text: weekday.format(Date.parse(day)) + time, urgency: '' }
}

/** A sentence that says how many activities are due. */
export function describeWaiting({ due, late }: Pick<ActivityList, 'due' | 'late'>): string {
  if (due === 0) return t('Nothing is due today.')
  if (late === 0) return tn(due, '{n} activity is due today.', '{n} activities are due today.')
  if (late === due) return tn(late, '{n} activity is late.', '{n} activities are late.')
  return tn(due, '{n} activity is due, {late} late.', '{n} activities are due, {late} of them late.', { late })
}
