import { useMemo } from 'preact/hooks'
import { holds } from '../../../core/expression.ts'
import { t } from '../../../core/i18n.ts'
import type { FieldRecord } from '../../../core/registries.ts'
import type { ListStore } from '../../../store/list.ts'
import { plainRecord } from '../../../store/plain-record.ts'
import { type RecordEntry, type Values, valuesOf } from '../../../store/records.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useRecentChanges } from '../../../ui/recent-changes.ts'
import type { Decoration, FieldColumn, ListColumn } from '../column/arch.ts'
import { columnText, drawCell } from '../column/cell.tsx'
import { scopeOf } from '../column/scope.ts'
import type { EditPlace } from '../edit/edit.ts'
import type { RowEdit } from '../edit/row-edit.ts'
import { listParts, withListParts } from '../model/deferred-parts.ts'
import type { ListView } from '../model/list-view.ts'

export interface LineProps {
  readonly view: ListView
  /** Index of the row in the grid. */
  readonly line: number
  readonly top: number
  readonly level: number
  /** Column of the cursor; −1 if it is in another row. */
  readonly focus: number
}

export interface ListRowProps extends LineProps {
  readonly list: ListStore
  readonly at: number
  readonly columns: readonly ListColumn[]
  readonly isSelected: boolean
  /** The current date, for conditions. */
  readonly day: string
  readonly edit: RowEdit | null
  /** The cell being edited; null if it is not in this row. */
  readonly typing: EditPlace | null
}

/** A row of the list: a record, or a placeholder while it is loading. */
export function ListRow(props: ListRowProps) {
  const entry = props.list.entryAt(props.at)
  // An entry without values is still loading.
  return entry === null || Object.keys(valuesOf(entry).value).length < 2 ? (
    <WaitRow {...props} />
  ) : (
    <RecordRow {...props} entry={entry} />
  )
}

/** Placeholder of a row that is loading; it becomes visible only after a delay. */
export const WaitRow = ({ line, top, level }: LineProps) => (
  <div
    class="gr wait"
    role="row"
    aria-rowindex={line + 2}
    aria-level={level || undefined}
    aria-busy
    style={{ insetBlockStart: `${top}px` }}
  >
    <div class="gc bars" role="gridcell" data-m="title" />
  </div>
)

function RecordRow(props: ListRowProps & { readonly entry: RecordEntry }) {
  const { view, entry, line, top, columns, isSelected, focus, edit, typing, level, day } = props
  const { model, editing } = view
  const known = valuesOf(entry).value
  const values = edit ? draftValues(known, edit) : known
  const recent = useRecentChanges(entry)
  const isGone = entry.deleted.value
  const End = listParts.value?.RowEnd
  const record = useMemo(() => plainRecord(entry, values), [entry, values])
  const looks = looksOf(model.arch.decorations, values, day)
  const name = rowName(columns, record) || `#${entry.id}`
  return (
    <div
      class={[
        'gr',
        focus >= 0 && 'focus',
        recent.size > 0 && 'live',
        typing !== null && 'typing',
        isGone && 'gone',
        ...looks,
      ]
        .filter(Boolean)
        .join(' ')}
      role="row"
      aria-rowindex={line + 2}
      aria-level={level || undefined}
      aria-selected={isSelected}
      aria-busy={edit?.isSaving.value || undefined}
      data-line={line}
      data-id={entry.id}
      style={{ insetBlockStart: `${top}px` }}
    >
      <div class="gc ctl" role="gridcell" data-m="check" data-col={0} tabIndex={focus === 0 ? 0 : -1}>
        <input
          type="checkbox"
          class="check"
          tabIndex={-1}
          aria-label={t('Select {name}', { name })}
          checked={isSelected}
          onClick={(event) => view.choose(line, entry.id, event.shiftKey)}
        />
      </div>
      {model.arch.handle !== null && (
        <div class="gc grip-cell" role="gridcell" data-m="hide" onPointerDown={(event) => view.drag(event, entry.id)}>
          <span data-tip={t('Drag to move')} data-tip-keys="alt+arrowup">
            <Icon name="grip-vertical" size="s" />
          </span>
        </div>
      )}
      {columns.map((column, index) => {
        const col = index + 1
        const place = {
          'data-col': col,
          'data-m': model.card.value.get(column.key) ?? 'hide',
          'data-label': column.label,
        }
        if (column.kind === 'buttons') {
          return (
            <div key={column.key} class="gc ctl" role="gridcell" {...place} tabIndex={focus === col ? 0 : -1}>
              <RowButtons view={view} column={column} values={values} id={entry.id} />
            </div>
          )
        }
        const Editor = typing?.column === column.key && listParts.value?.Editor
        if (Editor && typing) {
          return (
            <div key={column.key} class={`gc edit ${column.isNumeric ? 'num' : ''}`} role="gridcell" {...place}>
              <Editor view={view} row={typing.row} column={column} />
            </div>
          )
        }
        const error = edit?.errors.value[column.key]
        return (
          <div
            key={column.key}
            class={cellClass(column, values, day, focus === col, recent.has(column.key), edit)}
            role="gridcell"
            {...place}
            tabIndex={focus === col ? 0 : -1}
            aria-invalid={error === undefined ? undefined : true}
            data-tip={error}
          >
            {column.isMain ? (
              <a class="main" href={model.hrefOf(entry.id)} tabIndex={-1}>
                {name}
              </a>
            ) : (
              drawCell({
                column,
                value: values[column.key] ?? null,
                record,
                onToggle:
                  column.widget === 'toggle' && view.mayWrite && !column.field.readonly
                    ? (value) => editing.write(entry.id, { [column.key]: value })
                    : undefined,
              })
            )}
          </div>
        )
      })}
      <div class="gc ctl end" role="gridcell" data-m="hide">
        {End && (recent.size > 0 || isGone || edit !== null) && (
          <End view={view} entry={entry} isRecent={recent.size > 0} isEdited={edit !== null} />
        )}
      </div>
    </div>
  )
}

