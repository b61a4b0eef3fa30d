import { effect } from '@preact/signals'
import { views } from './core/registries.ts'
import { awaitServer } from './net/await-server.ts'
import { createRetry } from './net/retry.ts'
import { createRetryKeys } from './net/retry-keys.ts'
import { services } from './services.ts'
import { registerAdminPages } from './shell/admin/admin-pages.ts'
import { showConnection } from './shell/connection.ts'
import { followServer } from './shell/follow-server.ts'
import { showCurrentMenu } from './shell/frame/show-current-menu.ts'
import { palette } from './shell/palette/open-palette.ts'
import { followRecent } from './shell/palette/recent.ts'
import { followBus } from './store/live.ts'
import { endOutage } from './ui/end-outage.ts'
import { fitTags } from './ui/fit-tags.ts'
import { fitToPaper } from './ui/fit-to-paper.ts'
import { installToastFocus } from './ui/toast-focus.ts'
import { installToastKeys } from './ui/toast-keys.ts'
import { installToastSide } from './ui/toast-side.ts'
import { showToast } from './ui/toasts.tsx'
import { installTooltips } from './ui/tooltip.ts'

/** Time limit of a request, since a frozen server that never answers must not block the next one. */
const ASK_MS = 5_000

/** Starts parts that the first paint does not need: live events, tooltips, recent records, waiting for a server that is away. Once per page. */
export function startDeferred(): void {
  const { session, bus, rpc, records, currentView } = services()
  followBus(bus, rpc, records, session.bootstrap.user.id)
  bus.on('toast', (toasts) => {
    for (const toast of toasts) showToast(toast)
  })
  bus.on('resync', () => {
    const shown = currentView.shown.peek()
    if (shown?.kind === 'view' && !views.get(shown.workspace.viewType)?.isLive) void currentView.reload()
  })
  session.retry = createRetry(session.online)
  session.retryKeys = createRetryKeys()
  const connection = followServer()
  showConnection(connection, session.online, () => session.saves)
  // When the server answers again, there is no need to wait for the next try.
  let wasOnline = true
  effect(() => {
    // An open socket shows that the server is reachable.
    if (connection.state.value.kind === 'live') session.online.value = true
  })
  effect(() => {
    const isOnline = session.online.value
    if (isOnline && !wasOnline) {
      endOutage()
      connection.tryNow()
    }
    wasOnline = isOnline
  })
  installTooltips(document)
  if (session.bootstrap.user.isAdmin) registerAdminPages()
  installToastFocus(document)
  installToastKeys()
  installToastSide(document)
  fitToPaper(document)
  fitTags(document)
  followRecent()
  showCurrentMenu(document)
  // The palette finds menus and commands without the server, so its code is loaded before the server may be away.
  palette.load().catch(() => undefined)
  awaitServer(session.online, {
    ask: async () =>
      navigator.onLine &&
      (await fetch('/api/ready', { signal: AbortSignal.timeout(ASK_MS) }).catch(() => null))?.ok === true,
    setTimer(run, ms) {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
  })
}
