import type { WireField } from '../../../../kernel/view/wire.ts'
import { formatDate, formatDatetime, formatFloat, formatInteger, formatMoney } from '../core/format.ts'
import { t } from '../core/i18n.ts'

/** A column of an export: a path of fields, and the labels along it. */
export interface ExportPath {
  readonly path: string
  readonly label: string
  readonly type: WireField['type']
}

export const pathOf = (field: WireField, parent: ExportPath | null): ExportPath => ({
  path: parent === null ? field.name : `${parent.path}/${field.name}`,
  label: parent === null ? field.label : `${parent.label} / ${field.label}`,
  type: field.type,
})

const NUMERIC: ReadonlySet<string> = new Set(['integer', 'float', 'monetary'])

const SHOWN: Partial<Record<WireField['type'], (text: string) => string>> = {
  integer: (text) => formatInteger(Number(text)),
  float: (text) => formatFloat(Number(text)),
  monetary: (text) => formatMoney(Number(text), null),
  boolean: (text) => (text === 'true' ? t('Yes') : t('No')),
  date: (text) => formatDate(text, 'medium'),
  datetime: (text) => formatDatetime(text, 'medium'),
}

/** A cell of a CSV file as people read its value: in their language and time zone. An id is a name, not a quantity. */
export const shownCell = ({ path, type }: ExportPath, text: string): string =>
  text === '' || /(?:^|\/)\.?id$/.test(path) ? text : (SHOWN[type]?.(text) ?? text)

export const isNumeric = ({ type }: ExportPath): boolean => NUMERIC.has(type)
