import type { ArchNode } from '../../../../../../kernel/view/arch/arch.ts'
import { holds } from '../../../core/expression.ts'
import { t } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import { unlinkRecords, writeRecords } from '../../../store/queries.ts'
import type { RecordEntry } from '../../../store/records.ts'
import type { MenuItem } from '../../../ui/menu.tsx'
import { showError, showToast, undoAction } from '../../../ui/toasts.tsx'
import { offerUndo } from '../../../ui/undo.ts'
import { formParts } from '../model/deferred-parts.ts'
import type { FormModel } from '../model/model.ts'
import { formHref, listHref } from '../model/navigate.ts'
import { refreshForm, saveForm, showSaveError } from '../save/save.ts'
import { runFormButton } from './run-button.tsx'

/** Menu items that act on the whole record: duplicate, print, archive, delete. Items the user has no right to are left out. */
export function recordActions(form: FormModel): readonly MenuItem[] {
  const { arch, workspace, entry, id } = form
  const { access, archivable } = workspace.arch
  if (id === null || !entry || entry.deleted.value) return []
  const own = arch.buttons.find((node) => isDuplicate(node) && !holds(node.attrs['invisible'], form.scope.peek()))
  const isActive = entry.values.base.peek()['active'] !== false
  return [
    ...(access.create
      ? [
          {
            label: t('Duplicate'),
            icon: 'copy',
            // A model with its own copy action provides a button for it, which is used instead.
            run: () =>
              void (own
                ? runFormButton(form, own)
                : formParts.load().then(({ duplicate }) => duplicate(form), showError)),
          } as const,
        ]
      : []),
    {
      label: t('Save as PDF'),
      icon: 'download',
      run() {
        const href = `/web/export/pdf?model=${form.draft.model}&id=${id}&fields=${[...arch.fields.keys()]}`
        Object.assign(document.createElement('a'), { href, download: '' }).click()
      },
    },
    ...(services().session.bootstrap.user.isAdmin
      ? [
          {
            label: t('Explain access'),
            icon: 'shield',
            run: () => void services().router.go(`/web/settings/access#model=${form.draft.model}&id=${id}&op=write`),
          } as const,
        ]
      : []),
    ...(access.write && archivable
      ? [
          isActive
            ? ({ label: t('Archive'), icon: 'archive', run: () => void archive(form, id, false) } as const)
            : ({ label: t('Unarchive'), icon: 'archive-restore', run: () => void archive(form, id, true) } as const),
        ]
      : []),
    ...(access.unlink && !holds(workspace.arch.root.attrs['undeletable'], form.scope.peek())
      ? [
          {
            label: t('Delete'),
            icon: 'trash-2',
            isDanger: true,
            isSeparated: true,
            run: () => void deleteLater(form, entry),
          } as const,
        ]
      : []),
  ]
}

export const isDuplicate = ({ attrs }: ArchNode): boolean => attrs['name'] === 'action_duplicate'

async function archive(form: FormModel, id: number, active: boolean): Promise<void> {
  const { rpc } = services()
  if (form.isDirty.peek() && (await saveForm(form)) === null) return
  try {
    await writeRecords(rpc, form.draft.model, [id], { active })
    await refreshForm(form, id)
    showToast({
      level: 'success',
      text: active ? t('Unarchived') : t('Archived'),
      action: undoAction(() => void archive(form, id, !active)),
    })
  } catch (error) {
    showSaveError(form, error)
  }
}

/** Leaves the form and deletes the record after a delay, during which the user can undo; one that cannot be deleted stays. */
async function deleteLater(form: FormModel, entry: RecordEntry): Promise<void> {
  const { rpc, router } = services()
  const { model, id } = entry
  const name = String(entry.values.base.peek()['display_name'] ?? id)
  const back = formHref(form.workspace, id)
  const { deletable } = await import('../../shared/ask-before.tsx')
  if ((await deletable(model, [id])).length === 0) return
  form.discard()
  await router.go(listHref(form.workspace), { force: true })
  entry.deleted.value = true
  const restore = () => {
    entry.deleted.value = false
  }
  offerUndo({
    text: t('{name} deleted', { name }),
    undo() {
      restore()
      void router.go(back)
    },
    run(isLeaving) {
      unlinkRecords(rpc, model, [id], { keepalive: isLeaving }).catch((error: unknown) => {
        restore()
        showError(error)
      })
    },
  })
}
