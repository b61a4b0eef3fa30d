import type { WireField } from '../../../../../kernel/view/wire.ts'
import { dayOf, formatBytes, formatInteger, formatMoney, formatPercent, today } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import type { FieldRecord } from '../../core/registries.ts'
import { formatDay, formatMoment } from './day-text.ts'
import { languageName } from './language-name.ts'
import { currencyOf } from './money.tsx'
import { type FormatNumber, NUMBER_FORMATS } from './number-text.ts'
import { choiceLabel, linkOf, textOf } from './values.ts'

/** A value as plain text, for cells, cards, tooltips and the clipboard. An unset value is an empty text. */
export type FormatValue = (value: unknown, field: WireField, record: FieldRecord) => string

const ofNumber =
  (format: FormatNumber): FormatValue =>
  (value, field) =>
    typeof value === 'number' ? format(value, field) : ''

const ofText =
  (format: (text: string) => string): FormatValue =>
  (value) => {
    const text = textOf(value)
    return text === '' ? '' : format(text)
  }

const MAX_CHARS = 200

/** The text of an HTML value, without tags. */
export const plainText = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_CHARS)

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** Size of a file in bytes: the number that lists get, or computed from its base64. */
export const sizeOf = (value: unknown): number | null => {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value === '') return null
  return (value.length / 4) * 3 - (value.endsWith('==') ? 2 : value.endsWith('=') ? 1 : 0)
}

const formatSize: FormatValue = (value) => {
  const size = sizeOf(value)
  return size === null ? '' : formatBytes(size)
}

const formatCount: FormatValue = (value) =>
  Array.isArray(value) && value.length > 0 ? formatInteger(value.length) : ''

const formatLink: FormatValue = (value) => {
  const link = linkOf(value)
  return link === null ? '' : link.name || `#${link.id}`
}

/** By type, and by widget where the widget formats the value differently. */
export const FORMATS = {
  char: textOf,
  text: ofText((text) => text.slice(0, MAX_CHARS)),
  html: ofText(plainText),
  integer: ofNumber(NUMBER_FORMATS.integer),
  float: ofNumber(NUMBER_FORMATS.float),
  monetary: (value, field, record) => (typeof value === 'number' ? formatMoney(value, currencyOf(field, record)) : ''),
  boolean: (value) => (value === true ? t('Yes') : t('No')),
  date: ofText((day) => formatDay(day.length > 10 ? dayOf(day) : day, today())),
  datetime: ofText(formatMoment),
  selection: (value, field) => choiceLabel(field, value),
  many2one: formatLink,
  one2many: formatCount,
  many2many: formatCount,
  binary: formatSize,
  image: formatSize,
  json: ofText((text) => text.slice(0, MAX_CHARS)),
  reference: textOf,
  language: ofText(languageName),
  hours: ofNumber(NUMBER_FORMATS.hours),
  percent: ofNumber(NUMBER_FORMATS.percent),
  progress: (value) => (typeof value === 'number' ? formatPercent(value / 100) : ''),
} as const satisfies Record<string, FormatValue>
