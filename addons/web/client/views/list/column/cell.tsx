import type { ComponentChildren } from 'preact'
import type { WireField } from '../../../../../../kernel/view/wire.ts'
import { type FieldProps, type FieldRecord, findField } from '../../../core/registries.ts'
import type { FieldColumn } from './arch.ts'

/** Types rendered as plain text without an element of their own, which is faster for thousands of cells. */
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
  /** Writes a value at once, for switches; absent if the user may not write. */
  readonly onToggle?: ((value: unknown) => void) | undefined
}

/** Renders a value with the widget of its field. */
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

/** A value as plain text; a widget without its own format uses the one of the type. */
export function columnText(
  { field, widget }: Pick<FieldColumn, 'field' | 'widget'>,
  value: unknown,
  record: FieldRecord,
): string {
  if (value === null || value === undefined) return ''
  const format = findField('list', field.type, widget).format ?? findField('list', field.type).format
  return format ? format(value, field, record) : String(value)
}
