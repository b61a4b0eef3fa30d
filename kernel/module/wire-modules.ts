/** What the page of modules gets. Types only, so that the client may import them. */

export type WirePlannedAction = 'install' | 'update' | 'deactivate' | 'uninstall'

/** What a change of modules would do, in the words of the reader. */
export interface WireModulePlan {
  /** The modules of the plan, in the order of the work: those that others need come first. */
  readonly modules: readonly {
    readonly name: string
    readonly title: string
    /** The version that is installed; null: none. */
    readonly from: string | null
    /** The version afterwards; null: none. */
    readonly to: string | null
  }[]
  readonly changes: readonly WireModuleChange[]
  /** Why it cannot be done, one sentence each. */
  readonly problems: readonly string[]
}

/**
 * add: is added. back: is restored from quarantine. change: is loaded again. keep: stays as a user has changed it. rewrite: values are
 * converted. lose: values are lost. aside: is moved to quarantine or no longer shown. remove: is deleted. While a module is switched off:
 * hide: is not shown. pause: does not run. stay: is not changed.
 */
export type WireChangeKind =
  | 'add'
  | 'back'
  | 'change'
  | 'keep'
  | 'rewrite'
  | 'lose'
  | 'aside'
  | 'remove'
  | 'hide'
  | 'pause'
  | 'stay'

export interface WireModuleChange {
  readonly kind: WireChangeKind
  /** Whole kinds of records, fields of one, or records that come with the module. */
  readonly what: 'models' | 'fields' | 'records'
  /** Kind of the records; empty for `models`, whose kinds are `names`. */
  readonly model: string
  readonly names: readonly string[]
  /** Number of records or values. */
  readonly count: number
}

/** The progress of a change of modules. */
export interface WireModuleProgress {
  /** The module that is being loaded now. */
  readonly module: string
  readonly done: number
  /** 0: not known yet. */
  readonly total: number
}
