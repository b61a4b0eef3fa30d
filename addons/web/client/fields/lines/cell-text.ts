import { type FieldRecord, findField } from '../../core/registries.ts'
import { namesOf } from '../value/names.ts'
import { idsOf, linkOf, textOf } from '../value/values.ts'
import type { LineColumn } from './columns.ts'

/** What a cell says, as plain text: for tooltips and to measure its column by. */
export function cellText(column: LineColumn, record: FieldRecord, columns: readonly LineColumn[]): string {
  const { field, node } = column
  const value = record.get(field.name)
  if (field.type === 'many2many') return namesOf(field.relation ?? '', idsOf(value)).join(', ')
  if (field.type === 'text' || field.type === 'char') return withoutEcho(textOf(value), column, record, columns)
  const { format } = findField('list', field.type, node.attrs['widget'])
  return (format ?? findField('list', field.type).format)?.(value, field, record) ?? ''
}

/**
 * A text without a first line that only repeats a name beside it: the description of a line begins as the name of its product,
 * and a table that says everything twice is slow to read.
 */
export function withoutEcho(
  text: string,
  column: LineColumn,
  record: FieldRecord,
  columns: readonly LineColumn[],
): string {
  const [first = '', ...rest] = text.split('\n')
  const isEcho = columns.some(
    (other) =>
      other !== column &&
      other.field.type === 'many2one' &&
      isNameOf(first, linkOf(record.get(other.field.name))?.name),
  )
  return isEcho ? rest.join('\n').trim() : text
}

/** Names of records may have a code in front. */
const isNameOf = (text: string, name: string | undefined): boolean =>
  text !== '' && name !== undefined && (name === text || name.endsWith(` ${text}`))
