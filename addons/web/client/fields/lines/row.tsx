import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ArchNode } from '../../../../../kernel/view/arch/arch.ts'
import { holds } from '../../core/expression.ts'
import { t } from '../../core/i18n.ts'
import type { FieldRecord } from '../../core/registries.ts'
import type { RecordEntry } from '../../store/records.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { useRecentChanges } from '../../ui/recent-changes.ts'
import { recordHref } from '../value/hrefs.ts'
import { linkOf, textOf } from '../value/values.ts'
import { AcrossCells } from './across-cells.tsx'
import { Cell } from './cell.tsx'
import { type LineCardPart, type LineColumn, type LinesArch, removeLabel } from './columns.ts'
import { dragLine } from './drag-rows.ts'
import { scopeOfLine } from './line-values.ts'
import type { LinesModel } from './model.ts'
import { headOfLine, lineKindOf } from './sections.ts'

export interface LineRowProps {
  readonly id: string
  readonly row: number
  readonly index: number
  readonly arch: LinesArch
  readonly parent: FieldRecord
  readonly model: LinesModel
  readonly entry: RecordEntry | null
  /** Any line of the list. */
  readonly recordOf: (row: number) => FieldRecord
  readonly columns: readonly LineColumn[]
  readonly parts: ReadonlyMap<LineColumn, LineCardPart>
  readonly isEditing: boolean
  /** Cell to focus when editing starts: the name of its field, `first` or `last`. */
  readonly focus: string | null
  readonly isChecked: boolean
  readonly isReadonly: boolean
  readonly mayDrop: boolean
  readonly tabIndex: 0 | -1
  /** Called with a message when the text typed into a cell is invalid, and with null when that is over. */
  readonly onInvalid: (message: string | null) => void
  readonly onEdit: (row: number, focus: string) => void
  readonly onDrop: (row: number) => void
  readonly onMove: (from: number, to: number) => void
  readonly onButton: (row: number, button: ArchNode) => void
}

/**
 * CSS classes of the row decorations of a view. They only repeat what the cells say, since colour alone is not
 * accessible.
 */
const LOOKS: Readonly<Record<string, string>> = {
  muted: 'off',
  danger: 'dec-danger',
  warning: 'dec-warning',
  success: 'dec-success',
  info: 'dec-info',
  bf: 'strong',
  it: 'em',
}

export function LineRow(props: LineRowProps) {
  const { row, index, arch, columns, model, entry, isEditing } = props
  const element = useRef<HTMLDivElement>(null)
  const record = props.recordOf(row)
  const scope = scopeOfLine(arch, record)
  const kind = lineKindOf(arch, record)
  const name = kind === null ? nameOf(columns, record) : headOfLine(arch, record)
  const isOpened = arch.editable === null && row > 0
  const isRecent = useRecentChanges(entry).size > 0

  useLayoutEffect(() => {
    if (isEditing && props.focus !== null && element.current) focusCell(element.current, props.focus)
  }, [isEditing, props.focus])

  const { isChecked, onInvalid } = props
  const shared = { columns, record, scope, isEditing, isChecked, onInvalid }
  const look = arch.decorations.find(([, condition]) => holds(condition, scope))?.[0]
  return (
    <div
      ref={element}
      class={classNames(
        'gr',
        kind !== null && `across kind-${kind}`,
        isEditing && 'editing',
        isRecent && 'live',
        look !== undefined && (LOOKS[look] ?? ''),
      )}
      role="row"
      aria-rowindex={index + 2}
      data-line={row}
      tabIndex={isEditing ? -1 : props.tabIndex}
      // Keys are handled by the grid.
      onKeyDown={undefined}
      onClick={({ target }) => {
        if (isEditing || props.isReadonly || arch.editable === null || !(target instanceof Element)) return
        if (target.closest('button, a, input')) return
        props.onEdit(row, target.closest<HTMLElement>('[data-field]')?.dataset['field'] ?? 'first')
      }}
    >
      {arch.handle !== null && (
        <div class="gc handle" role="gridcell" data-m="hide">
          {!props.isReadonly && (
            <button
              type="button"
              class="btn icon ghost sm"
              aria-label={t('Move {name}', { name: name || t('line {n}', { n: index + 1 }) })}
              aria-keyshortcuts="ArrowUp ArrowDown"
              tabIndex={isEditing ? -1 : props.tabIndex}
              onPointerDown={(event) => {
                const grid = element.current?.parentElement
                if (grid) dragLine(event, grid, index, props.onMove)
              }}
              onKeyDown={(event) => {
                const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
                if (step === undefined) return
                event.preventDefault()
                event.stopPropagation()
                props.onMove(index, index + step)
              }}
            >
              <Icon name="grip-vertical" />
            </button>
          )}
        </div>
      )}
      {kind === null ? (
        columns.map((column) => (
          <Cell
            key={column.field.name}
            {...shared}
            id={`${props.id}-${row}-${column.field.name}`}
            column={column}
            part={props.parts.get(column) ?? 'hide'}
            typed={model.lines().values[row]?.[column.field.name]}
            onChange={(value) => model.set(row, column.field.name, value)}
          />
        ))
      ) : (
        <AcrossCells
          {...shared}
          id={props.id}
          kind={kind}
          row={row}
          arch={arch}
          parent={props.parent}
          model={model}
          recordOf={props.recordOf}
        />
      )}
      <div class="gc ctl ends" role="gridcell" data-m="side">
        {row > 0 &&
          arch.buttons
            .filter(({ attrs }) => !holds(attrs['invisible'], scope))
            .map((button) => (
              <Button
                key={button.attrs['name'] ?? ''}
                label={button.attrs['string'] ?? button.attrs['name'] ?? ''}
                icon={button.attrs['icon'] ?? 'play'}
                iconOnly
                kind="ghost"
                size="sm"
                onClick={() => props.onButton(row, button)}
              />
            ))}
        {isOpened && (
          <Button
            label={t('Open {name}', { name })}
            icon="arrow-up-right"
            iconOnly
            kind="ghost"
            size="sm"
            href={recordHref(arch.model, row)}
          />
        )}
        {!props.isReadonly && props.mayDrop && (
          <Button
            label={removeLabel(name)}
            icon="x"
            iconOnly
            kind="ghost"
            size="sm"
            tabIndex={isEditing ? -1 : props.tabIndex}
            onClick={() => props.onDrop(row)}
          />
        )}
      </div>
    </div>
  )
}

const nameOf = (columns: readonly LineColumn[], record: FieldRecord): string => {
  for (const { field } of columns) {
    const value = record.get(field.name)
    const text = field.type === 'many2one' ? (linkOf(value)?.name ?? '') : field.type === 'char' ? textOf(value) : ''
    if (text !== '') return text
  }
  return ''
}

const CONTROLS = '.gc.edit :is(input:not([tabindex="-1"]), select, textarea, [contenteditable], [role="slider"])'

export const controlsOf = (row: Element): readonly HTMLElement[] => [...row.querySelectorAll<HTMLElement>(CONTROLS)]

function focusCell(row: HTMLElement, focus: string): void {
  const controls = controlsOf(row)
  const wanted =
    focus === 'last'
      ? controls.at(-1)
      : controls.find((control) => control.closest<HTMLElement>('[data-field]')?.dataset['field'] === focus)
  const control = wanted ?? controls[0]
  control?.focus()
  if (!(control instanceof HTMLInputElement) || control.type !== 'text') return
  control.select()
  // Shows the start of the text, which identifies a record better than its end.
  control.scrollLeft = 0
}
