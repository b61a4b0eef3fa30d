import { dayOf, formatDate, formatTime } from '../../core/format.ts'

/** The day it is where the user is. */
export const todayOf = (): string => dayOf(new Date().toISOString())

/** As lists and forms show a day: the year only where it is another. */
export const formatDay = (day: string, today: string): string =>
  formatDate(day, day.slice(0, 4) === today.slice(0, 4) ? 'short' : 'medium')

export const formatMoment = (instant: string): string =>
  `${formatDay(dayOf(instant), todayOf())}, ${formatTime(instant)}`
