/** What users get about their own account and its sessions. Types only, so that the client may import them. */

export interface WireSession {
  readonly id: string
  /** Browser and system; null when unknown. */
  readonly device: string | null
  readonly ip: string | null
  readonly seenAt: string
  /** Whether it is the session of the request. */
  readonly isOwn: boolean
}

/** The account of the user. */
export interface WireAccount {
  readonly name: string
  readonly email: string | null
  readonly lang: string
  readonly tz: string
  /** In base64. */
  readonly image: string | null
  readonly sessions: readonly WireSession[]
}
