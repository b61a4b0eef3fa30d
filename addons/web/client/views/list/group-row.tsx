import { formatInteger, type Group, Icon, splitGroupItem, t, valuesOf } from '../../sdk.ts'
import type { Column, FieldColumn } from './arch.ts'
import { currencyOf, formatNumber } from './cell-text.ts'
import { Amount, State } from './cells.tsx'
import { groupLabel } from './grouping.ts'
import type { ListModel } from './model.ts'
import type { LineProps } from './row.tsx'
import { isMixed, type Totals } from './totals.ts'

export interface GroupRowProps extends LineProps {
  readonly group: Group
  readonly path: string
  readonly columns: readonly Column[]
}

/** The heading of a group: opens and closes it, sums it up, selects what is loaded of it. */
export function GroupRow({ view, group, path, columns, line, top, level, focus }: GroupRowProps) {
  const { model } = view
  const label = groupLabel(group, model.arch.fields)
  const inside = group.inside.value
  const ids = inside?.kind === 'list' ? inside.list.ids.value.value.filter((id) => id !== undefined) : []
  const chosen = model.selection.ids.value
  const isChosen = ids.length > 0 && ids.every((id) => chosen.has(id))
  const lead = leadSpan(columns)
  const { field } = splitGroupItem(group.item, model.arch.fields)
  return (
    <div
      class={focus >= 0 ? 'gr group focus' : 'gr group'}
      role="row"
      aria-rowindex={line + 2}
      aria-level={level}
      aria-expanded={group.isOpen.value}
      data-line={line}
      style={{ insetBlockStart: `${top}px`, '--level': level - 1 }}
    >
      <div class="gc ctl" role="gridcell" data-m="x" data-col={0} tabIndex={focus === 0 ? 0 : -1}>
        <input
          type="checkbox"
          class="check"
          tabIndex={-1}
          aria-label={t('Select {name}', { name: label })}
          checked={isChosen}
          disabled={ids.length === 0}
          onClick={() => model.selection.set(ids, !isChosen)}
        />
      </div>
      <div
        class="gc lead"
        role="gridcell"
        data-m="gtitle"
        data-col={1}
        tabIndex={focus >= 1 ? 0 : -1}
        style={{ gridColumn: `span ${lead + (model.arch.handle === null ? 0 : 1)}` }}
      >
        <button type="button" class="twist" tabIndex={-1} onClick={() => model.toggleGroup(group, path)}>
          <Icon name="chevron-right" size="s" class="chev" />
          {field?.type === 'selection' && group.value !== null ? (
            <State value={String(group.value)} label={label} />
          ) : (
            <span class="cut">{label}</span>
          )}
          <span class="count">{formatInteger(group.count)}</span>
        </button>
      </div>
      {columns.slice(lead).map((column) => (
        <div key={column.key} class="gc num" role="gridcell" data-m={model.card.value.get(column.key) === 'amount' ? 'gsum' : 'x'}>
          {column.kind === 'field' && column.total !== null && (
            <Sum model={model} column={column} totals={group.measures} />
          )}
        </div>
      ))}
      <div class="gc" role="gridcell" />
    </div>
  )
}

/** Columns before the first sum: the heading may spread over them. */
export function leadSpan(columns: readonly Column[]): number {
  const at = columns.findIndex((column) => column.kind === 'field' && column.total !== null)
  return Math.max(1, at < 0 ? columns.length : at)
}

/** A sum of a group or of everything, in its currency; amounts of several currencies are not added up. */
export function Sum({ model, column, totals }: { readonly model: ListModel; readonly column: FieldColumn; readonly totals: Totals }) {
  const { field, widget } = column
  const value = totals[field.name]
  if (value === null || value === undefined) return null
  if (field.type !== 'monetary') return <>{formatNumber(value, field, widget)}</>
  if (isMixed(totals, field.name)) {
    return (
      <span class="t3" data-tip={t('Several currencies')}>
        –<span class="vh">{t('Several currencies')}</span>
      </span>
    )
  }
  return <Amount value={value} currency={sumCurrency(model, field)} field={field} />
}

/** The currency of all amounts, when there is but one; else the figure stands alone. */
function sumCurrency({ loadedIds, entryOf, totals }: ListModel, field: FieldColumn['field']): string | null {
  const [first] = loadedIds()
  if (first === undefined || isMixed(totals.value ?? {}, field.name)) return null
  return currencyOf(field, valuesOf(entryOf(first)).value)
}
