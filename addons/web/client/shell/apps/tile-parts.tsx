import { useEffect, useState } from 'preact/hooks'
import type { WireApp } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import { recordsText } from '../../core/records-text.ts'
import { onRecordChanges } from '../../net/record-changes.ts'
import { defaultFavourite } from '../../search/query/favourites.ts'
import { services } from '../../services.ts'
import { countRecords } from '../../store/queries.ts'
import { Button } from '../../ui/button.tsx'
import { isPinned, togglePin } from './pins.ts'

/** The last counts, shown until new ones arrive. */
const counted = new Map<string, number>()

/** Caption of an application: the number of records it opens with, which follows every change, or its summary. */
export function AppCaption({ app }: { readonly app: WireApp }) {
  const [count, setCount] = useState<number | null>(counted.get(app.module) ?? null)
  const { rpc, bus } = services()
  const { opens } = app
  useEffect(() => {
    // A default search of the user opens other records than the action itself.
    if (opens?.recordNames === undefined || defaultFavourite(opens.model, opens.actionId)) return
    let isGone = false
    const ask = () =>
      void countRecords(rpc, opens.model, opens.domain).then(
        (n) => {
          counted.set(app.module, n)
          if (!isGone) setCount(n)
        },
        // After a failure the shown text stays.
        () => undefined,
      )
    ask()
    const stop = onRecordChanges(bus, [opens.model], ask)
    return () => {
      isGone = true
      stop()
    }
  }, [])
  return (
    <span class="t2 fs12 cap">
      {count === null || opens?.recordNames === undefined ? app.summary : recordsText(count, opens.recordNames)}
    </span>
  )
}

export function PinButton({ app }: { readonly app: WireApp }) {
  const pinned = isPinned(app.module)
  const id = `pin-${app.module}`
  return (
    <Button
      id={id}
      label={pinned ? t('Unpin {app}', { app: app.name }) : t('Pin {app}', { app: app.name })}
      icon={pinned ? 'pin-off' : 'pin'}
      iconOnly
      kind="ghost"
      size="sm"
      class="grab"
      onClick={() => {
        togglePin(app.module)
        // The tile is drawn anew among the others.
        requestAnimationFrame(() => document.getElementById(id)?.focus())
      }}
    />
  )
}
