import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import { confirm } from '../../../ui/dialog.tsx'

/** Functions that save typed texts; each resolves to whether the text is saved. */
export type UnsavedTexts = Set<() => Promise<boolean>>

/** Saves unsaved texts when the connection is back and before the page is left; asks the user if that fails. */
export function useUnsavedTexts(): UnsavedTexts {
  const { current: unsaved } = useRef<UnsavedTexts>(new Set())
  const saveAll = async () => (await Promise.all([...unsaved].map((save) => save()))).every(Boolean)
  const isOnline = services().session.online.value
  useEffect(() => {
    if (isOnline) void saveAll()
  }, [isOnline])
  useLayoutEffect(
    () =>
      services().router.guards.add(
        async () =>
          (await saveAll()) ||
          confirm({
            title: t('Leave without saving?'),
            text: t('Some rows have changes that are not saved.'),
            action: t('Leave'),
            isDanger: true,
          }),
        () => unsaved.size > 0,
      ),
    [],
  )
  return unsaved
}
