import type { TextFile } from '../data/source.ts'
import type { DocumentDef } from '../document/declare.ts'
import type { Env } from '../env.ts'
import type { WordsByLanguage } from '../i18n/translate.ts'
import type { BehaviorDef, ModelObserver } from '../model/behavior.ts'
import type { ExtensionDef, ModelDef } from '../model/define.ts'
import type { HomeParts } from '../model/home.ts'
import { type Keys, unknownKeys } from '../model/known-keys.ts'
import type { SettingDef } from '../model/setting.ts'
import type { ViewKind } from '../model/view-kind.ts'
import type { ReasonTable } from '../reasons.ts'
import type { Route } from '../serve/route.ts'

/** Work a `sys.cron` row can start, under sudo. */
export type Job = TxJob | LeaseJob

/** Work inside the transaction that claims the row, so it happens exactly once. It may take 30 seconds. */
export type TxJob = (env: Env) => Promise<void>

/** Work that takes long or has effects outside the database. After a crash another process repeats it from the start. */
export interface LeaseJob {
  readonly kind: 'lease'
  readonly run: (lease: Lease) => Promise<void>
}

/** The right of one process to run a job, until it is done or taken over. */
export interface Lease {
  /** Runs `work` in a transaction of its own. If another process has taken the job over, it throws and nothing is saved. */
  transact<T>(work: (env: Env) => Promise<T>): Promise<T>
  /** Aborted when the job was taken over, when its time is over, and when the process stops. */
  readonly signal: AbortSignal
  /** An idempotency key for calls to other services: it stays the same in every attempt until one succeeds. */
  readonly key: string
}

export const isLeaseJob = (job: Job): job is LeaseJob => typeof job === 'object'

/** Code that runs under sudo as the last step of the transaction that installs, updates or uninstalls the module. */
export interface AddonHooks {
  readonly installed?: (env: Env) => Promise<void>
  readonly updated?: (env: Env, fromVersion: string) => Promise<void>
  readonly uninstalling?: (env: Env) => Promise<void>
}

export interface Addon {
  readonly name: string
  /** The name shown to users; by default derived from the technical name. */
  readonly title: string
  readonly version: string
  readonly summary: string
  /** Whether it is an app of the home page rather than a part of others. */
  readonly application: boolean
  readonly depends: readonly string[]
  /** Installed automatically as soon as everything it depends on is installed. */
  readonly auto_install: boolean
  readonly models: readonly (ModelDef | ExtensionDef)[]
  readonly behaviors: readonly BehaviorDef[]
  /** Events on models of any addon. */
  readonly observers: readonly ModelObserver[]
  /** `.csv` and `.xml`, in load order. */
  readonly data: readonly TextFile[]
  readonly demo: readonly TextFile[]
  /** `.sql` run before the schema sync, each once, in order: also on a fresh install, where no table exists yet. */
  readonly migrations: readonly TextFile[]
  readonly routes: readonly Route[]
  /** Handlers of cron rows; `sys.cron.handler` names them `<addon>.<job>`. */
  readonly jobs: Readonly<Record<string, Job>>
  readonly hooks: AddonHooks
  /** Kinds of view besides the built-in ones; its client code draws them. */
  readonly viewKinds: readonly ViewKind[]
  /** Names its client code registers in `fields`; views may give them in `widget`. */
  readonly widgets: readonly string[]
  /** Figures and things to do that the home page shows. */
  readonly home: HomeParts
  /** Letters about its records, which users download and send. */
  readonly documents: readonly DocumentDef[]
  /** Settings that administrators may change. */
  readonly settings: readonly SettingDef[]
  /** Translations of its declarations: by language, then by the English sentence. */
  readonly translations: WordsByLanguage
  /** Reasons for refusals of its own, by error code; thrown as `<addon>.<reason>`. */
  readonly reasons: ReasonTable
}

type Optional =
  | 'title'
  | 'application'
  | 'auto_install'
  | 'behaviors'
  | 'observers'
  | 'data'
  | 'demo'
  | 'migrations'
  | 'routes'
  | 'jobs'
  | 'hooks'
  | 'viewKinds'
  | 'widgets'
  | 'home'
  | 'documents'
  | 'settings'
  | 'translations'
  | 'reasons'

export type AddonOptions = Omit<Addon, Optional> & Partial<Pick<Addon, Optional>>

const REQUIRED_KEYS: Keys<Omit<Addon, Optional>> = {
  name: true,
  version: true,
  summary: true,
  depends: true,
  models: true,
}

const ADDON_KEYS: Keys<Addon> = {
  ...REQUIRED_KEYS,
  title: true,
  application: true,
  auto_install: true,
  behaviors: true,
  observers: true,
  data: true,
  demo: true,
  migrations: true,
  routes: true,
  jobs: true,
  hooks: true,
  viewKinds: true,
  widgets: true,
  home: true,
  documents: true,
  settings: true,
  translations: true,
  reasons: true,
}

const NAME = /^[a-z][a-z0-9_]{0,40}$/
const VERSION = /^\d+(\.\d+){1,3}$/

/** The default title of a module. */
export const titleOf = (name: string): string =>
  name.replaceAll('_', ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase())

/** The manifest of an addon. Files are loaded in the order of the lists. */
export function defineAddon(options: AddonOptions): Addon {
  // Addons in JavaScript are not checked for types.
  const given = new Map<string, unknown>(Object.entries(options))
  const missing = Object.keys(REQUIRED_KEYS).filter((key) => given.get(key) === undefined)
  const problems = [
    ...unknownKeys(options, ADDON_KEYS).map((key) => `there is no ${key}`),
    ...missing.map((key) => `${key} is missing`),
  ]
  if (problems.length > 0) throw new Error(`Addon ${given.get('name') ?? 'without a name'}: ${problems.join(', ')}.`)
  if (!NAME.test(options.name)) throw new Error(`Addon name "${options.name}" must be lower case, like sale_stock.`)
  if (!VERSION.test(options.version)) throw new Error(`Addon ${options.name}: version must look like 1.0.`)
  return Object.freeze({
    title: titleOf(options.name),
    application: false,
    auto_install: false,
    behaviors: [],
    observers: [],
    data: [],
    demo: [],
    migrations: [],
    routes: [],
    jobs: {},
    hooks: {},
    viewKinds: [],
    widgets: [],
    home: {},
    documents: [],
    settings: [],
    translations: {},
    reasons: {},
    ...options,
  })
}
