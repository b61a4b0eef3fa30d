import { deferred } from '../../../core/deferred.tsx'
import { orderOf } from '../../../router/codec.ts'
import { showError } from '../../../ui/toasts.tsx'
import { countOf, countText } from '../model/layout.ts'
import type { ListModel } from '../model/model.ts'

const exportDialog = deferred(() => import('../../../export/dialog.tsx'))

/** Opens the dialog that makes a file of the listed or selected records. */
export async function exportList({ arch, columns, domain, list, selection, workspace }: ListModel): Promise<void> {
  const { actionId, title, listSort } = workspace.peek()
  try {
    const { openExport } = await exportDialog.load()
    await openExport({
      model: arch.model,
      title,
      actionId,
      domain: domain.peek(),
      order: listSort === '' ? arch.defaultOrder : orderOf(listSort),
      // All that match need no list of ids.
      selected: selection.isAll.peek() ? [] : [...selection.ids.peek()],
      matching: countOf(list),
      matchingText: countText(list),
      columns: columns
        .peek()
        .flatMap((column) =>
          column.kind === 'field' ? [{ path: column.field.name, label: column.label, type: column.field.type }] : [],
        ),
    })
  } catch (error) {
    showError(error)
  }
}
