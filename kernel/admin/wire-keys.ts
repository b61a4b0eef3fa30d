/** What the pages of API keys get. Types only, so that the client may import them. */

export interface WireKey {
  readonly id: number
  readonly name: string
  readonly hint: string | null
  readonly expiresAt: string | null
  readonly usedAt: string | null
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
