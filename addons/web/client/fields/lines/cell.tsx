import { useEffect, useRef, useState } from 'preact/hooks'
import { holds, type Scope } from '../../core/expression.ts'
import { t } from '../../core/i18n.ts'
import { type FieldProps, type FieldRecord, findField } from '../../core/registries.ts'
import { classNames } from '../../ui/class-names.ts'
import { showToast } from '../../ui/toasts.tsx'
import { cellText, withoutEcho } from './cell-text.ts'
import type { LineCardPart, LineColumn } from './columns.ts'

export interface LineCellProps {
  readonly id: string
  readonly column: LineColumn
  readonly columns: readonly LineColumn[]
  readonly part: LineCardPart
  readonly record: FieldRecord
  readonly scope: Scope
  /** Whether the row is being edited; its editable cells then show controls. */
  readonly isEditing: boolean
  /** Whether to mark empty required cells, because the lines have an error. */
  readonly isChecked: boolean
  /** Columns that the cell covers, where that is more than one. */
  readonly span?: number
  /** Also where its field is not required. */
  readonly isRequired?: boolean
  readonly onChange: (value: unknown) => void
  readonly onInvalid: (message: string | null) => void
}

/** Types whose widgets are too large for a cell, where they are read-only. */
const LARGE: ReadonlySet<string> = new Set(['html', 'json', 'binary', 'image', 'one2many', 'reference'])

export const isEditable = ({ field, node }: LineColumn, scope: Scope): boolean =>
  field.readonly !== true && !LARGE.has(field.type) && !holds(node.attrs['readonly'], scope)

export function Cell({
  id,
  column,
  columns,
  part,
  record,
  scope,
  isEditing,
  isChecked,
  span,
  isRequired,
  onChange,
  onInvalid,
}: LineCellProps) {
  const { field, node, label, isNumeric } = column
  const isHidden = holds(node.attrs['invisible'], scope)
  const isEdited = isEditing && !isHidden && isEditable(column, scope)
  const value = record.get(field.name)
  const required = isRequired || field.required === true || holds(node.attrs['required'], scope)
  const { Widget, isEmpty } = findField('list', field.type, node.attrs['widget'])
  const isMissing = isChecked && required && (isEmpty?.(value) ?? (value === null || value === ''))
  const [problem, setProblem] = useProblem(isEdited, label, onInvalid)
  const props: FieldProps = {
    id,
    field,
    node,
    record,
    value: !isEdited && typeof value === 'string' ? withoutEcho(value, column, record, columns) : value,
    readonly: !isEdited,
    required,
    error: problem ?? (isMissing ? label : null),
    view: 'list',
    onChange,
    onInvalid: setProblem,
  }
  const text = cellText(column, record, columns)
  return (
    <div
      class={classNames('gc', isNumeric && 'num', isEdited && 'edit', part === 'sub' && !isEdited && 't2')}
      role="gridcell"
      data-m={part}
      data-field={field.name}
      data-label={label}
      {...(span !== undefined && { 'aria-colspan': span, style: { gridColumn: `span ${span}` } })}
      {...(!isEdited && !isNumeric && text.length > 12 && { title: text })}
    >
      {!isHidden && (LARGE.has(field.type) ? text : <Widget {...props} />)}
    </div>
  )
}

/**
 * Error of the typed text, reported to the form. When the cell leaves edit mode, the invalid text and its error are
 * dropped and a toast reports it.
 */
function useProblem(isEdited: boolean, label: string, report: (message: string | null) => void) {
  const [problem, setProblem] = useState<string | null>(null)
  const last = useRef({ problem, report })
  last.current = { problem, report }
  useEffect(() => {
    if (!isEdited) return
    return () => {
      const { problem: left, report: retract } = last.current
      if (left === null) return
      showToast({ level: 'warning', text: t('{field}: {problem}', { field: label, problem: left }) })
      setProblem(null)
      retract(null)
    }
  }, [isEdited])
  const change = (message: string | null): void => {
    if (message === last.current.problem) return
    setProblem(message)
    report(message === null ? null : t('{field}: {problem}', { field: label, problem: message }))
  }
  return [problem, change] as const
}
