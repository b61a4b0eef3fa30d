import { t } from '../../core/i18n.ts'
import { systray } from '../../core/registries.ts'
import { joinCrumbs } from '../../router/breadcrumbs.ts'
import { FavouriteMenu } from '../../search/menu/favourite-menu.tsx'
import { ViewTabs } from '../../search/view-tabs.tsx'
import { services } from '../../services.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { TopbarSlot } from '../../ui/topbar-slot.tsx'
import { openShortcuts } from '../palette/open-shortcuts.ts'
import { isSheetOpen } from './sidebar-state.ts'
import { toggleTheme } from './toggle-theme.ts'

/** The top bar: breadcrumbs, and at the end the controls of the whole page. */
export function Topbar() {
  const { currentView } = services()
  const shown = currentView.shown.value
  const view = shown?.kind === 'view' ? shown : null
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
        <Offline />
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

function Crumbs() {
  const { currentView, router } = services()
  const shown = currentView.shown.value
  const own = shown?.kind === 'view' ? shown.workspace.breadcrumbs : []
  const crumbs = joinCrumbs(router.trail.value, own)
  const isSetting = router.route.value.path.startsWith('/web/settings/')
  return (
    <nav class="crumbs" aria-label={t('Breadcrumb')}>
      <ol>
        {isSetting && (
          <li>
            <a href="/web/settings">{t('Settings')}</a>
          </li>
        )}
        {crumbs.slice(0, -1).map(({ label, href }) => (
          <li key={`${label} ${href}`}>{href === null ? <span>{label}</span> : <a href={href}>{label}</a>}</li>
        ))}
        <li>
          <h1>{crumbs.at(-1)?.label ?? (router.title.value || (currentView.error.value !== null && 'Modulus'))}</h1>
        </li>
      </ol>
    </nav>
  )
}

/** Notice shown while the server cannot be reached. */
function Offline() {
  const { session, currentView } = services()
  return (
    <span role="status" aria-live="polite">
      {!session.online.value && (
        <button
          type="button"
          class="chip offline"
          data-tip={t('Changes wait until the server answers. Try again now.')}
          onClick={() => void currentView.reload()}
        >
          <Icon name="cloud-off" />
          {t('Offline')}
        </button>
      )}
    </span>
  )
}
