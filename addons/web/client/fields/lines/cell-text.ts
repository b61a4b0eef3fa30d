import { type FieldRecord, findField } from '../../core/registries.ts'
import { namesOf } from '../value/names.ts'
import { idsOf, linkOf, textOf } from '../value/values.ts'
import type { LineColumn } from './columns.ts'

/** The text of a cell without markup, for tooltips and for measuring the column. */
export function cellText(column: LineColumn, record: FieldRecord, columns: readonly LineColumn[]): string {
  const { field, node } = column
  const value = record.get(field.name)
  if (field.type === 'many2many') return namesOf(field.relation ?? '', idsOf(value)).join(', ')
  if (field.type === 'text' || field.type === 'char') return withoutEcho(textOf(value), column, record, columns)
  const { format } = findField('list', field.type, node.attrs['widget'])
  return (format ?? findField('list', field.type).format)?.(value, field, record) ?? ''
}

/**
 * Removes the first line of a text if it only repeats the name of a linked record in the same row: the description of a
 * line usually starts with the name of its product, which is shown next to it. The field that `echo` names holds that name in
 * the language of the text.
 */
export function withoutEcho(
  text: string,
  column: LineColumn,
  record: FieldRecord,
  columns: readonly LineColumn[],
): string {
  const [first = '', ...rest] = text.split('\n')
  const isEcho =
    isNameOf(first, textOf(record.get(column.node.attrs['echo'] ?? ''))) ||
    columns.some(
      (other) =>
        other !== column &&
        other.field.type === 'many2one' &&
        isNameOf(first, linkOf(record.get(other.field.name))?.name),
    )
  return isEcho ? rest.join('\n').trim() : text
}

/** The columns without those that would only repeat, in every line, what others say. */
export const withoutEchoes = (columns: readonly LineColumn[], lines: readonly FieldRecord[]): readonly LineColumn[] =>
  columns.filter(
    (column) =>
      column.node.attrs['echo'] === undefined ||
      lines.length === 0 ||
      lines.some((line) => cellText(column, line, columns) !== ''),
  )

/** Whether a text is the name of a record; the name may have a code in front. */
const isNameOf = (text: string, name: string | undefined): boolean =>
  text !== '' && name !== undefined && (name === text || name.endsWith(` ${text}`))
