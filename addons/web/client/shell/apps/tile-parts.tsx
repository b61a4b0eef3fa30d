import { useEffect, useState } from 'preact/hooks'
import type { WireApp } from '../../../../../kernel/view/wire.ts'
import { formatInteger } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import { allMenus } from '../../router/menus.ts'
import { services } from '../../services.ts'
import { countRecords } from '../../store/queries.ts'
import { Button } from '../../ui/button.tsx'
import { isPinned, togglePin } from './pins.ts'

// Counts are cached for the lifetime of the page: the home page is opened often, and counting each time would slow it
// down.
const counted = new Map<string, Promise<number>>()

/** Caption of an application: the number of records of its first menu, or its summary. */
export function AppCaption({ app }: { readonly app: WireApp }) {
  const [count, setCount] = useState<number | null>(null)
  const { rpc, session } = services()
  const root = session.bootstrap.topMenus.find(({ id }) => id === app.menuId)
  const first = root && allMenus([root]).find(({ model }) => model !== undefined)
  useEffect(() => {
    if (first?.model === undefined) return
    const asked = counted.get(first.model) ?? countRecords(rpc, first.model, [])
    counted.set(first.model, asked)
    // If the count fails, the summary stays.
    asked.then(setCount, () => counted.delete(first.model ?? ''))
  }, [])
  return (
    <span class="t2 fs12 cut">
      {count === null || !first ? app.summary : t('{n} in {menu}', { n: formatInteger(count), menu: first.name })}
    </span>
  )
}

export function PinButton({ app }: { readonly app: WireApp }) {
  const pinned = isPinned(app.module)
  return (
    <Button
      label={pinned ? t('Unpin {app}', { app: app.name }) : t('Pin {app}', { app: app.name })}
      icon={pinned ? 'pin-off' : 'pin'}
      iconOnly
      kind="ghost"
      size="sm"
      class="grab"
      onClick={() => togglePin(app.module)}
    />
  )
}
