import { dayOf, formatDate, formatTime, today } from '../../core/format.ts'

/** As lists and forms show a day: the year only where it is another. */
export const formatDay = (day: string, today: string): string =>
  formatDate(day, day.slice(0, 4) === today.slice(0, 4) ? 'short' : 'medium')

export const formatMoment = (instant: string): string => `${formatDay(dayOf(instant), today())}, ${formatTime(instant)}`
