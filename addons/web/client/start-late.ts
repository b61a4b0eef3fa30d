import { services } from './services.ts'
import { followRecent } from './shell/recent.ts'
import { followBus } from './store/live.ts'
import { showToast } from './ui/toasts.tsx'
import { installTooltips } from './ui/tooltip.ts'

/** What waits for the first picture: live events, tooltips, the list of recent records. Once per page. */
export function startLate(): void {
  const { session, bus, rpc, records, place } = services()
  followBus(bus, rpc, records)
  bus.on('toast', (toasts) => toasts.forEach(showToast))
  bus.on('resync', () => void place.reload())
  if (session.bootstrap.busEnabled) bus.open()
  installTooltips(document)
  followRecent()
}
