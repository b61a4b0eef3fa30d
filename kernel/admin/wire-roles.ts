/** What the administration gets about the roles of users. Types only, so that the client may import them. */

/** A role of an app: a group that includes the one before it. */
export interface WireRole {
  readonly id: number
  readonly name: string
  /** What its users may do, in one sentence. */
  readonly text: string
}

/** The roles of one app, from the least to the most; a user has at most one of them. */
export interface WireRoleApp {
  /** Addon of the groups; names its icon and its hue. */
  readonly module: string
  readonly name: string
  readonly roles: readonly WireRole[]
}

/** Groups as an administrator chooses them. */
export interface WireRoles {
  readonly apps: readonly WireRoleApp[]
  /** Groups that are no role of an app. */
  readonly extras: readonly WireRole[]
  /** Each group with every group it includes. */
  readonly includes: Readonly<Record<number, readonly number[]>>
}
