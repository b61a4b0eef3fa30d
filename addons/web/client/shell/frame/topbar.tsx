import { deferredParts } from '../../core/deferred-parts.ts'
import { t } from '../../core/i18n.ts'
import { systray } from '../../core/registries.ts'
import { FavouriteMenu } from '../../search/menu/favourite-menu.tsx'
import { ViewTabs } from '../../search/view-tabs.tsx'
import { services } from '../../services.ts'
import { Button } from '../../ui/button.tsx'
import { TopbarSlot } from '../../ui/topbar-slot.tsx'
import { openShortcuts } from '../palette/open-shortcuts.ts'
import { isSheetOpen } from './sidebar-state.ts'

/** The top bar: breadcrumbs, and at the end the controls of the whole page. */
export function Topbar() {
  const { currentView } = services()
  const Offline = deferredParts.value?.Offline
  const shown = currentView.shown.value
  // A view that failed to load cannot be switched or saved as a favourite.
  const view = shown?.kind === 'view' && currentView.error.value === null ? shown : null
  const isForm = view?.workspace.viewType === 'form'
  return (
    <header class="topbar">
      <Button
        label={t('Open menu')}
        icon="menu"
        iconOnly
        kind="ghost"
        class="menu-btn"
        id="open-menu"
        controls="nav"
        expanded={isSheetOpen.value}
        onClick={() => {
          isSheetOpen.value = true
        }}
      />
      <Crumbs />
      <TopbarSlot />
      {view && !isForm && <FavouriteMenu workspace={view.workspace} route={view.route} />}
      <div class="end">
        {view && isForm && (
          <span class="wide">
            <ViewTabs workspace={view.workspace} route={view.route} />
          </span>
        )}
        {Offline && <Offline />}
        {systray.entries().map(([name, Item]) => (
          <Item key={name} />
        ))}
        <Button label={t('Switch theme')} icon="sun-moon" iconOnly kind="ghost" onClick={toggleTheme} />
        <span class="wide">
          <Button
            label={t('Keyboard shortcuts')}
            icon="circle-help"
            iconOnly
            kind="ghost"
            keys="?"
            onClick={() => void openShortcuts()}
          />
        </span>
      </div>
    </header>
  )
}

/** Switches between light and dark, starting from the theme that is visible if it follows the system. */
function toggleTheme(): void {
  const { theme } = services().appearance
  const isDark =
    theme.peek() === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme.peek() === 'dark'
  theme.value = isDark ? 'light' : 'dark'
}

/** The pages the user came through, or else those the server names; then the current one. A page of the client stands alone. */
function Crumbs() {
  const { currentView, router } = services()
  const { path, params } = router.route.value
  const trail = router.trail.value
  const before = path !== '/web' ? [] : trail[0] ? trail : router.lead.value
  const isSetting = path.startsWith('/web/settings/')
  // From a view of many records the server leads to its application only, which the menu of a phone does, too.
  const hasBack = isSetting || trail[0] || params.view_type === 'form'
  return (
    <nav class="crumbs" aria-label={t('Breadcrumb')}>
      <ol class={hasBack ? 'back' : ''}>
        {isSetting && (
          <li>
            <a href="/web/settings">{t('Settings')}</a>
          </li>
        )}
        {before.map(({ label, href }) => (
          <li key={href}>
            <a href={href}>{label}</a>
          </li>
        ))}
        <li>
          <h1>{router.title.value || (currentView.error.value !== null && 'Modulus')}</h1>
        </li>
      </ol>
    </nav>
  )
}
