import type { WireField } from '../../../../../../kernel/view/wire.ts'
import { formatList } from '../../../core/format.ts'
import { tn } from '../../../core/i18n.ts'
import { type FieldRecord, formatters } from '../../../core/registries.ts'

/** Names of records, by id. */
export type Names = ReadonlyMap<number, string>

/** A value as plain text, for the conflict dialog, which uses no widgets. Links show their names. */
export function valueText(value: unknown, field: WireField, record: FieldRecord, widget = '', names?: Names): string {
  if (field.type === 'many2many' && Array.isArray(value))
    return formatList(value.map((id: number) => names?.get(id) ?? `#${id}`))
  if (field.type === 'one2many' && Array.isArray(value)) return tn(value.length, '{n} entry', '{n} entries')
  const format = formatters.first([widget, field.type])
  return format ? format(value, field, record) : String(value ?? '')
}
