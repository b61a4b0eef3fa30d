import { type Signal, signal } from '@preact/signals'
import type { WireBootstrap } from '../../../../kernel/view/wire.ts'
import type { RpcHost } from '../net/rpc.ts'

/** The signed-in user, and the data with which the page was opened. */
export interface Session extends RpcHost {
  readonly bootstrap: WireBootstrap
  /** Renewed by every workspace that is loaded. */
  readonly csrfToken: Signal<string>
  /** Whether the server can be reached, as far as the last call knows. */
  readonly online: Signal<boolean>
  /** How many saves are under way; they wait for a server that is away. */
  saves: number
}

export const createSession = (bootstrap: WireBootstrap): Session => ({
  bootstrap,
  csrfToken: signal(bootstrap.csrfToken),
  online: signal(true),
  saves: 0,
})

declare global {
  interface Window {
    readonly __WC_BOOTSTRAP__?: WireBootstrap
  }
}
