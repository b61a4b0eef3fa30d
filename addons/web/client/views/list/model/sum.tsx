import type { WireDomain } from '../../../../../../kernel/view/wire.ts'
import { deferredComponent } from '../../../core/deferred.tsx'
import { plainRecord } from '../../../store/plain-record.ts'
import type { FieldColumn, ListColumn } from '../column/arch.ts'
import { drawCell } from '../column/cell.tsx'
import { isMixed, type Totals } from '../column/totals.ts'
import { listParts } from './deferred-parts.ts'
import type { ListModel } from './model.ts'

/** Number of columns before the first total, which the label can span. */
export function leadSpan(columns: readonly ListColumn[]): number {
  const at = columns.findIndex((column) => column.kind === 'field' && column.total !== null)
  return Math.max(1, at < 0 ? columns.length : at)
}

export interface TotalValueProps {
  readonly model: ListModel
  readonly column: FieldColumn
  readonly totals: Totals
  /** The records it is the total of. */
  readonly domain: WireDomain
}

const ListSums = deferredComponent(listParts, (parts) => parts.ListSums)

/** Total of a group or of the whole list in its currency; if the list has several currencies, one for each. */
export function TotalValue(props: TotalValueProps) {
  const { model, column, totals } = props
  const { field } = column
  const value = totals[field.name]
  if (value == null) return null
  if (isMixed(model.totals.value ?? totals, field.name)) return <ListSums {...props} />
  return <>{drawCell({ column, value, record: plainRecord({ model: model.arch.model }, model.currencies.value) })}</>
}
