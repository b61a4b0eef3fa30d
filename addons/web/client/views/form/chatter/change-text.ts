import { dayOf, formatDate, formatFloat, formatMoney, formatTime } from '../../../core/format.ts'
import { t } from '../../../core/i18n.ts'

const DAY = /^\d{4}-\d\d-\d\d$/
const MOMENT = /^\d{4}-\d\d-\d\dT.*Z$/

/** A value of a tracked change as text: links by name, dates, times and amounts as fields show them, with the year. */
export function textOfChange(value: unknown, currency?: string): string {
  if (value === null || value === undefined || value === '') return t('empty')
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  if (typeof value === 'number') return currency === undefined ? formatFloat(value) : formatMoney(value, currency)
  if (Array.isArray(value)) {
    if (value.length === 0) return t('empty')
    return Array.isArray(value[0])
      ? value.map((link: unknown) => textOfChange(link)).join(', ')
      : String(value[1] ?? '…')
  }
  const text = String(value)
  if (DAY.test(text)) return formatDate(text, 'medium')
  return MOMENT.test(text) ? `${formatDate(dayOf(text), 'medium')}, ${formatTime(text)}` : text
}
