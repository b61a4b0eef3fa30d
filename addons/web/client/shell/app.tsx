import { useSignalEffect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { deferredParts } from '../core/deferred-parts.ts'
import { t } from '../core/i18n.ts'
import { appHue, menuLocation } from '../router/menus.ts'
import { defaultRoute, favourites } from '../search/query/favourites.ts'
import { services } from '../services.ts'
import { DialogHost } from '../ui/dialog.tsx'
import { showError, ToastHost } from '../ui/toasts.tsx'
import { ViewHost } from '../views/view-host.tsx'
import { bindCommandKeys } from './commands.ts'
import { Sidebar } from './frame/sidebar.tsx'
import { isCollapsed, isSheetOpen } from './frame/sidebar-state.ts'
import { Topbar } from './frame/topbar.tsx'

/** The whole page: skip link, sidebar, top bar, current view, dialogs and toasts. */
export function App() {
  useEffect(() => {
    bindCommandKeys()
  }, [])
  useSignalEffect(loadDeferred)
  useSignalEffect(applyAppColour)
  useSignalEffect(openDefault)
  useSignalEffect(returnOnline)
  useSignalEffect(closeSheet)

  return (
    <>
      <a class="skip" href="#main">
        {t('Skip to content')}
      </a>
      <div class="shell" {...(isCollapsed.value && { 'data-collapsed': '' })}>
        <Sidebar />
        {isSheetOpen.value && (
          <button
            type="button"
            class="scrim"
            aria-label={t('Close menu')}
            onClick={() => {
              isSheetOpen.value = false
            }}
          />
        )}
        <Topbar />
        <main id="main" tabIndex={-1}>
          <ViewHost />
        </main>
      </div>
      <DialogHost />
      <ToastHost />
    </>
  )
}

let hasLoadedDeferred = false

/** Loads the deferred code once, after the first view is painted. */
function loadDeferred(): void {
  if (services().currentView.isLoading.value || hasLoadedDeferred) return
  hasLoadedDeferred = true
  requestAnimationFrame(() =>
    setTimeout(() => deferredParts.load().then(({ startDeferred }) => startDeferred(), showError)),
  )
}

/** Sets the colour of the current application on the page. */
function applyAppColour(): void {
  const { app } = menuLocation().value
  const { dataset } = document.documentElement
  if (app === null) delete dataset['app']
  else dataset['app'] = appHue(app.module)
}

/** Applies the default favourite of the action when a view opens without a search. */
function openDefault(): void {
  const { currentView, router } = services()
  const shown = currentView.shown.value
  if (shown?.kind !== 'view' || favourites.value.length === 0) return
  // While another address is loading, the user has already gone further.
  if (router.route.peek() !== shown.route) return
  const route = defaultRoute(shown.workspace, shown.route)
  if (route) void router.go(route, { replace: true })
}

/** Closes the menu sheet after a navigation, since it would cover the page on narrow screens. */
function closeSheet(): void {
  if (services().router.route.value) isSheetOpen.value = false
}

let wasOnline = true

/** When the connection returns, reloads a view that had failed to load. */
function returnOnline(): void {
  const { session, currentView } = services()
  const isOnline = session.online.value
  if (isOnline && !wasOnline && currentView.error.peek() !== null) void currentView.reload()
  wasOnline = isOnline
}
