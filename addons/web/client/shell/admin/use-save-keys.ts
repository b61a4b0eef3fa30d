import { useLayoutEffect } from 'preact/hooks'
import { hotkeys } from '../../core/hotkeys.ts'
import { t } from '../../core/i18n.ts'
import { services } from '../../services.ts'
import { confirm } from '../../ui/dialog.tsx'

export interface SaveKeys {
  readonly isDirty: boolean
  /** Heading of the keys in the list of shortcuts. */
  readonly group: string
  /** Names the unsaved changes in the question before leaving. */
  readonly text: string
  readonly save: () => unknown
  readonly discard: () => void
}

/** While there are changes Ctrl+S saves, Escape discards, and leaving asks first. */
export function useSaveKeys({ isDirty, group, text, save, discard }: SaveKeys): void {
  // A layout effect, so that the keys work as soon as the save button is visible.
  useLayoutEffect(() => {
    if (!isDirty) return
    const stops = [
      hotkeys.add({ keys: 'mod+s', label: t('Save'), group, run: () => void save() }),
      hotkeys.add({ keys: 'escape', label: t('Discard'), group, run: discard }),
      services().router.guards.add(
        () =>
          confirm({
            title: t('Discard your changes?'),
            text,
            action: t('Discard'),
            cancel: t('Keep editing'),
          }),
        () => isDirty,
      ),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  })
}
