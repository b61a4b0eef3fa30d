import { useRef, useState } from 'preact/hooks'
import type { WireApp } from '../../../../kernel/view/wire.ts'
import { t } from '../core/i18n.ts'
import { services } from '../services.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { AppTile } from './app-tile.tsx'
import { appIcon } from './navigation.ts'

/** The name of the application, and a menu of the others. */
export function AppSwitcher({ app }: { readonly app: WireApp | null }) {
  const [isOpen, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  const { router, session } = services()
  const go = (href: string) => void router.go(href, { isRoot: true })
  const items: readonly MenuItem[] = [
    { label: t('Home'), icon: 'layout-grid', keys: 'g h', run: () => go('/web/home') },
    ...session.bootstrap.apps.map(({ module, name, href }, index) => ({
      label: name,
      icon: appIcon(module),
      isSeparated: index === 0,
      ...(module === app?.module && { note: t('here') }),
      run: () => go(href),
    })),
    ...(session.bootstrap.user.isAdmin
      ? [{ label: t('All apps'), icon: 'blocks', isSeparated: true, run: () => go('/web/apps') }]
      : []),
  ]
  return (
    <>
      <button
        type="button"
        class="app-btn"
        ref={anchor}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={t('Switch app, now {app}', { app: app?.name ?? 'Modulus' })}
        onClick={() => setOpen(!isOpen)}
      >
        {app === null ? (
          <span class="tile">
            <Icon name="logo" />
          </span>
        ) : (
          <AppTile module={app.module} />
        )}
        <span class="lb cut">{app?.name ?? 'Modulus'}</span>
        <Icon name="chevrons-up-down" size="s" />
      </button>
      {isOpen && <Menu items={items} label={t('Apps')} anchor={anchor} onClose={() => setOpen(false)} />}
    </>
  )
}
