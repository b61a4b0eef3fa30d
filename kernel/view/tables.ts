import type { ArchNode, ContentViewType, ViewType } from './arch/arch.ts'
import type { Memo } from './memo.ts'

/** A window action as `sys_action` has it. */
export interface WindowAction {
  readonly id: number
  readonly name: string
  readonly model: string
  /** Singular and plural words for its records; null: the label of the model, and just “records”. */
  readonly recordName: string | null
  readonly recordNames: string | null
  /** Kinds of view in the order of their tabs. */
  readonly viewModes: readonly ContentViewType[]
  /** The view to use for its type instead of the model's first. */
  readonly viewId: number | null
  readonly searchViewId: number | null
  /** Text of a domain over the records; may name variables like `user.id`. */
  readonly domain: string | null
  readonly context: Readonly<Record<string, unknown>>
  readonly limit: number
  readonly target: 'current' | 'new'
  /** HTML as stored. */
  readonly help: string | null
  /** Empty: everybody. */
  readonly groupIds: readonly number[]
  readonly module: string | null
  readonly xmlid: string | null
}

export interface MenuRow {
  readonly id: number
  readonly name: string
  readonly parentId: number | null
  readonly actionId: number | null
  /** Address of a page of the client that it opens instead of an action. */
  readonly page: string | null
  readonly sequence: number
  /** Empty: everybody. */
  readonly groupIds: readonly number[]
  readonly icon: string | null
  /** Only in developer mode. */
  readonly technical: boolean
  readonly module: string | null
  readonly xmlid: string | null
}

/** A view or an extension of one, as `sys_view` has it. */
export interface ViewRow {
  readonly id: number
  readonly name: string
  readonly model: string
  readonly type: ViewType
  readonly arch: string
  readonly inheritId: number | null
  readonly priority: number
  readonly mode: 'primary' | 'extension'
  readonly module: string | null
  readonly xmlid: string | null
  /** Made or changed by a user, so no addon is responsible for it. */
  readonly edited: boolean
}

/** A view with its extensions applied, the same for every user. */
export interface ResolvedView {
  /** Null for a generated view. */
  readonly viewId: number | null
  readonly root: ArchNode
  /** Extensions that did not fit and were left out, one sentence each. */
  readonly problems: readonly string[]
}

/** Active views, actions and menus of active modules, kept in memory by a process; frozen. */
export interface ViewTables {
  readonly epoch: number
  readonly views: ReadonlyMap<number, ViewRow>
  readonly actions: ReadonlyMap<number, WindowAction>
  /** By sequence, then id. */
  readonly menus: readonly MenuRow[]
  readonly actionIdByXmlid: ReadonlyMap<string, number>
  /**
   * The named view, or the first of the model and type, or a generated one. Null when the model does not exist or has
   * nothing this kind of view could show. An unknown `viewId`, or one of another model or type, counts as none.
   */
  resolve(model: string, type: ViewType, viewId?: number | null): ResolvedView | null
  /** Caches results made from the tables, as long as these and the access tables are in use. */
  readonly memo: Memo
}
