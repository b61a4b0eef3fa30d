import { deferred } from './core/deferred.tsx'
import { setLocale } from './core/format.ts'
import { hotkeys } from './core/hotkeys.ts'
import { setLanguage } from './core/i18n.ts'
import { pages } from './core/registries.ts'
import { createSession, type Session } from './core/session.ts'
import { createAppearance } from './core/theme.ts'
import { createBus } from './net/bus.ts'
import { createRpc } from './net/rpc.ts'
import { createTransport, type Transport } from './net/transport.ts'
import { fetchWorkspace } from './net/workspace.ts'
import { capturePosition, restorePosition } from './router/page-position.ts'
import { createRouter, type Router } from './router/router.ts'
import { signIn } from './router/sign-in.ts'
import { takeFavourites } from './search/query/favourites.ts'
import { type ClientServices, provideServices } from './services.ts'
import { createPreferences } from './store/preferences.ts'
import { createRecords } from './store/records.ts'
import { showError, showToast } from './ui/toasts.tsx'
import { runPendingNow } from './ui/undo.ts'
import { followRouter } from './views/current-view.ts'

const passwordDialog = deferred(() => import('./shell/apps/ask-password.tsx'))

/** Creates the services of the client for this page. */
export async function startServices(bootstrap: Session['bootstrap']): Promise<ClientServices> {
  const session = createSession(bootstrap)
  setLocale(bootstrap.user.lang, bootstrap.user.tz, navigator.languages)
  await setLanguage(bootstrap.user.lang)
  const appearance = createAppearance({ storage: localStorage, root: document.documentElement })
  const transport = openTransport(session)
  const rpc = createRpc(bootstrap.rpcUrl, transport, session)
  const records = createRecords()
  const preferences = createPreferences(rpc, bootstrap.preferences, showError)
  const router = openRouter()
  const bus = createBus()
  const currentView = followRouter({ session, transport, records, router, openedWith: location.search.slice(1) })
  const all = { session, appearance, transport, rpc, records, preferences, bus, router, currentView }
  provideServices(all)
  takeFavourites(bootstrap.favourites)
  for (const toast of bootstrap.toasts) showToast(toast)
  document.addEventListener('keydown', (event) => hotkeys.handle(event))
  addEventListener('online', () => {
    session.online.value = true
  })
  addEventListener('offline', () => {
    session.online.value = false
  })
  addEventListener('pagehide', () => {
    runPendingNow()
    preferences.flush()
  })
  return all
}

const uniqueId = (): string => crypto.randomUUID()

function openTransport(session: Session): Transport {
  const transport: Transport = createTransport(
    { fetch: (input, init) => fetch(input, init), sleep, uniqueId, random: Math.random },
    {
      csrfToken: () => session.csrfToken.peek(),
      async renewToken() {
        const { csrfToken } = await fetchWorkspace(transport, session.bootstrap.wcApiBase, location.search.slice(1))
        session.csrfToken.value = csrfToken
        return csrfToken
      },
      onSignedOut: signIn,
      onReachable(reachable) {
        session.online.value = reachable
      },
      confirmPassword: async () => (await passwordDialog.load()).askPassword(),
    },
  )
  return transport
}

const openRouter = (): Router =>
  createRouter(
    {
      location,
      history,
      addEventListener: (type, listener) => addEventListener(type, listener),
      capture: () => capturePosition(document),
      restore: (spot) => restorePosition(document, spot),
      focus: (id) => document.getElementById(id)?.focus(),
    },
    (path) => path === '/web' || pages.get(path) !== undefined,
  )

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        reject(signal.reason)
      },
      { once: true },
    )
  })
}
