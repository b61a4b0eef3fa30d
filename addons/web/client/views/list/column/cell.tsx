import type { ComponentChildren } from 'preact'
import type { WireField } from '../../../../../../kernel/view/wire.ts'
import { type FieldProps, type FieldRecord, findField } from '../../../core/registries.ts'
import type { FieldColumn } from './arch.ts'

/** Types that are mere text in a cell: no element of their own, which matters when there are thousands. */
const PLAIN: ReadonlySet<string> = new Set([
  'char',
  'text',
  'html',
  'integer',
  'float',
  'selection',
  'date',
  'datetime',
])
const PLAIN_WIDGETS: ReadonlySet<string> = new Set(['date', 'percent', 'hours', 'email', 'phone', 'url'])

export interface CellProps {
  readonly column: FieldColumn
  readonly value: unknown
  readonly record: FieldRecord
  /** Writes a value at once: switches. Absent where the user may not. */
  readonly onToggle?: ((value: unknown) => void) | undefined
}

/** A value in its cell, drawn by the widget of its field. */
export function drawCell({ column, value, record, onToggle }: CellProps): ComponentChildren {
  const { field, widget, node } = column
  const isPlain = widget === undefined ? PLAIN.has(field.type) : PLAIN_WIDGETS.has(widget)
  if (isPlain) return columnText(column, value, record)
  const { Widget } = findField('list', field.type, widget)
  const id = `cell-${record.id ?? 0}-${field.name}`
  return (
    <Widget
      {...shown(field, node)}
      id={id}
      record={record}
      value={value}
      readonly={!onToggle}
      onChange={onToggle ?? noChange}
    />
  )
}

const noChange = () => undefined

const shown = (field: WireField, node: FieldProps['node']) => ({
  field,
  node,
  required: false,
  error: null,
  view: 'list',
})

/** A value as plain text; widgets without words of their own use those of the type. */
export function columnText(
  { field, widget }: Pick<FieldColumn, 'field' | 'widget'>,
  value: unknown,
  record: FieldRecord,
): string {
  if (value === null || value === undefined) return ''
  const format = findField('list', field.type, widget).format ?? findField('list', field.type).format
  return format ? format(value, field, record) : String(value)
}
