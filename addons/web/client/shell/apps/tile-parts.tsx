import { useEffect, useState } from 'preact/hooks'
import type { WireApp } from '../../../../../kernel/view/wire.ts'
import { formatInteger } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import { allMenus } from '../../router/menus.ts'
import { defaultFavourite } from '../../search/query/favourites.ts'
import { services } from '../../services.ts'
import { countRecords } from '../../store/queries.ts'
import { Button } from '../../ui/button.tsx'
import { isPinned, togglePin } from './pins.ts'

// Counts are cached for the lifetime of the page: the home page is opened often, and counting each time would slow it
// down.
const counted = new Map<string, Promise<number>>()

/** Caption of an application: the number of records it opens with, or its summary. */
export function AppCaption({ app }: { readonly app: WireApp }) {
  const [count, setCount] = useState<number | null>(null)
  const { rpc, session } = services()
  const root = session.bootstrap.topMenus.find(({ id }) => id === app.menuId)
  const first = root && allMenus([root]).find(({ model }) => model !== undefined)
  const { opens } = app
  useEffect(() => {
    // A default search of the user opens other records than the action itself.
    if (opens === undefined || defaultFavourite(opens.model, opens.actionId)) return
    const asked = counted.get(app.module) ?? countRecords(rpc, opens.model, opens.domain)
    counted.set(app.module, asked)
    // If the count fails, the summary stays.
    asked.then(setCount, () => counted.delete(app.module))
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
