import { t } from '../../../core/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { ListColumn } from '../column/arch.ts'
import { drawCell } from '../column/cell.tsx'
import type { LineProps } from '../grid/row.tsx'
import type { EditPlace } from './edit.ts'
import { Editor } from './editor.tsx'
import type { RowEdit } from './row-edit.ts'

export interface NewRowProps extends LineProps {
  readonly columns: readonly ListColumn[]
  readonly edit: RowEdit | null
  readonly typing: EditPlace | null
}

/** A record that is being entered. */
export function NewRow(props: NewRowProps) {
  const { view, line, top, columns, edit, typing, level } = props
  const { model } = view
  if (edit === null) return null
  return (
    <div
      class="gr new typing"
      role="row"
      aria-rowindex={line + 2}
      aria-level={level || undefined}
      aria-label={t('New record')}
      aria-busy={edit.isSaving.value || undefined}
      data-line={line}
      data-id={0}
      style={{ insetBlockStart: `${top}px` }}
    >
      <div class="gc ctl" role="gridcell" data-m="check">
        <Icon name="plus" size="s" />
      </div>
      {model.arch.handle !== null && <div class="gc" role="gridcell" data-m="hide" />}
      {columns.map((column, index) => {
        const place = { 'data-col': index + 1, 'data-m': model.card.value.get(column.key) ?? 'hide' }
        if (column.kind === 'buttons') return <div key={column.key} class="gc" role="gridcell" {...place} />
        if (typing?.column === column.key) {
          return (
            <div key={column.key} class={`gc edit ${column.isNumeric ? 'num' : ''}`} role="gridcell" {...place}>
              <Editor view={view} row={typing.row} column={column} />
            </div>
          )
        }
        const error = edit.errors.value[column.key]
        return (
          <div
            key={column.key}
            class={`gc ${column.isNumeric ? 'num' : ''}`}
            role="gridcell"
            {...place}
            tabIndex={-1}
            aria-invalid={error === undefined ? undefined : true}
            data-tip={error}
          >
            {drawCell({ column, value: edit.draft.get(column.key), record: edit.record }) || (
              <span class="t3">{column.label}</span>
            )}
          </div>
        )
      })}
      <div class="gc ctl end" role="gridcell" data-m="hide">
        <button
          type="button"
          class="btn icon ghost sm"
          tabIndex={-1}
          aria-label={t('Discard changes')}
          data-tip={t('Discard changes')}
          onClick={() => view.discard(0)}
        >
          <Icon name="x" />
        </button>
      </div>
    </div>
  )
}
