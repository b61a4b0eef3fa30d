import { useEffect, useRef, useState } from 'preact/hooks'
import { holds, type Scope } from '../../core/expression.ts'
import { t } from '../../core/i18n.ts'
import { type FieldProps, type FieldRecord, findField } from '../../core/registries.ts'
import { isInvalidText } from '../../store/invalid-text.ts'
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
  /** Marks the cell as required even if its field is not. */
  readonly isRequired?: boolean
  readonly onChange: (value: unknown) => void
  readonly onInvalid: (message: string | null) => void
  /** The value in the draft, which may be an invalid text. */
  readonly typed: unknown
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
  typed,
}: LineCellProps) {
  const { field, node, label, isNumeric } = column
  const isHidden = holds(node.attrs['invisible'], scope)
  const isEdited = isEditing && !isHidden && isEditable(column, scope)
  const value = record.get(field.name)
  const required = isRequired || field.required === true || holds(node.attrs['required'], scope)
  const { Widget, isEmpty } = findField('list', field.type, node.attrs['widget'])
  const isMissing = isChecked && required && (isEmpty?.(value) ?? (value === null || value === ''))
  const [problem, setProblem] = useProblem(isEdited, isChecked, label, onInvalid)
  const invalidText = isInvalidText(typed) ? typed : undefined
  const error = invalidText
    ? invalidText.isTyping
      ? null
      : invalidText.problem
    : (problem ?? (isMissing ? label : null))
  const props: FieldProps = {
    id,
    field,
    node,
    record,
    value: !isEdited && typeof value === 'string' ? withoutEcho(value, column, record, columns) : value,
    readonly: !isEdited,
    required,
    error,
    view: 'list',
    onChange,
    onInvalid: (wrong) => (isInvalidText(wrong) ? onChange(wrong) : setProblem(wrong)),
    invalidText,
  }
  const text = cellText(column, record, columns)
  return (
    <div
      class={classNames('gc', isNumeric && 'num', isEdited && 'edit', part === 'sub' && !isEdited && 't2')}
      role="gridcell"
      data-m={part === 'named' && !value ? 'hide' : part}
      data-field={field.name}
      data-label={label}
      aria-invalid={error !== null || undefined}
      {...(span !== undefined && { 'aria-colspan': span, style: { gridColumn: `span ${span}` } })}
      {...(!isEdited &&
        (invalidText ? { title: invalidText.problem } : !isNumeric && text.length > 12 && { title: text }))}
    >
      {!isHidden &&
        (invalidText && !isEdited ? invalidText.typedText : LARGE.has(field.type) ? text : <Widget {...props} />)}
    </div>
  )
}

/**
 * Error of a text that is looked up, reported to the form. When the cell leaves edit mode, the text and its error are
 * dropped and a toast reports it, unless the record was discarded before.
 */
function useProblem(isEdited: boolean, isChecked: boolean, label: string, report: (message: string | null) => void) {
  const [problem, setProblem] = useState<string | null>(null)
  const last = useRef({ problem, report, isChecked })
  last.current = { problem, report, isChecked }
  useEffect(() => {
    if (!isEdited) return
    return () => {
      const { problem: left, report: retract, isChecked: isShown } = last.current
      if (left === null) return
      if (isShown) showToast({ level: 'warning', text: t('{field}: {problem}', { field: label, problem: left }) })
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
