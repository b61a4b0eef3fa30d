import { useEffect, useState } from 'preact/hooks'
import { formatInteger } from '../../../core/format.ts'
import { hotkeys } from '../../../core/hotkeys.ts'
import { t } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import { Button } from '../../../ui/button.tsx'
import type { FormModel } from '../model/model.ts'
import { formHref } from '../model/navigate.ts'
import { findPosition, type RecordPosition } from '../model/record-position.ts'

/** Links to the previous and next record of the list the form was opened from, with keyboard shortcuts. */
export function RecordPager({ form }: { readonly form: FormModel }) {
  const { workspace, id } = form
  const [position, setPosition] = useState<RecordPosition | null>(null)

  useEffect(() => {
    if (id === null) return
    const abort = new AbortController()
    findPosition(workspace, abort.signal).then(setPosition, () => undefined)
    return () => abort.abort()
  }, [])

  useEffect(() => {
    const go = (target: number | null | undefined) => {
      if (target == null) return false
      void services().router.go(formHref(workspace, target), { isSibling: true })
      return true
    }
    const stops = [
      hotkeys.add({
        keys: 'alt+arrowup',
        label: t('Previous record'),
        group: t('Record'),
        inEditor: true,
        run: () => go(position?.previous),
      }),
      hotkeys.add({
        keys: 'alt+arrowdown',
        label: t('Next record'),
        group: t('Record'),
        inEditor: true,
        run: () => go(position?.next),
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [position])

  if (!position) return null
  const step = (label: string, icon: 'chevron-up' | 'chevron-down', keys: string, target: number | null) => (
    <Button
      label={label}
      icon={icon}
      iconOnly
      kind="ghost"
      size="sm"
      keys={keys}
      {...(target === null ? { disabled: true } : { href: formHref(workspace, target) })}
    />
  )
  return (
    <nav class="pager" aria-label={t('Records')}>
      {step(t('Previous record'), 'chevron-up', 'alt+arrowup', position.previous)}
      {step(t('Next record'), 'chevron-down', 'alt+arrowdown', position.next)}
      {position.total !== null && (
        <span class="wide">
          {t('{n} of {total}', { n: formatInteger(position.index + 1), total: formatInteger(position.total) })}
        </span>
      )}
    </nav>
  )
}
