import type { WireApp } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import { appIcon } from '../../router/menus.ts'
import { services } from '../../services.ts'
import type { Layer } from '../../ui/dropdown.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'

/** Menu of all applications, Home first. */
export function AppItems({ app, layer }: { readonly app: WireApp | null; readonly layer: Layer }) {
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
  return <Menu items={items} label={t('Apps')} {...layer} />
}
