import type { Session } from './core/session.ts'
import type { Appearance } from './core/theme.ts'
import type { Bus } from './net/bus.ts'
import type { Rpc } from './net/rpc.ts'
import type { Transport } from './net/transport.ts'
import type { Router } from './router/router.ts'
import type { Preferences } from './store/preferences.ts'
import type { RecordStore } from './store/records.ts'
import type { CurrentView } from './views/current-view.ts'

/** Objects that live as long as the page. */
export interface ClientServices {
  readonly session: Session
  readonly appearance: Appearance
  readonly transport: Transport
  readonly rpc: Rpc
  readonly records: RecordStore
  readonly preferences: Preferences
  readonly bus: Bus
  readonly router: Router
  readonly currentView: CurrentView
}

let current: ClientServices | undefined

/** Set once, by `main.ts` or by a test. */
export function provideServices(services: ClientServices): void {
  current = services
}

export function services(): ClientServices {
  if (!current) throw new Error('not started')
  return current
}