function RowButtons(props: {
  readonly view: ListView
  readonly column: Extract<ListColumn, { kind: 'buttons' }>
  readonly values: Values
  readonly id: number
}) {
  const scope = scopeOf(props.values)
  return (
    <>
      {props.column.nodes
        .filter(({ attrs }) => !holds(attrs['invisible'], scope))
        .map((node) => {
          const label = node.attrs['string'] ?? node.attrs['name'] ?? ''
          const { icon } = node.attrs
          return (
            <button
              key={node.attrs['name']}
              type="button"
              class={icon === undefined ? 'btn ghost sm' : 'btn icon ghost sm'}
              tabIndex={-1}
              {...(icon !== undefined && { 'aria-label': label, 'data-tip': label })}
              onClick={() => withListParts(({ runListButton }) => runListButton(props.view.model, node, props.id))}
            >
              {icon === undefined ? label : <Icon name={icon} />}
            </button>
          )
        })}
    </>
  )
}

/** The values of a row including its unsaved changes. */
export const draftValues = (known: Values, { draft }: RowEdit): Values => ({
  ...known,
  ...Object.fromEntries(draft.changed.value.map((name) => [name, draft.get(name)])),
})

const looksOf = (decorations: readonly Decoration[], values: Values, day: string): readonly string[] =>
  decorations.flatMap(({ look, condition }) =>
    holds(condition, scopeOf(values, day)) ? [look === 'muted' ? 'off' : `look-${look}`] : [],
  )

/** Types rendered in secondary text colour, since they describe the record rather than name it. */
const QUIET: ReadonlySet<string> = new Set(['char', 'text', 'html', 'date', 'datetime'])

function cellClass(
  column: FieldColumn,
  values: Values,
  day: string,
  isFocused: boolean,
  isRecent: boolean,
  edit: RowEdit | null,
): string {
  const isQuiet = !column.isMain && QUIET.has(column.field.type)
  return [
    'gc',
    column.isNumeric && 'num',
    column.isMain && 'named',
    isQuiet && 't2',
    isFocused && 'cellfocus',
    isRecent && 'changed',
    !column.field.readonly && edit?.draft.changed.value.includes(column.key) && 'dirty',
    ...looksOf(column.decorations, values, day),
  ]
    .filter(Boolean)
    .join(' ')
}

/** Name of a row: the text of its main column. */
function rowName(columns: readonly ListColumn[], record: FieldRecord): string {
  const main = columns.find((column): column is FieldColumn => column.kind === 'field' && column.isMain)
  return main ? columnText(main, record.get(main.key), record) : ''
}
