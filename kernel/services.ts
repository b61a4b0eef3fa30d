import type { AccessTables } from './access/tables.ts'
import type { KnownCaller } from './auth/known-callers.ts'
import type { DocumentRenderer } from './document/content.ts'
import type { CronRun } from './job/outcome.ts'
import type { MailPort } from './mail/mail-trial.ts'
import type { Registry } from './model/registry.ts'
import type { Catalogue } from './module/graph.ts'
import type { Observe } from './observation.ts'
import type { LargeTables } from './schema/large-tables.ts'
import type { RatePolicyName } from './serve/rate-policy.ts'
import type { Db } from './sql/database.ts'
import type { Trace } from './trace.ts'
import type { ViewTables } from './view/tables.ts'

/** Ports a host supplies, alive as long as the process. The kernel takes everything impure from here. */
export interface Services {
  /** The primary database. */
  readonly db: Db
  /** The same for one request: its statements end when the caller leaves and when the time is over. Without it they run to their end. */
  readonly forRequest?: ((signal: AbortSignal | undefined, ms: number, options?: RequestDbOptions) => Db) | undefined
  /** A read replica; absent where none is configured. */
  readonly replica?: ReplicaPort | undefined
  /** Whether some process on this database reads from a replica, so that every write must raise fences (`fence.ts`). */
  readonly hasFences?: boolean
  readonly clock: () => Date
  readonly random: (bytes: number) => Uint8Array
  /** `sleep(0)` lets everything else that is due run first. */
  readonly sleep: (ms: number) => Promise<void>
  /** Calls `run` after so long; the function it answers prevents that. */
  readonly timer: Timer
  /** Slow by design, so a host runs them off its event loop. */
  readonly passwords: PasswordPort
  readonly observe: Observe
  /** Begins to measure a request, where the operator has asked for it. */
  readonly startTrace?: (request: Request) => Trace
  /** Of the request these services are for. */
  readonly trace?: Trace
  /** Called after a commit with events; `models` are those whose records it has changed. */
  readonly changed?: (models: readonly string[]) => void
  /** Secret of the installation: pepper of API key hashes, encryption key of what callers and the database keep for the server. */
  readonly secretKey: Uint8Array
  /** HMAC-SHA-256; default: one in JavaScript, which takes many times as long. */
  readonly hmacSha256?: (key: Uint8Array, message: Uint8Array) => Uint8Array
  /** Encryption of what callers keep for the server; default: Web Crypto. */
  readonly aesGcm?: AesGcmPort
  /** Origin of links and of the same-origin check; null when not configured. */
  readonly publicUrl: string | null
  /** Origin of links in mails when there is no `publicUrl`: the listener's own address. */
  readonly ownUrl?: string
  /** The host's own `Response` class: a fast one on Node, the native one elsewhere. */
  readonly Response: ResponseClass
  /** Registry and access tables for the epoch a request saw in the database. */
  readonly state: StatePort
  /** True once the process no longer takes new work. */
  readonly stopping: () => boolean
  /** Keeps work running that may take longer than the answer (`waitUntil` on workerd). The work handles its own errors. */
  readonly background?: (work: Promise<void>) => void
  /** Whether the database answers and holds the schema this code needs; a host caches the result for up to a second. */
  readonly readiness?: () => Promise<Readiness>
  /** How long sessions live; default `SESSION_HOURS`. */
  readonly sessionHours?: { readonly idle: number; readonly absolute: number }
  /** Connections kept free of other requests, for authentication and for anonymous requests. Default: those of `db`. */
  readonly authDb?: Db
  /** Lets few requests of one user work at once; without it all of them. */
  readonly workGate?: WorkGate
  /** Lets one export of a user run at a time, and few of all users; without it all of them. */
  readonly exportGate?: WorkGate
  /** Makes PDF files; without it a host makes none. */
  readonly documents?: DocumentRenderer
  /** The rate limiter; without it nothing is limited. */
  readonly limiter?: RateLimiter
  /** Metrics in the Prometheus text format; without it `/metrics` answers 404. */
  readonly metrics?: () => Promise<string>
  /** The built files of the web client, to serve; a host without them answers 404. */
  readonly assets?: AssetPort
  /** Every addon of the program, for the routes that install them; without it a host installs nothing. */
  readonly catalogue?: Catalogue
  /** Addresses of the browser client's files; absent where it is not built. */
  readonly clientAssets?: ClientAssets
  /** Who may set up a new database over HTTP; without it nobody. */
  readonly setup?: SetupGate
  /** How this process sends mail; without it none. */
  readonly mail?: MailPort
  /** Runs the scheduled jobs that are due, a limited number of them; without it `/internal/tick` answers 404. */
  readonly tick?: () => Promise<readonly CronRun[]>
  /** Whether this host serves live events at `/web/wc/bus`. */
  readonly busEnabled?: boolean
  /** Tiles of the map view, with `{z}`, `{x}` and `{y}` in them. */
  readonly mapTilesUrl?: string
}

export interface RequestDbOptions {
  readonly trace?: Trace | undefined
  /** Goes with the first statement of the request. */
  readonly ahead?: Ahead | undefined
}

/** A statement that goes ahead of another one, in the same round trip. */
export interface Ahead {
  readonly text: string
  readonly values?: readonly unknown[]
  /** Gets its rows. If it throws, the result of the statement behind it is thrown away. */
  // biome-ignore lint/suspicious/noExplicitAny: what a row holds only its statement knows
  readonly take?: (rows: any[]) => void
}

export type Timer = (ms: number, run: () => void) => () => void

