import type { WireBootstrap } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import { allMenus, appIcon, menuIcon } from '../../router/menus.ts'
import type { PaletteEntry } from './palette-entries.ts'

/** Applications, pages and menus. They are part of the page, so they are found without the server. */
export function placeEntries({ apps, topMenus, user }: WireBootstrap): readonly PaletteEntry[] {
  const search = t('Go to')
  const pages: readonly PaletteEntry[] = [
    { key: '/web/home', label: t('Home'), icon: 'layout-grid', href: '/web/home', keys: 'g h', search },
    { key: '/web/settings', label: t('Settings'), icon: 'settings', href: '/web/settings', keys: 'g s', search },
    ...(user.isAdmin ? [{ key: '/web/apps', label: t('Apps'), icon: 'blocks', href: '/web/apps', search }] : []),
  ]
  const menus = topMenus.flatMap((root) =>
    allMenus(root.children).flatMap((menu): readonly PaletteEntry[] =>
      menu.href === null
        ? []
        : [
            {
              key: `menu ${menu.id}`,
              label: menu.name,
              note: root.name,
              icon: menuIcon(menu),
              href: menu.href,
              search,
            },
          ],
    ),
  )
  const tiles = apps.map(({ module, name, href }) => ({
    key: `app ${module}`,
    label: name,
    icon: appIcon(module),
    module,
    href,
    kind: t('App'),
    search,
  }))
  return [...tiles, ...pages, ...menus]
}
