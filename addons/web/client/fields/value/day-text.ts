import { dayOf, formatDate, formatTime, today } from '../../core/format.ts'

/** A day as lists and forms show it: with the year only if it is not the current one. */
export const formatDay = (day: string, today: string): string =>
  formatDate(day, day.slice(0, 4) === today.slice(0, 4) ? 'short' : 'medium')

export const formatMoment = (instant: string): string => `${formatDay(dayOf(instant), today())}, ${formatTime(instant)}`