export interface ReplicaPort {
  /**
   * Runs `read` on the replica if it is healthy and has come as far as the caller needs. Otherwise, and when it fails there, `read`
   * runs on the primary; so it may run twice.
   */
  read<T>(options: ReplicaRead, read: (db: Db) => Promise<T>): Promise<T>
}

export interface ReplicaRead {
  /** The primary, for this request. */
  readonly primary: Db
  readonly signal: AbortSignal | undefined
  readonly fence: ReplicaFence
}

/** What the primary said about itself and the caller at authentication. Positions are bytes of its log (LSN). */
export interface ReplicaFence {
  /** The replica must have replayed the log up to here; null: unknown, so that only the primary may answer. */
  readonly lsn: number | null
  /** End of the log. */
  readonly primaryLsn: number
  /** Its clock, in milliseconds. */
  readonly primaryMs: number
  /** Its timeline, which changes when a standby becomes the primary. */
  readonly timeline: number
  /** The replica must have seen these changes of modules, access and views. */
  readonly epoch: Epoch
}

export interface SetupGate {
  /** The setup token; the host prints it on the console. */
  readonly token: string
  /** The listener is reachable from the same machine only, so no token is needed. */
  readonly isLocal: boolean
}

/** Addresses under `/web/static/`, each with the hash of its content. */
export interface ClientAssets {
  /** What every page of the client loads. */
  readonly styles: readonly string[]
  /** Module scripts: the entry, then what it imports, to preload. */
  readonly scripts: readonly string[]
  /** The font file to preload. */
  readonly font: string
  /** The sprite: `<use href="${icons}#search">`. */
  readonly icons: string
  /** Inline script to put before the styles; it applies the theme and density stored in this browser. */
  readonly inline: string
  /** What pages without the client load: sign-in, set-up, errors. */
  readonly page: { readonly styles: readonly string[]; readonly scripts: readonly string[] }
  /** Further modules that the first render of a view needs, to preload. */
  chunk(viewType: string): readonly string[]
  /** The import map of the page: the module names that client code of addons imports. */
  readonly imports: Readonly<Record<string, string>>
  /** Entry of an addon's own client code; null when it has none. */
  addon(module: string): string | null
}

export interface AssetPort {
  /** A built file by name, in the best encoding the client accepts; null when there is no such file. */
  find(name: string, acceptEncoding: string | null): Asset | null | Promise<Asset | null>
}

export interface Asset {
  readonly body: Uint8Array
  readonly type: string
  /** `br` or `gzip`; null for the bytes as they are. */
  readonly encoding: string | null
}

export interface Readiness {
  readonly ready: boolean
  /** One sentence for anybody: it names nothing of what is installed. */
  readonly reason: string
}

export interface WorkGate {
  /** Waits for the subject's turn; the function it answers ends the turn. Null: too many wait already, or it took too long. */
  enter(subject: string, options?: EnterOptions): Promise<(() => void) | null>
  /** Whether the one who asks should leave for somebody who waits; as many are told so as wait. */
  isNeeded?(): boolean
}

export interface EnterOptions {
  /** Gives up the place when it is aborted. */
  readonly signal?: AbortSignal | undefined
  /** How long to wait at most; each gate has its own default. */
  readonly waitMs?: number | undefined
}

export interface RateLimiter {
  /** Takes one request from the allowance, if one is left. */
  admit(request: LimitedRequest): Promise<Admission>
  /** Takes more from the allowance even if it is used up; later requests wait longer. */
  charge(request: LimitedRequest, cost: number): Promise<void>
}

export interface LimitedRequest {
  readonly policy: RatePolicyName
  /** Whose allowance it is: `k:<key id>`, `u:<user id>`, `ip:<address>`, or `acc:<hash of a login>`. */
  readonly subject: string
}

export interface Admission {
  readonly admitted: boolean
  /** Seconds until a retry can succeed. */
  readonly retryAfter: number
  /** `RateLimit-*` headers, for allowed and refused answers. */
  readonly headers: Readonly<Record<string, string>>
}

export interface PasswordPort {
  hash(password: string): Promise<string>
  verify(password: string, phc: string): Promise<boolean>
  /** A hash that matches no password and takes as long to verify as a real one. */
  readonly decoy: string
  /** Whether a stored hash has a lower cost than new ones. */
  isOutdated(phc: string): boolean
}

/** AES-256-GCM; the tag of 16 bytes is the end of what is encrypted. `decrypt` fails on anything that was changed. */
export interface AesGcmPort {
  encrypt(use: AesGcmUse, text: Uint8Array): Uint8Array | Promise<Uint8Array>
  decrypt(use: AesGcmUse, sealed: Uint8Array): Uint8Array | Promise<Uint8Array>
}

export interface AesGcmUse {
  readonly key: Uint8Array
  readonly nonce: Uint8Array
  /** Not encrypted, but the same for both. */
  readonly purpose: Uint8Array
}

export type ResponseClass = new (body: BodyInit | null, init: ResponseInit) => Response

/** See `module/state.ts`: the compiled registry and the access tables, replaced as a whole when their epoch changes. */
export interface StatePort {
  /** Callers that may be recognised, by a hash of their credential; absent where nothing outlives a request. */
  readonly known?: Map<string, KnownCaller>
  current(epoch: Epoch): Promise<KernelState>
}

export interface Epoch {
  readonly modules: number
  readonly access: number
  readonly views: number
}

export interface KernelState {
  readonly epoch: Epoch
  readonly registry: Registry
  readonly access: AccessTables
  readonly large?: LargeTables
  /** Views, actions and menus; loaded when first asked for. */
  readonly views: () => Promise<ViewTables>
}
