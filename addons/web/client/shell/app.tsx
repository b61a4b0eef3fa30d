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

/** The whole page: landmarks, the place one is at, and the layers above it. */
export function App() {
  useEffect(() => {
    bindCommandKeys()
  }, [])
  useSignalEffect(goOn)
  useSignalEffect(colourPage)
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

let hasGoneOn = false

/** The rest of the program, as soon as there is something to look at. */
function goOn(): void {
  if (services().currentView.isLoading.value || hasGoneOn) return
  hasGoneOn = true
  requestAnimationFrame(() =>
    setTimeout(() => deferredParts.load().then(({ startDeferred }) => startDeferred(), showError)),
  )
}

/** The page wears the colour of the application one is in. */
function colourPage(): void {
  const { app } = menuLocation().value
  const { dataset } = document.documentElement
  if (app === null) delete dataset['app']
  else dataset['app'] = appHue(app.module)
}

/** A place with a search of one's own opens with it. */
function openDefault(): void {
  const { currentView, router } = services()
  const shown = currentView.shown.value
  if (shown?.kind !== 'view' || favourites.value.length === 0) return
  const wished = defaultRoute(shown.workspace, shown.route)
  if (wished) void router.go(wished, { replace: true })
}

/** Whoever follows a link of the sheet wants to see where it leads. */
function closeSheet(): void {
  if (services().router.route.value) isSheetOpen.value = false
}

let wasOnline = true

/** What could not be loaded meanwhile is loaded when the server answers again. */
function returnOnline(): void {
  const { session, currentView } = services()
  const isOnline = session.online.value
  if (isOnline && !wasOnline && currentView.error.peek() !== null) void currentView.reload()
  wasOnline = isOnline
}
