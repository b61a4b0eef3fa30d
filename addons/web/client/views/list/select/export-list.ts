import { deferred } from '../../../core/deferred.tsx'
import { orderOf } from '../../../router/codec.ts'
import { showError } from '../../../ui/toasts.tsx'
import type { FieldColumn } from '../column/arch.ts'
import { totalColumns } from '../column/totals.ts'
import { countMatching, countText } from '../model/layout.ts'
import type { ListModel } from '../model/model.ts'

const exportDialog = deferred(() => import('../../../export/dialog.tsx'))

/** Opens the dialog that makes a file of the listed or selected records. */
export async function exportList({ arch, columns, domain, list, selection, workspace }: ListModel): Promise<void> {
  const { actionId, title, listSort, domain: allDomain } = workspace.peek()
  try {
    const { openExport } = await exportDialog.load()
    await openExport({
      model: arch.model,
      title,
      actionId,
      domain: domain.peek(),
      allDomain,
      order: listSort === '' ? arch.defaultOrder : orderOf(listSort),
      // All that match need no list of ids.
      selected: selection.isAll.peek() ? [] : [...selection.ids.peek()],
      matching: countMatching(list),
      matchingText: countText(list),
      columns: columns.peek().flatMap((column) => (column.kind === 'field' ? toColumn(column) : [])),
      summed: new Set(totalColumns(arch).flatMap(({ field, total }) => (total?.measure === 'sum' ? field.name : []))),
    })
  } catch (error) {
    showError(error)
  }
}

/** A column of the list, with its heading if that is not the label of the field. */
const toColumn = ({ field: { name, label, type, currencyField }, label: shown }: FieldColumn) => ({
  path: name,
  label,
  type,
  ...(currencyField !== undefined && { currency: currencyField }),
  ...(shown !== label && { heading: shown }),
})
