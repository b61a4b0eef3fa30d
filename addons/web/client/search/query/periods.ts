import { formatDate } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'

/** A stretch of time a date filter can be narrowed to, as it stands behind the colon of its name. */
export interface Period {
  /** `2026`, `2026-Q1`, `2026-03`; empty for this month, whichever it is when one looks. */
  readonly key: string
  readonly label: string
}

const MONTHS_BACK = 3
const YEARS_BACK = 3

/** Periods around a day, near ones first: months, the quarters of the year, years. */
export function periodsAround(today: string): readonly Period[] {
  const year = Number(today.slice(0, 4))
  const month = Number(today.slice(5, 7))
  const months = Array.from({ length: MONTHS_BACK }, (_, back) => {
    const day = new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 10)
    return { key: back === 0 ? '' : day.slice(0, 7), label: back === 0 ? t('This month') : formatDate(day, 'month') }
  })
  const quarters = [4, 3, 2, 1].map((quarter) => `${year}-Q${quarter}`)
  const years = Array.from({ length: YEARS_BACK }, (_, back) => String(year - back))
  return [...months, ...[...quarters, ...years].map((key) => ({ key, label: periodLabel(key) }))]
}

export function periodLabel(key: string): string {
  if (key === '') return t('This month')
  const [year = '', part] = key.split('-')
  if (part === undefined) return year
  return part.startsWith('Q')
    ? t('Q{quarter} {year}', { quarter: part.slice(1), year })
    : formatDate(`${key}-01`, 'month')
}

/** `created:2026-Q1` in its parts; the period is empty where there is none. */
export function splitPeriod(text: string): readonly [name: string, period: string] {
  const at = text.indexOf(':')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

export const joinPeriod = (name: string, period: string): string => (period === '' ? name : `${name}:${period}`)
