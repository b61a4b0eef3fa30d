import {
  dayOf,
  formatBytes,
  formatDate,
  formatFloat,
  formatInteger,
  formatPercent,
  formatTime,
  moneyParts,
  t,
  type Values,
  type WireField,
} from '../../sdk.ts'
import { selectionLabel } from './grouping.ts'

/** A day as lists show it: the year only when it is another. */
export const formatDay = (day: string, today: string): string =>
  formatDate(day, day.slice(0, 4) === today.slice(0, 4) ? 'short' : 'medium')

export const formatMoment = (instant: string, today: string): string =>
  `${formatDay(dayOf(instant), today)}, ${formatTime(instant)}`

/** `7.5` hours as `7:30`. */
export function formatHours(hours: number): string {
  const minutes = Math.round(Math.abs(hours) * 60)
  return `${hours < 0 ? '-' : ''}${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

export const nameOfLink = (value: unknown): string => (Array.isArray(value) ? String(value[1] ?? '') : '')
export const idOfLink = (value: unknown): number | null =>
  Array.isArray(value) && typeof value[0] === 'number' ? value[0] : null

/** ISO code of the currency an amount is in. */
export const currencyOf = (field: WireField, values: Values): string | null =>
  field.currencyField === undefined ? null : nameOfLink(values[field.currencyField]) || null

/** A number as its column shows it. */
export function formatNumber(value: number, field: WireField, widget: string | undefined): string {
  if (widget === 'percent' || widget === 'progressbar') return formatPercent(value / 100, 1)
  if (widget === 'hours') return formatHours(value)
  return field.type === 'integer' ? formatInteger(value) : formatFloat(value, field.digits?.[1] ?? 2)
}

/** A value as plain text: cells without a look of their own, and the name of a row. */
export function textOf(
  value: unknown,
  field: WireField,
  widget: string | undefined,
  values: Values,
  today: string,
): string {
  if (value === null || value === undefined || value === '') return ''
  switch (field.type) {
    case 'many2one':
      return nameOfLink(value)
    case 'selection':
      return selectionLabel(field, value)
    case 'boolean':
      return value === true ? t('Yes') : t('No')
    case 'date':
      return formatDay(String(value), today)
    case 'datetime':
      return formatMoment(String(value), today)
    case 'integer':
    case 'float':
      return typeof value === 'number' ? formatNumber(value, field, widget) : String(value)
    case 'monetary':
      return typeof value === 'number' ? moneyText(value, currencyOf(field, values), field) : String(value)
    case 'one2many':
    case 'many2many':
      return Array.isArray(value) && value.length > 0 ? formatInteger(value.length) : ''
    case 'html':
      return String(value)
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim()
        .slice(0, 200)
    case 'text':
      return String(value).slice(0, 200)
    case 'binary':
      return typeof value === 'number' ? formatBytes(value) : t('File')
    default:
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
}

function moneyText(value: number, currency: string | null, field: WireField): string {
  const { sign, symbol, figure, symbolFirst } = moneyParts(value, currency, field.digits?.[1] ?? 2)
  return symbolFirst ? `${sign}${symbol}${figure}` : `${sign}${figure} ${symbol}`
}
