import type { WireSession } from './wire-account.ts'
import type { WireKey } from './wire-keys.ts'
import type { WireRoles } from './wire-roles.ts'

/** What the page of users gets. Types only, so that the client may import them. */

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

/** The answer of `GET /web/settings/users/:id`. */
export interface WirePersonDetails {
  readonly person: WirePerson
  readonly sessions: readonly WireSession[]
  readonly keys: readonly WireKey[]
}

/** Records of a user that another user takes over. */
export interface WireHandOverItem {
  /** `model.field`, as `POST …/deactivate` takes it. */
  readonly key: string
  readonly label: string
  readonly module: string
  /** Records the administrator may hand over. */
  readonly count: number
  /** Records of companies the administrator does not work in; they stay. */
  readonly elsewhere: number
  /** Whether the records may be left without a user. */
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
