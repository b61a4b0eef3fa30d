/** What the pages of the administration get. Types only, so that the client may import them. */

/** A role of an app: a group that includes the one before it. */
export interface WireRole {
  readonly id: number
  readonly name: string
  /** What it lets people do, in one sentence. */
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

/** Where a user stands before the first sign-in; null: has a password. */
export type WireInvitation = {
  /** none: was never invited. */
  readonly state: 'none' | 'sent' | 'expired'
  readonly at: string | null
}

export interface WirePerson {
  readonly id: number
  readonly name: string
  readonly login: string
  readonly email: string | null
  readonly active: boolean
  /** Groups the user was put into, without those they include. */
  readonly groupIds: readonly number[]
  readonly companyId: number | null
  readonly companyIds: readonly number[]
  readonly seenAt: string | null
  readonly invitation: WireInvitation | null
}

/** The answer of `GET /web/settings/users`. */
export interface WirePeople {
  readonly people: readonly WirePerson[]
  /** How many match; more than `people` when there are too many for one page. */
  readonly total: number
  readonly counts: { readonly active: number; readonly invited: number; readonly deactivated: number }
  readonly roles: WireRoles
  readonly companies: readonly { readonly id: number; readonly name: string }[]
  /** Whether invitations can be mailed. */
  readonly mail: boolean
}

export interface WireSession {
  readonly id: string
  /** Browser and system; null when unknown. */
  readonly device: string | null
  readonly ip: string | null
  readonly seenAt: string
  /** The one this answer goes to. */
  readonly isOwn: boolean
}

export interface WireKey {
  readonly id: number
  readonly name: string
  readonly hint: string | null
  readonly expiresAt: string | null
  readonly usedAt: string | null
}

/** The answer of `GET /web/settings/users/:id`. */
export interface WirePersonDetails {
  readonly person: WirePerson
  readonly sessions: readonly WireSession[]
  readonly keys: readonly WireKey[]
}

/** What somebody holds that another one takes over. */
export interface WireHandOverItem {
  /** `model.field`, as `POST …/deactivate` takes it. */
  readonly key: string
  readonly label: string
  readonly module: string
  /** Records the administrator may hand over. */
  readonly count: number
  /** Records of companies the administrator does not work in; they stay. */
  readonly elsewhere: number
  /** Whether they may be left without anybody. */
  readonly mayBeNobody: boolean
  /** Users who may read and change such records and work in every company these are of. */
  readonly takers: readonly number[]
}

/** The answer of `GET /web/settings/users/:id/handover`. */
export interface WireHandOver {
  readonly items: readonly WireHandOverItem[]
  readonly people: readonly { readonly id: number; readonly name: string }[]
  readonly sessions: number
  readonly keys: readonly WireKey[]
}

/** The answer of an invitation: the link, where it was not mailed. */
export interface WireInvited {
  readonly id: number
  readonly mailed: boolean
  readonly link: string | null
}

/** One right on one model. */
export interface WireRight {
  readonly allowed: boolean
  /** Groups of access lines that give it; null: every internal user. */
  readonly groupIds: readonly (number | null)[]
  /** Record rules that narrow which records; empty: all of them. */
  readonly rules: readonly { readonly name: string; readonly isForAll: boolean }[]
}

export interface WireAccessRow {
  readonly model: string
  readonly label: string
  readonly module: string
  readonly isTechnical: boolean
  readonly rights: Readonly<Record<'read' | 'write' | 'create' | 'unlink', WireRight>>
}

/** The answer of `GET /web/settings/access`. */
export interface WireAccessMatrix {
  readonly people: readonly { readonly id: number; readonly name: string }[]
  readonly roles: WireRoles
  /** Groups of the user, or the group itself; what they include is in `roles`. */
  readonly directIds: readonly number[]
  readonly rows: readonly WireAccessRow[]
}
