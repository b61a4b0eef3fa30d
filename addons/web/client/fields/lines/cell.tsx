import { classNames, type FieldProps, type FieldRecord, findField, holds, type Scope } from '../../sdk.ts'
import type { CardPart, LineColumn } from './columns.ts'

export interface CellProps {
  readonly id: string
  readonly column: LineColumn
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

export function Cell({ id, column, part, record, scope, isEditing, isChecked, onChange }: CellProps) {
  const { field, node, label, isNumeric } = column
  const isHidden = holds(node.attrs['invisible'], scope)
  const isEdited = isEditing && !isHidden && isEditable(column, scope)
  const value = record.get(field.name)
  const required = field.required === true || holds(node.attrs['required'], scope)
  const { Widget, isEmpty, format } = findField('list', field.type, node.attrs['widget'])
  const isMissing = isChecked && required && (isEmpty?.(value) ?? (value === null || value === ''))
  const props: FieldProps = {
    id,
    field,
    node,
    record,
    value,
    readonly: !isEdited,
    required,
    error: isMissing ? label : null,
    view: 'list',
    onChange,
  }
  const text = format?.(value, field, record)
  return (
    <div
      class={classNames('gc', isNumeric && 'num', isEdited && 'edit', part === 'sub' && !isEdited && 't2')}
      role="gridcell"
      data-m={part}
      data-field={field.name}
      data-label={label}
      {...(!isEdited && !isNumeric && text !== undefined && text.length > 24 && { title: text })}
    >
      {!isHidden && (LARGE.has(field.type) && text !== undefined ? text : <Widget {...props} />)}
    </div>
  )
}
