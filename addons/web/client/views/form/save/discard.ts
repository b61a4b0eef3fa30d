import { t } from '../../../core/i18n.ts'
import { formatRoute } from '../../../router/codec.ts'
import { services } from '../../../services.ts'
import { showToast, undoAction } from '../../../ui/toasts.tsx'
import type { FormModel } from '../model/model.ts'
import { goBack } from '../model/navigate.ts'
import { restoreDiscarded } from './pending-changes.ts'

/**
 * Discards the changes and shows a toast with Undo, which restores them even after the user has left the form. The form
 * of a new record is closed.
 */
export function discardForm(form: FormModel, isShown: () => boolean): void {
  const { router } = services()
  const { draft, id, workspace } = form
  const address = formatRoute(router.route.peek())
  const kept = draft.snapshot()
  const wasDirty = form.isDirty.peek()
  form.discard()
  if (id === null) goBack(workspace)
  if (!wasDirty) return
  showToast({
    level: 'info',
    text: t('Changes discarded'),
    action: undoAction(() => {
      if (isShown()) {
        draft.restore(kept)
        form.touch()
      } else restoreDiscarded(draft.model, id ?? 0, kept)
      // Also while the form is still shown because the page before it is loading.
      if (formatRoute(router.route.peek()) !== address) void router.go(address, { force: true })
    }),
  })
}
