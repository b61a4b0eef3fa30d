import type { WireField } from '../../../../../../kernel/view/wire.ts'
import { t } from '../../../core/i18n.ts'
import { plainRecord } from '../../../store/plain-record.ts'
import type { Values } from '../../../store/records.ts'
import type { ListModel } from '../model/model.ts'
import type { FieldColumn, ListColumn } from './arch.ts'
import { drawCell } from './cell.tsx'
import { isMixed, type Totals } from './totals.ts'

/** Number of columns before the first total, which the label can span. */
export function leadSpan(columns: readonly ListColumn[]): number {
  const at = columns.findIndex((column) => column.kind === 'field' && column.total !== null)
  return Math.max(1, at < 0 ? columns.length : at)
}

/** Total of a group or of the whole list in its currency; amounts in several currencies are not added up. */
export function TotalValue({
  model,
  column,
  totals,
}: {
  readonly model: ListModel
  readonly column: FieldColumn
  readonly totals: Totals
}) {
  const { field } = column
  const value = totals[field.name]
  if (value === null || value === undefined) return null
  if (isMixed(totals, field.name)) {
    return (
      <span class="t3" data-tip={t('Several currencies')}>
        –<span class="vh">{t('Several currencies')}</span>
      </span>
    )
  }
  return (
    <>{drawCell({ column, value, record: plainRecord({ model: model.arch.model }, currencyValues(model, field)) })}</>
  )
}

/** The currency of all amounts; empty if there are several, so that the number is shown without one. */
function currencyValues({ workspace, totals }: ListModel, { name, currencyField }: WireField): Values {
  const [first] = workspace.value.records
  if (currencyField === undefined || first === undefined || isMixed(totals.value ?? {}, name)) return {}
  return { [currencyField]: first[currencyField] }
}
