import type { WireRoles } from './wire-roles.ts'

/** What the page of access rights gets. Types only, so that the client may import them. */

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

/** A technical name and its label in the language of the reader. */
export interface WireNamed {
  readonly name: string
  readonly label: string
}

/** The answer of `GET /web/settings/access`. */
export interface WireAccessMatrix {
  readonly people: readonly { readonly id: number; readonly name: string }[]
  readonly roles: WireRoles
  /** Groups of the user, or the group itself; what they include is in `roles`. */
  readonly directIds: readonly number[]
  readonly rows: readonly WireAccessRow[]
}
