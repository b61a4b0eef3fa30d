import { classNames, type FieldProps, type FieldRecord, findField, holds, type Scope } from '../../sdk.ts'
import { cellText, withoutEcho } from './cell-text.ts'
import type { CardPart, LineColumn } from './columns.ts'

export interface CellProps {
  readonly id: string
  readonly column: LineColumn
  readonly columns: readonly LineColumn[]
  readonly part: CardPart
  readonly record: FieldRecord
  readonly scope: Scope
  /** The row is being edited, and its cells may be. */
  readonly isEditing: boolean
  /** Something of the lines is wrong: required cells that are empty show it. */
  readonly isChecked: boolean
  readonly onChange: (value: unknown) => void
}

/** Types whose widgets are too large for a cell; there they are only read. */
const LARGE: ReadonlySet<string> = new Set(['html', 'json', 'binary', 'image', 'one2many', 'reference'])

export const isEditable = ({ field, node }: LineColumn, scope: Scope): boolean =>
  field.readonly !== true && !LARGE.has(field.type) && !holds(node.attrs['readonly'], scope)

export function Cell({ id, column, columns, part, record, scope, isEditing, isChecked, onChange }: CellProps) {
  const { field, node, label, isNumeric } = column
  const isHidden = holds(node.attrs['invisible'], scope)
  const isEdited = isEditing && !isHidden && isEditable(column, scope)
  const value = record.get(field.name)
  const required = field.required === true || holds(node.attrs['required'], scope)
  const { Widget, isEmpty } = findField('list', field.type, node.attrs['widget'])
  const isMissing = isChecked && required && (isEmpty?.(value) ?? (value === null || value === ''))
  const props: FieldProps = {
    id,
    field,
    node,
    record,
    value: !isEdited && typeof value === 'string' ? withoutEcho(value, column, record, columns) : value,
    readonly: !isEdited,
    required,
    error: isMissing ? label : null,
    view: 'list',
    onChange,
  }
  const text = cellText(column, record, columns)
  return (
    <div
      class={classNames('gc', isNumeric && 'num', isEdited && 'edit', part === 'sub' && !isEdited && 't2')}
      role="gridcell"
      data-m={part}
      data-field={field.name}
      data-label={label}
      {...(!isEdited && !isNumeric && text.length > 12 && { title: text })}
    >
      {!isHidden && (LARGE.has(field.type) ? text : <Widget {...props} />)}
    </div>
  )
}
