import type { AccessTables } from './access/tables.ts'
import type { KnownCaller } from './auth/known-callers.ts'
import type { DocumentRenderer } from './document/content.ts'
import type { CronRun } from './job/outcome.ts'
import type { MailPort } from './mail/mail-trial.ts'
import type { Registry } from './model/registry.ts'
import type { Catalogue } from './module/graph.ts'
import type { Observe } from './observation.ts'
import type { LargeTables } from './schema/large-tables.ts'
import type { SealKeys } from './seal.ts'
import type { RatePolicyName } from './serve/rate-policy.ts'
import type { Db } from './sql/database.ts'
import type { Trace } from './trace.ts'
import type { ViewTables } from './view/tables.ts'

/** Ports a host supplies, alive as long as the process. The kernel takes everything impure from here. */
export interface Services {
  /** The primary database. */
  readonly db: Db
  /** The database for one request: its statements end when the caller leaves or the time is over. Without it they run to their end. */
  readonly forRequest?: ((signal: AbortSignal | undefined, ms: number, options?: RequestDbOptions) => Db) | undefined
  /** A read replica; absent where none is configured. */
  readonly replica?: ReplicaPort | undefined
  /** Whether some process on this database reads from a replica, so that every write must raise fences (`fence.ts`). */
  readonly hasFences?: boolean
  readonly clock: () => Date
  readonly random: (bytes: number) => Uint8Array
  /** `sleep(0)` lets everything else that is due run first. */
  readonly sleep: (ms: number) => Promise<void>
  /** Calls `run` after a time; the returned function cancels it. */
  readonly timer: Timer
  /** Slow by design, so a host runs them off its event loop. */
  readonly passwords: PasswordPort
  readonly observe: Observe
  /** Starts measuring a request, if the operator has switched that on. */
  readonly startTrace?: (request: Request) => Trace
  /** The measurement of the request these services are for. */
  readonly trace?: Trace
  /** Called after a commit with events; `models` are those whose records it has changed. */
  readonly changed?: (models: readonly string[]) => void
  /** Secret of the installation: pepper of API key hashes, encryption key of what callers and the database keep for the server. */
  readonly secretKey: Uint8Array
  /** Derived from the secret once, on hosts that live longer than one request: deriving them takes longer than sealing a cursor. */
  readonly sealKeys?: SealKeys
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
  /** Limits how many requests of one user run at once; without it there is no limit. */
  readonly workGate?: WorkGate
  /** Limits exports to one of each user at a time, and a few of all users; without it there is no limit. */
  readonly exportGate?: WorkGate
  /** The same for files that are uploaded to be imported, since each may take much memory while it is read. */
  readonly uploadGate?: WorkGate
  /** Makes PDF files; without it a host offers none. */
  readonly documents?: DocumentRenderer
  /** The rate limiter; without it nothing is limited. */
  readonly limiter?: RateLimiter
  /** Metrics in the Prometheus text format; without it `/metrics` answers 404. */
  readonly metrics?: () => Promise<string>
  /** The built files of the web client, to serve; a host without them answers 404. */
  readonly assets?: AssetPort
  /** Every addon of the program, for the routes that install them; without it a host cannot install modules. */
  readonly catalogue?: Catalogue
  /** Addresses of the browser client's files; absent where it is not built. */
  readonly clientAssets?: ClientAssets
  /** Decides who may set up a new database over HTTP; without it no caller may. */
  readonly setup?: SetupGate
  /** How this process sends mail; without it, it sends none. */
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
  /** A statement sent together with the first one of the request. */
  readonly ahead?: Ahead | undefined
}

/** A statement sent before another one, in the same round trip. */
export interface Ahead {
  readonly text: string
  readonly values?: readonly unknown[]
  /** Its rows are known already, so it is not sent. */
  readonly isKnown?: boolean
  /** Called with its rows. If it throws, the result of the statement after it is discarded. */
  take?(rows: readonly unknown[]): void
}

export type Timer = (ms: number, run: () => void) => () => void

export interface ReplicaPort {
  /**
   * Runs `read` on the replica if it is healthy and has replayed as much as the caller needs. Otherwise, and when it fails there, `read`
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

/** State of the primary and the caller's fence, as read at authentication. Positions are bytes of the log (LSN). */
export interface ReplicaFence {
  /** The replica must have replayed the log up to here; null: unknown, so that only the primary may answer. */
  readonly lsn: number | null
  /** End of the primary's log. */
  readonly primaryLsn: number
  /** The primary's clock, in milliseconds. */
  readonly primaryMs: number
  /** The primary's timeline, which changes when a standby becomes the primary. */
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
  /** One sentence for any caller, which reveals nothing about the installed modules. */
  readonly reason: string
}

export interface WorkGate {
  /** Waits for the subject's turn; the returned function ends the turn. Null: too many are waiting already, or it took too long. */
  enter(subject: string, options?: EnterOptions): Promise<(() => void) | null>
  /** Whether the calling holder should give its place to a waiting one; true for as many holders as there are waiting. */
  isNeeded?(): boolean
}

export interface EnterOptions {
  /** Ends the wait when it is aborted. */
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
  /** The owner of the allowance: `k:<key id>`, `u:<user id>`, `ip:<address>`, or `acc:<hash of a login>`. */
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

/** AES-256-GCM; the encrypted bytes end with the tag of 16 bytes. `decrypt` fails if any byte was changed. */
export interface AesGcmPort {
  encrypt(use: AesGcmUse, text: Uint8Array): Uint8Array | Promise<Uint8Array>
  decrypt(use: AesGcmUse, sealed: Uint8Array): Uint8Array | Promise<Uint8Array>
}

export interface AesGcmUse {
  readonly key: Uint8Array
  readonly nonce: Uint8Array
  /** Additional authenticated data: not encrypted, but it must be equal for `encrypt` and `decrypt`. */
  readonly purpose: Uint8Array
}

export type ResponseClass = new (body: BodyInit | null, init: ResponseInit) => Response

/** See `module/state.ts`: the compiled registry and the access tables, replaced as a whole when their epoch changes. */
export interface StatePort {
  /** Remembered callers, by a hash of their credential; absent on hosts where no memory outlives a request. */
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
