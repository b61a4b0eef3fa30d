import { formatInteger } from '../../../core/format.ts'
import { t } from '../../../core/i18n.ts'
import { type FieldProps, findField } from '../../../core/registries.ts'
import { type Group, splitGroupItem } from '../../../store/group.ts'
import { plainRecord } from '../../../store/plain-record.ts'
import { Icon } from '../../../ui/icon.tsx'
import { groupLabel } from '../../group-label.ts'
import type { ListColumn } from '../column/arch.ts'
import type { LineProps } from '../grid/row.tsx'
import { leadSpan, TotalValue } from '../model/sum.tsx'
import { selectGroup } from '../select/bulk.ts'

/** Renders the state of a group with its icon, as in the rows. */
const StateWidget = (props: Pick<FieldProps, 'field' | 'value' | 'record'>) => {
  const { Widget } = findField('list', 'selection', 'badge')
  return (
    <Widget {...props} node={NO_NODE} id="" readonly required={false} error={null} view="list" onChange={noChange} />
  )
}

const NO_NODE = { tag: 'field', attrs: {}, children: [], addon: '' } as const
const noChange = () => undefined

export interface GroupRowProps extends LineProps {
  readonly group: Group
  readonly path: string
  readonly columns: readonly ListColumn[]
}

/** Heading of a group: opens and closes it, shows its totals, and selects its records. */
export function GroupRow({ view, group, path, columns, line, top, level, focus }: GroupRowProps) {
  const { model } = view
  const label = groupLabel(group, model.groupFields)
  const inside = group.inside.value
  const ids = inside?.kind === 'list' ? inside.list.ids.value.value.filter((id) => id !== undefined) : []
  const chosen = model.selection.ids.value
  const isChosen = model.selection.isAll.value || (ids.length > 0 && ids.every((id) => chosen.has(id)))
  const lead = leadSpan(columns)
  const { field } = splitGroupItem(group.item, model.groupFields)
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
          onClick={() => void selectGroup(model, group, !isChosen)}
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
            <StateWidget field={field} value={group.value} record={plainRecord({ model: model.arch.model }, {})} />
          ) : (
            <span class="cut">{label}</span>
          )}
          <span class="count">{formatInteger(group.count)}</span>
        </button>
      </div>
      {columns.slice(lead).map((column) => (
        <div
          key={column.key}
          class="gc num"
          role="gridcell"
          data-m={model.card.value.get(column.key) === 'amount' ? 'gsum' : 'x'}
        >
          {column.kind === 'field' && column.total !== null && (
            <TotalValue model={model} column={column} totals={group.measures} domain={group.domain} />
          )}
        </div>
      ))}
      <div class="gc" role="gridcell" />
    </div>
  )
}
