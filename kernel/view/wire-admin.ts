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
  /** `unseen`: active, and never signed in. */
  readonly counts: { readonly active: number; readonly unseen: number; readonly deactivated: number }
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

/** The own account. */
export interface WireAccount {
  readonly name: string
  readonly email: string | null
  readonly lang: string
  readonly tz: string
  /** In base64. */
  readonly image: string | null
  readonly sessions: readonly WireSession[]
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
/** Something by its technical name, and as the reader calls it. */
export interface WireNamed {
  readonly name: string
  readonly label: string
}

export interface WireAccessMatrix {
  readonly people: readonly { readonly id: number; readonly name: string }[]
  readonly roles: WireRoles
  /** Groups of the user, or the group itself; what they include is in `roles`. */
  readonly directIds: readonly number[]
  readonly rows: readonly WireAccessRow[]
}

/** What a key may do with a model; `call` runs its actions. */
export type WireKeyRight = 'read' | 'write' | 'create' | 'unlink' | 'call'

/** The scope of a key in words. */
export interface WireKeyScope {
  /** Every model its owner may use; `models` is empty then. */
  readonly isWhole: boolean
  readonly isReadOnly: boolean
  /** Also logins, addresses, groups and keys of users. */
  readonly credentials: boolean
  readonly models: readonly {
    readonly model: string
    readonly label: string
    readonly rights: readonly WireKeyRight[]
  }[]
}

export interface WireApiKey extends WireKey {
  readonly owner: { readonly id: number; readonly name: string }
  readonly scope: WireKeyScope
  readonly createdAt: string
  /** False: it was revoked, at `changedAt`. */
  readonly active: boolean
  readonly changedAt: string
}

/** The answer of `GET /web/settings/keys`. */
export interface WireApiKeys {
  readonly keys: readonly WireApiKey[]
  /** How many there are; `keys` may be the first of them. */
  readonly total: number
  /** Who may own a new key: any user for administrators, for others only they themselves. */
  readonly owners: readonly { readonly id: number; readonly name: string }[]
  /** Days a new key lasts at most. */
  readonly maxDays: number
}

/** A model that the owner of a key may use, with the rights the owner has. */
export interface WireKeyModel {
  readonly model: string
  readonly label: string
  readonly module: string
  readonly isTechnical: boolean
  readonly rights: readonly WireKeyRight[]
}

/** The answer of `GET /web/settings/keys/models` and, for oneself, `GET /web/account/keys`. */
export interface WireKeyModels {
  /** The methods that a scope names for each right. */
  readonly methods: Readonly<Record<WireKeyRight, readonly string[]>>
  readonly models: readonly WireKeyModel[]
}

/** A new key. The key itself is in this answer only. */
export interface WireNewApiKey {
  readonly id: number
  readonly name: string
  readonly key: string
  readonly owner: string
  readonly expiresAt: string
}
