import type { ArchNode } from '../../../../../../kernel/view/arch/arch.ts'
import { holds } from '../../../core/expression.ts'
import { t } from '../../../core/i18n.ts'
import { prefill, takePrefilled } from '../../../router/open-record.ts'
import { services } from '../../../services.ts'
import { unlinkRecords, writeRecords } from '../../../store/queries.ts'
import type { RecordEntry, Values } from '../../../store/records.ts'
import type { MenuItem } from '../../../ui/menu.tsx'
import { showError, showToast, undoAction } from '../../../ui/toasts.tsx'
import { offerUndo } from '../../../ui/undo.ts'
import { isX2many } from '../model/arch.ts'
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
            run: () => void (own ? runFormButton(form, own) : duplicate(form)),
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
    ...(access.write && archivable
      ? [
          isActive
            ? ({ label: t('Archive'), icon: 'archive', run: () => void archive(form, id, false) } as const)
            : ({ label: t('Unarchive'), icon: 'archive-restore', run: () => void archive(form, id, true) } as const),
        ]
      : []),
    ...(access.unlink
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

/** Opens the form of a new record, filled with the values of this one. Nothing is created until it is saved. */
async function duplicate(form: FormModel): Promise<void> {
  const { arch, draft, workspace } = form
  const { rpc } = services()
  try {
    const values: Record<string, unknown> = {}
    for (const field of arch.fields.values()) {
      if (field.readonly || field.uncopied) continue
      if (!isX2many(field)) values[field.name] = draft.get(field.name)
      else if (field.type === 'many2many') values[field.name] = draft.get(field.name)
      else values[field.name] = await copyLines(field.name)
    }
    await openCopy(form, values)
  } catch (error) {
    showError(error)
  }

  /** Reads the lines of a field and returns them as new lines with the same values. */
  async function copyLines(name: string): Promise<readonly unknown[]> {
    const related = workspace.arch.related[name]
    const ids = draft.lines(name).rows.filter((id) => id > 0)
    const columns = related?.fields.filter((column) => !column.readonly && !column.uncopied) ?? []
    if (!related || ids.length === 0 || columns.length === 0) return []
    const rows = await rpc.read(
      related.model,
      ids,
      columns.map((column) => column.name),
    )
    return rows.map(({ id: _, ...line }, index) => [0, -1 - index, line])
  }
}

/** Opens the form of a new record with these values. */
export async function openCopy({ draft, workspace }: FormModel, values: Values, options = {}): Promise<void> {
  prefill(draft.model, values)
  if (!(await services().router.go(formHref(workspace, null), { isSibling: true, ...options })))
    takePrefilled(draft.model)
}

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
