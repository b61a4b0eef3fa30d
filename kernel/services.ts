import type { AccessTables } from './access/tables.ts'
import type { Registry } from './model/registry.ts'
import type { Observe } from './observation.ts'
import type { Db } from './sql.ts'

/** Ports a host supplies, alive as long as the process. The kernel takes everything impure from here. */
export interface Services {
  /** The primary database. */
  readonly db: Db
  /** A read replica, or the primary when none is configured. */
  readonly replica: Db
  readonly clock: () => Date
  readonly random: (bytes: number) => Uint8Array
  readonly sleep: (ms: number) => Promise<void>
  /** Slow by design, so a host runs them off its event loop. */
  readonly passwords: PasswordPort
  readonly observe: Observe
  /** Secret of the installation: pepper of API keys, key of flash cookies. */
  readonly secretKey: Uint8Array
  /** Origin of links and of the same-origin check; null when not configured. */
  readonly publicUrl: string | null
  /** The host's own `Response` class: a fast one on Node, the native one elsewhere. */
  readonly Response: ResponseClass
  /** Registry and access tables for the epoch a request saw in the database. */
  readonly state: StatePort
  /** True once the process no longer takes new work. */
  readonly stopping: () => boolean
  /** Keeps work alive that may outlast the answer, where a host would cut it off. It reports its own failure. */
  readonly background?: (work: Promise<void>) => void
  /** Whether the database answers and holds the schema this code needs; a host remembers it for up to a second. */
  readonly readiness?: () => Promise<Readiness>
  /** How long sessions live; default `SESSION_HOURS`. */
  readonly sessionHours?: { readonly idle: number; readonly absolute: number }
  /** Counts requests; without it nothing is limited. */
  readonly limiter?: RateLimiter
}

export interface Readiness {
  readonly ready: boolean
  /** One sentence for the operator. */
  readonly reason: string
}

export interface RateLimiter {
  admit(request: LimitedRequest): Promise<Admission>
}

export interface LimitedRequest {
  /** Path of the route. */
  readonly path: string
  /** Who pays: `k:<key id>`, `u:<user id>`, or `ip:<address>` for a caller without a valid credential. */
  readonly subject: string
}

export interface Admission {
  readonly admitted: boolean
  /** Seconds until another try has a chance. */
  readonly retryAfter: number
  /** `RateLimit-*` headers of the answer, whichever it is. */
  readonly headers: Readonly<Record<string, string>>
}

export interface PasswordPort {
  hash(password: string): Promise<string>
  verify(password: string, phc: string): Promise<boolean>
}

export type ResponseClass = new (body: BodyInit | null, init: ResponseInit) => Response

/** See `module/state.ts`: the compiled registry and the access tables, swapped whole when their epoch moves. */
export interface StatePort {
  current(epoch: Epoch): Promise<KernelState>
}

export interface Epoch {
  readonly modules: number
  readonly access: number
}

export interface KernelState {
  readonly epoch: Epoch
  readonly registry: Registry
  readonly access: AccessTables
}
