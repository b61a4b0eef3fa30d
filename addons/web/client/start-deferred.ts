import { awaitServer } from './net/await-server.ts'
import { services } from './services.ts'
import { followRecent } from './shell/palette/recent.ts'
import { followBus } from './store/live.ts'
import { showToast } from './ui/toasts.tsx'
import { installTooltips } from './ui/tooltip.ts'

/** Starts what the first paint does not need: live events, tooltips, recent records, waiting for a server that is away. Once per page. */
export function startDeferred(): void {
  const { session, bus, rpc, records, currentView } = services()
  followBus(bus, rpc, records)
  bus.on('toast', (toasts) => toasts.forEach(showToast))
  bus.on('resync', () => void currentView.reload())
  if (session.bootstrap.busEnabled) bus.open()
  installTooltips(document)
  followRecent()
  awaitServer(session.online, {
    ask: async () => navigator.onLine && (await fetch('/api/ready').catch(() => null))?.ok === true,
    setTimer(run, ms) {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
  })
}
