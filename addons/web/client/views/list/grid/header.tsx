import { useRef, useState } from 'preact/hooks'
import { t } from '../../../core/i18n.ts'
import type { Group } from '../../../store/group.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { FieldColumn } from '../column/arch.ts'
import { listParts, withListParts } from '../model/deferred-parts.ts'
import type { ListView } from '../model/list-view.ts'
import type { ListModel } from '../model/model.ts'
import { Chooser } from './column-chooser.tsx'

/** The heading row: sorts, resizes and moves columns. */
export function Head({ view }: { readonly view: ListView }) {
  const { model } = view
  const columns = model.columns.value
  const cursor = model.cursor.value
  const focus = cursor.line < 0 ? cursor.column : -1
  return (
    <div role="rowgroup" class="gh">
      <div
        class="gr head"
        role="row"
        aria-rowindex={1}
        data-line={-1}
        onKeyDown={(event) => listParts.value?.pressInHeader(event, view)}
      >
        <div class="gc ctl" role="columnheader" data-col={0}>
          <SelectAll view={view} isFocused={focus === 0} />
        </div>
        {model.arch.handle !== null && (
          <div class="gc" role="columnheader">
            <span class="vh">{t('Order')}</span>
          </div>
        )}
        {columns.map((column, index) =>
          column.kind === 'buttons' ? (
            <div key={column.key} class="gc" role="columnheader" data-col={index + 1}>
              <span class="vh">{t('Actions')}</span>
            </div>
          ) : (
            <HeadCell
              key={column.key}
              view={view}
              column={column}
              col={index + 1}
              isFocused={focus === index + 1}
              isFirst={index === 0}
            />
          ),
        )}
        <div class="gc ctl end" role="columnheader" data-col={columns.length + 1}>
          <Chooser model={model} isFocused={focus === columns.length + 1} />
        </div>
      </div>
    </div>
  )
}

function SelectAll({ view: { model }, isFocused }: { readonly view: ListView; readonly isFocused: boolean }) {
  const { selection } = model
  // Reading the layout subscribes to the loaded rows.
  void model.layout.value
  const loaded = model.loadedIds()
  const isFull = selection.isAll.value || (loaded.length > 0 && loaded.every(selection.has))
  const isPart = selection.isAny.value && !isFull
  return (
    <input
      type="checkbox"
      class="check"
      tabIndex={isFocused ? 0 : -1}
      aria-label={t('Select all rows')}
      checked={isFull}
      indeterminate={isPart}
      {...(isPart && { 'data-mixed': '' })}
      onClick={() => {
        if (selection.isAny.peek()) selection.clear()
        // If all groups are closed, no rows are loaded; "select all" then selects everything that matches.
        else if (loaded.length === 0) selection.all([])
        else selection.only(loaded)
      }}
    />
  )
}

interface HeadCellProps {
  readonly view: ListView
  readonly column: FieldColumn
  readonly col: number
  readonly isFocused: boolean
  readonly isFirst: boolean
}

function HeadCell({ view, column, col, isFocused, isFirst }: HeadCellProps) {
  const { model } = view
  const [isTarget, setTarget] = useState(false)
  const cell = useRef<HTMLDivElement>(null)
  const { listSort } = model.workspace.value
  const direction = listSort === column.key ? 'ascending' : listSort === `-${column.key}` ? 'descending' : undefined
  return (
    <div
      ref={cell}
      class={['gc', column.isNumeric && 'num', isTarget && 'target'].filter(Boolean).join(' ')}
      role="columnheader"
      data-col={col}
      aria-sort={direction}
      draggable
      onDragStart={(event) => {
        event.dataTransfer?.setData(DRAGGED, column.key)
        if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move'
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes(DRAGGED)) return
        event.preventDefault()
        setTarget(true)
      }}
      onDragLeave={() => setTarget(false)}
      onDrop={(event) => {
        const key = event.dataTransfer?.getData(DRAGGED)
        setTarget(false)
        if (key) withListParts(({ dropColumn }) => dropColumn(model, key, column.key))
      }}
    >
      {isFirst && model.groups.value !== null && <FoldAll model={model} groups={model.groups.value} />}
      <button
        type="button"
        class="sort"
        tabIndex={isFocused ? 0 : -1}
        disabled={!column.field.sortable}
        {...(column.field.help !== undefined && { 'data-tip': column.field.help })}
        onClick={() => withListParts(({ sortBy }) => sortBy(model, column.key))}
      >
        <span class="cut">{column.label}</span>
        {direction !== undefined && <Icon name={direction === 'ascending' ? 'arrow-up' : 'arrow-down'} />}
      </button>
      <span
        class="grip"
        aria-hidden="true"
        onPointerDown={(event) => cell.current && listParts.value?.resizeColumn(event, cell.current, model, column)}
        onDblClick={() => cell.current && listParts.value?.fitColumn(cell.current, model, column)}
      />
    </div>
  )
}

/** Opens or closes all groups. With the keyboard: Shift and an arrow key on any group row. */
function FoldAll({ model, groups }: { readonly model: ListModel; readonly groups: readonly Group[] }) {
  const isAnyOpen = groups.some(({ isOpen }) => isOpen.value)
  const label = isAnyOpen ? t('Fold all groups') : t('Open all groups')
  return (
    <button
      type="button"
      class="foldall"
      tabIndex={-1}
      aria-label={label}
      data-tip={label}
      onClick={() => model.foldAll(!isAnyOpen)}
    >
      <Icon name="chevrons-up-down" />
    </button>
  )
}

const DRAGGED = 'application/x-modulus-column'
