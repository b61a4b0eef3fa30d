import { formatInteger } from '../../../core/format.ts'
import { tn } from '../../../core/i18n.ts'
import { recordsText } from '../../../core/records-text.ts'
import { listParts } from '../model/deferred-parts.ts'
import { countMatching, countText } from '../model/layout.ts'
import type { ListView } from '../model/list-view.ts'
import { leadSpan, TotalValue } from '../model/sum.tsx'

/** Footer with the number of records and the column totals; of the selected rows if there are any. */
export function Foot({ view: { model } }: { readonly view: ListView }) {
  const columns = model.columns.value
  const { selection, arch } = model
  const chosen = selection.ids.value
  const isPart = chosen.size > 0 && !selection.isAll.value
  const totals = isPart ? listParts.value?.sumSelected(model) : model.totals.value
  const lead = leadSpan(columns)
  const total = countMatching(model.list)
  const counted = {
    model,
    totals: totals ?? {},
    domain: isPart ? [['id', 'in', [...chosen]]] : model.domain.value,
  }
  const Measured = listParts.value?.Measured
  return (
    <div role="rowgroup" class="gf">
      <div class="gr total" role="row" aria-rowindex={model.layout.value.count + 2}>
        <div class="gc" role="gridcell" />
        <div
          class="gc"
          role="gridcell"
          data-m="gtitle"
          style={{ gridColumn: `span ${lead + (arch.handle === null ? 0 : 1)}` }}
        >
          {isPart
            ? tn(chosen.size, '{n} selected', '{n} selected', { n: formatInteger(chosen.size) })
            : recordsText(total, model.workspace.value.recordNames, countText(model.list))}
          {Measured && <Measured {...counted} />}
        </div>
        {columns.slice(lead).map((column) => (
          <div
            key={column.key}
            class="gc num"
            role="gridcell"
            data-m={model.card.value.get(column.key) === 'amount' ? 'gsum' : 'x'}
            {...(column.kind === 'field' && column.total !== null && { 'data-tip': column.total.label })}
          >
            {column.kind === 'field' && column.total !== null && <TotalValue {...counted} column={column} />}
          </div>
        ))}
        <div class="gc" role="gridcell" />
      </div>
    </div>
  )
}
