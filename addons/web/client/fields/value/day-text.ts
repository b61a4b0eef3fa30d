import { dayOf, formatDate, formatTime, today } from '../../core/format.ts'

/** A day as lists show it: with the year only if it is not the current one. A form has it always, as its inputs do. */
export const formatDay = (day: string, today: string, isInForm = false): string =>
  formatDate(day, !isInForm && day.slice(0, 4) === today.slice(0, 4) ? 'short' : 'medium')

export const formatMoment = (instant: string, isInForm = false): string =>
  `${formatDay(dayOf(instant), today(), isInForm)}, ${formatTime(instant)}`
