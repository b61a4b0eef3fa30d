import { randomUUID } from 'node:crypto'
import type { LoggedEvent } from '../../kernel/live/follow-outbox.ts'
import type { Config } from '../config.ts'
import { type Bus, openBus } from './bus/bus.ts'
import { handleUpgrades, isForBus } from './bus/upgrade.ts'
import { notifyFollowers, openWakeUp } from './bus/wake-up.ts'
import type { Host } from './host.ts'
import type { ListenOptions } from './server.ts'
import { createGrace } from './timer/grace.ts'

/** What a server does with committed events. */
export interface Live {
  /** This process has committed events. */
  announce(): void
  /** Opens sockets, if live events are switched on. */
  readonly upgrade?: NonNullable<ListenOptions['upgrade']>
  /** Tells clients to connect elsewhere and waits up to `graceMs` for running reads; a later call sets a new limit. */
  stop(graceMs: number): Promise<void>
}

/** Follows the log of events and sends them to the sockets of this process. `onEvents` gets all of them, whichever process committed them. */
export async function openLive(
  config: Config,
  { services, system, dsn, holder }: Host,
  onEvents: (events: readonly LoggedEvent[]) => void,
): Promise<Live> {
  if (!config.bus_enabled) return { announce: () => notifyFollowers(system), stop: async () => {} }
  let bus: Bus | null = null
  const wakeUp = openWakeUp({
    dsn,
    db: system,
    applicationName: `modulus ${process.pid}`,
    onWake: () => bus?.wake(),
  })
  bus = await openBus({ services: { ...services, db: system }, holder, wakeUp, process: randomUUID(), onEvents })
  const open = bus
  const waitFor = createGrace()
  let stopped: Promise<unknown> | undefined
  return {
    announce: wakeUp.announce,
    upgrade: { takes: isForBus, handle: handleUpgrades(services, () => (services.stopping() ? null : open)) },
    stop(graceMs) {
      stopped ??= Promise.all([open.stop(), wakeUp.stop()])
      return waitFor(stopped, graceMs)
    },
  }
}
