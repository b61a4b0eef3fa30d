import { type Sql, sql } from '../sql/sql.ts'

export type IntervalType = 'minutes' | 'hours' | 'days' | 'weeks' | 'months'

export interface Schedule {
  readonly interval_number: number
  readonly interval_type: IntervalType
  readonly timezone: string
  readonly nextcall: string
}

/**
 * SQL for the next run after now, by the clock of the database. Missed runs are skipped. Minutes and hours count elapsed
 * time; longer intervals keep the local time of day, so a run in the hour that daylight saving time skips is left out.
 */
export function nextSlot({ interval_number, interval_type, timezone, nextcall }: Schedule): Sql<string> {
  const step = sql`make_interval(${sql.id(MAKE_INTERVAL[interval_type])} => ${interval_number}::int)`
  const due = sql`${nextcall}::timestamptz`
  if (interval_type === 'minutes' || interval_type === 'hours') {
    return sql`date_bin(${step}, greatest(clock_timestamp(), ${due}), ${due}) + ${step}`
  }
  const wall = (moment: Sql<unknown>) => sql`(${moment} at time zone ${timezone})`
  const now = sql`greatest(clock_timestamp(), ${due})`
  const first = interval_type === 'months' ? wall(due) : sql`date_bin(${step}, ${wall(now)}, ${wall(due)})`
  return sql`(
    select min(slot.at) from generate_series(${first}, ${wall(now)} + 4 * ${step}, ${step}) as w(wall)
    cross join lateral (select w.wall at time zone ${timezone} as at) slot
    where slot.at > ${now} and slot.at at time zone ${timezone} = w.wall)`
}

const MAKE_INTERVAL: Readonly<Record<IntervalType, string>> = {
  minutes: 'mins',
  hours: 'hours',
  days: 'days',
  weeks: 'weeks',
  months: 'months',
}
