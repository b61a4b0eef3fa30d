import { valuesOf } from '../../../store/records.ts'
import { sumUp } from '../column/sum-up.ts'
import { type Totals, totalColumns } from '../column/totals.ts'
import type { ListModel } from '../model/model.ts'

/** The totals of the selected rows. */
export const sumSelected = ({ arch, selection, entryOf }: ListModel): Totals =>
  sumUp(
    totalColumns(arch),
    [...selection.ids.value].map((id) => valuesOf(entryOf(id)).value),
  )
