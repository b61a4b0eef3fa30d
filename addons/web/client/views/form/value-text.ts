import { type FieldRecord, formatters, tn, type WireField } from '../../sdk.ts'

/** A value as plain text where no widget stands: the choice between mine and theirs. */
export function textOf(value: unknown, field: WireField, record: FieldRecord, widget = ''): string {
  const isList = field.type === 'one2many' || field.type === 'many2many'
  if (isList && Array.isArray(value)) return tn(value.length, '{n} entry', '{n} entries')
  const format = formatters.first([widget, field.type])
  return format ? format(value, field, record) : String(value ?? '')
}
