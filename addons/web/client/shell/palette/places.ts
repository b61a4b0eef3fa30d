import type { WireBootstrap, WireMenu } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import { appIcon, menuIcon } from '../../router/menus.ts'
import type { PaletteEntry } from './palette-entries.ts'

/** Applications, pages and menus. They are part of the page, so they are found without the server. */
export function placeEntries({ apps, topMenus, user }: WireBootstrap): readonly PaletteEntry[] {
  const search = t('Go to')
  const pages: readonly PaletteEntry[] = [
    { key: '/web/home', label: t('Home'), icon: 'layout-grid', href: '/web/home', keys: 'g h', search },
    { key: '/web/settings', label: t('Settings'), icon: 'settings', href: '/web/settings', keys: 'g s', search },
    ...(user.isAdmin ? [{ key: '/web/apps', label: t('Apps'), icon: 'blocks', href: '/web/apps', search }] : []),
  ]
  const menus = topMenus.flatMap((root) => {
    const below = withHeadings(root.children, root.name)
    return below.flatMap(([menu, heading]): readonly PaletteEntry[] => {
      const isAlone = below.filter(([{ name, href }]) => name === menu.name && href !== null).length === 1
      const note = isAlone || heading === root.name ? root.name : `${root.name} / ${heading}`
      return menu.href === null
        ? []
        : [{ key: `menu ${menu.id}`, label: menu.name, note, icon: menuIcon(menu), href: menu.href, search }]
    })
  })
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

/** Menus and everything below them, each with the name of the one above it, which tells two of one name apart. */
const withHeadings = (menus: readonly WireMenu[], heading: string): readonly (readonly [WireMenu, string])[] =>
  menus.flatMap((menu) => [[menu, heading] as const, ...withHeadings(menu.children, menu.name)])
