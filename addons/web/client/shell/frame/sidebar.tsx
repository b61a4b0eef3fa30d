import { useEffect, useRef } from 'preact/hooks'
import type { WireMenu } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import { formatRoute, parseRoute } from '../../router/codec.ts'
import { allMenus, appIcon, menuIcon, menuLocation } from '../../router/menus.ts'
import { favouriteRoute, favouritesAt } from '../../search/query/favourites.ts'
import { readSearchState } from '../../search/query/search-state.ts'
import { services } from '../../services.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { AppSwitcher } from '../apps/app-switcher.tsx'
import { pinnedApps } from '../apps/pins.ts'
import { openPalette } from '../palette/open-palette.ts'
import { isCollapsed, isSheetOpen, toggleSidebar } from './sidebar-state.ts'
import { UserMenu } from './user-menu.tsx'

/**
 * The menus of the current application; outside of an application, links to the main pages and the pinned applications.
 */
export function Sidebar() {
  const { app, menus, menu } = menuLocation().value
  const bar = useRef<HTMLElement>(null)
  const isOpen = isSheetOpen.value
  useEffect(() => {
    if (!isOpen) return
    bar.current?.querySelector<HTMLElement>('a, button')?.focus()
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      isSheetOpen.value = false
      document.getElementById('open-menu')?.focus()
    }
    document.addEventListener('keydown', close, { capture: true })
    return () => document.removeEventListener('keydown', close, { capture: true })
  }, [isOpen])

  return (
    <aside class="sidebar" id="nav" aria-label={t('Sidebar')} ref={bar} {...(isOpen && { 'data-open': '' })}>
      <div class="side-top">
        <AppSwitcher app={app} />
        <Button
          label={isCollapsed.value ? t('Expand sidebar') : t('Collapse sidebar')}
          icon="panel-left"
          iconOnly
          kind="ghost"
          class="collapse"
          keys="mod+b"
          onClick={toggleSidebar}
        />
      </div>
      <nav class="side-nav" aria-label={app?.name ?? 'Modulus'} data-scroll="menus">
        <button
          type="button"
          class="side-search"
          {...(isCollapsed.value && { 'aria-label': t('Search or jump to') })}
          onClick={() => void openPalette()}
        >
          <Icon name="search" />
          <span class="lb">{t('Search or jump to')}</span>
          <Kbd keys="mod+k" />
        </button>
        {app === null ? <Places /> : <AppMenus menus={menus} current={menu?.id} />}
        <Favourites menus={app === null ? services().session.bootstrap.topMenus : menus} />
      </nav>
      <div class="side-foot">
        <UserMenu />
      </div>
    </aside>
  )
}

/** Menus without children first, then the others as headings with their children. */
function AppMenus({ menus, current }: { readonly menus: readonly WireMenu[]; readonly current: number | undefined }) {
  const single = menus.filter(({ children }) => children.length === 0)
  const headed = menus.filter(({ children }) => children.length > 0)
  return (
    <>
      {single.length > 0 && (
        <ul>
          {single.map((menu) => (
            <MenuLink key={menu.id} menu={menu} isCurrent={menu.id === current} />
          ))}
        </ul>
      )}
      {headed.map((menu) => (
        <div key={menu.id}>
          <h2 class="side-h">{menu.name}</h2>
          <ul>
            {[...(menu.href === null ? [] : [{ ...menu, children: [] }]), ...allMenus(menu.children)].map((child) => (
              <MenuLink key={child.id} menu={child} isCurrent={child.id === current} />
            ))}
          </ul>
        </div>
      ))}
    </>
  )
}

function MenuLink({ menu, isCurrent }: { readonly menu: WireMenu; readonly isCurrent: boolean }) {
  if (menu.href === null) return <li class="side-h">{menu.name}</li>
  return <SideLink href={menu.href} icon={menuIcon(menu)} label={menu.name} isCurrent={isCurrent} />
}

interface SideLinkProps {
  readonly href: string
  readonly icon: string
  readonly label: string
  readonly isCurrent: boolean
}

const SideLink = ({ href, icon, label, isCurrent }: SideLinkProps) => (
  <li>
    <a
      class="nav-i"
      href={href}
      data-root
      {...(isCurrent && { 'aria-current': 'page' as const })}
      {...(isCollapsed.value && { 'aria-label': label, 'data-tip': label })}
    >
      <Icon name={icon} />
      <span class="lb">{label}</span>
    </a>
  </li>
)

function Places() {
  const { router, session } = services()
  const { path } = router.route.value
  const { isAdmin } = session.bootstrap.user
  const pins = pinnedApps()
  return (
    <>
      <div>
        <h2 class="side-h">{t('Workspace')}</h2>
        <ul>
          <SideLink href="/web/home" icon="layout-grid" label={t('Home')} isCurrent={path === '/web/home'} />
          {isAdmin && <SideLink href="/web/apps" icon="blocks" label={t('Apps')} isCurrent={path === '/web/apps'} />}
          <SideLink
            href="/web/settings"
            icon="settings"
            label={t('Settings')}
            isCurrent={path.startsWith('/web/settings')}
          />
        </ul>
      </div>
      {pins.length > 0 && (
        <div>
          <h2 class="side-h">{t('Pinned')}</h2>
          <ul>
            {pins.map(({ module, name, href }) => (
              <SideLink key={module} href={href} icon={appIcon(module)} label={name} isCurrent={false} />
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

/** Favourites of the actions of these menus, without duplicates. */
function Favourites({ menus }: { readonly menus: readonly WireMenu[] }) {
  const { router } = services()
  const active = readSearchState(router.route.value.state).favourite
  const links = allMenus(menus).flatMap(({ href, model }) =>
    href === null || model === undefined
      ? []
      : favouritesAt(model, parseRoute(href).params.action ?? 0).map((favourite) => ({ href, favourite })),
  )
  const shown = links.filter((link, index) => links.findIndex((other) => other.favourite === link.favourite) === index)
  if (shown.length === 0) return null
  return (
    <div>
      <h2 class="side-h">{t('Favourites')}</h2>
      <ul>
        {shown.map(({ href, favourite }) => (
          <SideLink
            key={favourite.id}
            href={formatRoute(favouriteRoute(href, favourite))}
            icon="star"
            label={favourite.name}
            isCurrent={favourite.id === active}
          />
        ))}
      </ul>
    </div>
  )
}
