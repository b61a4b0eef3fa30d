/** What the page of the log gets. Types and names only, so that the client may import them. */

/** From the least to the most important. */
export type WireLogLevel = 'debug' | 'info' | 'warning' | 'error'

export interface WireLogEntry {
  readonly id: number
  readonly time: string
  readonly level: WireLogLevel
  readonly source: string
  readonly message: string
  readonly request_id: string | null
  readonly user: string | null
  readonly details: Readonly<Record<string, unknown>>
}

export interface WireLog {
  /** Newest first. */
  readonly rows: readonly WireLogEntry[]
  /** Id of the newest entry; `after=<cursor>` returns later ones. */
  readonly cursor: number
  /** Where older entries begin; null at the end. */
  readonly before: number | null
}
