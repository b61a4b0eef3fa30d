/** Data of the log page. Types and names only, so that the client may import them. */

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
  /** Cursor for older entries; null if there are none. */
  readonly before: number | null
}
