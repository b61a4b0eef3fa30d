import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import { confirm } from '../../../ui/dialog.tsx'

/** The ways to save what has been typed and is not saved yet; each answers whether it is saved now. */
export type UnsavedTexts = Set<() => Promise<boolean>>

/** Saves them when the connection is back and before they would be left; asks where that does not work. */
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
