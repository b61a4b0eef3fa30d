import { type Signal, signal } from '@preact/signals'
import type { WireBootstrap } from '../../../../kernel/view/wire.ts'

/** Who is signed in, and what the page was opened with. */
export interface Session {
  readonly bootstrap: WireBootstrap
  /** Renewed by every workspace that is loaded. */
  readonly csrfToken: Signal<string>
  /** Whether the server can be reached, as far as the last call knows. */
  readonly online: Signal<boolean>
}

export const createSession = (bootstrap: WireBootstrap): Session => ({
  bootstrap,
  csrfToken: signal(bootstrap.csrfToken),
  online: signal(true),
})

declare global {
  interface Window {
    readonly __WC_BOOTSTRAP__?: WireBootstrap
  }
}
