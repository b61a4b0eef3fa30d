import { t } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import { unlinkRecords, writeRecords } from '../../../store/queries.ts'
import type { RecordEntry } from '../../../store/records.ts'
import { showError, showToast, undoAction } from '../../../ui/toasts.tsx'
import { offerUndo } from '../../../ui/undo.ts'
import { deletable } from '../../shared/act/ask-before.tsx'
import type { FormModel } from '../model/model.ts'
import { formHref, listHref } from '../model/navigate.ts'
import { refreshForm, saveForm, showSaveError } from '../save/save.ts'

/** Archives the record or brings it back, with Undo. */
export async function archive(form: FormModel, id: number, active: boolean): Promise<void> {
  const { rpc } = services()
  const again = () => void archive(form, id, active)
  if (form.isDirty.peek() && (await saveForm(form, again)) === null) return
  try {
    await writeRecords(rpc, form.draft.model, [id], { active })
    await refreshForm(form, id)
    showToast({
      level: 'success',
      text: active ? t('Unarchived') : t('Archived'),
      action: undoAction(() => void archive(form, id, !active)),
    })
  } catch (error) {
    showSaveError(form, error, again)
  }
}

/** Leaves the form and deletes the record after a delay, during which the user can undo; a record that cannot be deleted stays. */
export async function deleteLater(form: FormModel, entry: RecordEntry): Promise<void> {
  const { router } = services()
  const { model, id } = entry
  const name = String(entry.values.base.peek()['display_name'] ?? id)
  const back = formHref(form.workspace, id)
  if ((await deletable(model, [id])).length === 0) return
  form.discard()
  await router.go(listHref(form.workspace), { force: true })
  entry.deleted.value = true
  offerUndo({
    text: t('{name} deleted', { name }),
    undo() {
      entry.deleted.value = false
      void router.go(back)
    },
    run: (isLeaving) => void deleteHidden(entry, isLeaving),
  })
}

async function deleteHidden(entry: RecordEntry, isLeaving = false): Promise<void> {
  entry.deleted.value = true
  try {
    await unlinkRecords(services().rpc, entry.model, [entry.id], { keepalive: isLeaving })
  } catch (error) {
    entry.deleted.value = false
    showError(error, () => void deleteHidden(entry))
  }
}
