import { formatDate } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'

/** A period for a date filter, written after the colon of the filter name. */
export interface Period {
  /** `2026`, `2026-Q1` or `2026-03`; empty for the current month, evaluated when the search runs. */
  readonly key: string
  readonly label: string
}

const MONTHS_BACK = 3
const YEARS_BACK = 3

/**
 * Periods offered for a date filter: the last months, the quarters of this year and the last years, each latest first.
 */
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

/** Splits `created:2026-Q1` into name and period; the period is empty if there is none. */
export function splitPeriod(text: string): readonly [name: string, period: string] {
  const at = text.indexOf(':')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

export const joinPeriod = (name: string, period: string): string => (period === '' ? name : `${name}:${period}`)
