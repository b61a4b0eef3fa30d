import type { ArchNode } from '../../../../../../kernel/view/arch/arch.ts'
import { holds } from '../../../core/expression.ts'
import { t } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import type { MenuItem } from '../../../ui/menu.tsx'
import { showError } from '../../../ui/toasts.tsx'
import { type FormParts, formParts } from '../model/deferred-parts.ts'
import type { FormModel } from '../model/model.ts'
import { runFormButton } from './run-button.tsx'

const act = (run: (parts: FormParts) => unknown): unknown => formParts.load().then(run, showError)

/** Menu items that act on the whole record: duplicate, print, archive, delete. Items without the required right are left out. */
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
            run: () => (own ? void runFormButton(form, own) : act(({ duplicate }) => duplicate(form))),
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
            ? ({
                label: t('Archive'),
                icon: 'archive',
                run: () => act(({ archive }) => archive(form, id, false)),
              } as const)
            : ({
                label: t('Unarchive'),
                icon: 'archive-restore',
                run: () => act(({ archive }) => archive(form, id, true)),
              } as const),
        ]
      : []),
    ...(access.unlink && !holds(workspace.arch.root.attrs['undeletable'], form.scope.peek())
      ? [
          {
            label: t('Delete'),
            icon: 'trash-2',
            isDanger: true,
            isSeparated: true,
            run: () => act(({ deleteLater }) => deleteLater(form, entry)),
          } as const,
        ]
      : []),
  ]
}

export const isDuplicate = ({ attrs }: ArchNode): boolean => attrs['name'] === 'action_duplicate'
