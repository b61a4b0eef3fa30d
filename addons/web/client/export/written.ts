import { currentLocale, formatFloat, formatInteger, formatMoney } from '../core/format.ts'
import { t } from '../core/i18n.ts'
import { type ExportPath, reportLocale } from './fields.ts'
import type { ExportFormat } from './request.ts'

const inReport = (text: string, options: Intl.DateTimeFormatOptions): string => {
  const tag = reportLocale() ?? currentLocale().tag.split('-')[0]
  return new Intl.DateTimeFormat(tag, { dateStyle: 'medium', ...options }).format(new Date(text))
}

/** In the zone of the user, as a sheet shows it: 2026-11-16 04:59. */
const inSheet = (text: string): string =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone: currentLocale().zone }).format(
    new Date(text),
  )

type Written = Partial<Record<ExportPath['type'], (text: string) => string>>

/** How each kind of file shows a value of the CSV file: CSV unchanged, sheets and reports in a form for people. */
const WRITTEN: Readonly<Record<ExportFormat, Written>> = {
  csv: {},
  xlsx: {
    monetary: (text) => formatMoney(Number(text), null),
    boolean: (text) => text.toUpperCase(),
    datetime: inSheet,
  },
  pdf: {
    integer: (text) => formatInteger(Number(text)),
    float: (text) => formatFloat(Number(text)),
    monetary: (text) => formatMoney(Number(text), null),
    boolean: (text) => (text === 'true' ? t('Yes') : t('No')),
    date: (text) => inReport(text, { timeZone: 'UTC' }),
    datetime: (text) => inReport(text, { timeStyle: 'short', timeZone: currentLocale().zone }),
  },
}

/** A cell of a CSV file as a file of that format shows it. An id is a name, not a quantity. */
export const written = ({ path, type }: ExportPath, text: string, format: ExportFormat): string =>
  text === '' || /(?:^|\/)\.?id$/.test(path) ? text : (WRITTEN[format][type]?.(text) ?? text)
