import { t } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import { confirm } from '../../../ui/dialog.tsx'
import type { ListView } from '../model/list-view.ts'
import { readTyped } from './edit-keys.ts'

/** Saves a row when the focus or a click leaves it; asks before the page is left with rows that could not be saved. */
export function saveOnLeave(view: ListView, box: HTMLElement): () => void {
  const { editing } = view
  const outside = ({ target }: Event) => {
    const place = editing.place.peek()
    if (!place || !(target instanceof Element) || target.closest('dialog, [popover], .toasts')) return
    const row = box.querySelector(`[data-id="${place.row.id ?? 0}"]`)
    if (!row?.isConnected || row.contains(target)) return
    readTyped(view)
    void editing.leave()
  }
  document.addEventListener('pointerdown', outside)
  document.addEventListener('focusin', outside)
  const removeGuard = services().router.guards.add(
    async () =>
      (await editing.saveAll()) ||
      confirm({
        title: t('Leave without saving?'),
        text: t('Some rows have changes that are not saved.'),
        action: t('Leave'),
        isDanger: true,
      }),
    editing.isDirty,
  )
  return () => {
    document.removeEventListener('pointerdown', outside)
    document.removeEventListener('focusin', outside)
    removeGuard()
  }
}
