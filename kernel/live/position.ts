/**
 * How far a reader has followed the log of events: everything that a snapshot of the database saw as committed. As text it is the `seq`
 * of a message, which clients send back to request events they missed.
 */
export interface Position {
  /** Identifies the history of the log, which changes with a failover or in a restored database. */
  readonly history: string
  /** `pg_snapshot` of PostgreSQL: `xmin:xmax:xip,…`. */
  readonly snapshot: string
  /** When the snapshot was taken: seconds by the clock of the database. */
  readonly at: number
}

export const positionText = ({ history, snapshot, at }: Position): string => `${history}/${snapshot}/${at}`

const TEXT = /^([0-9A-F]{8}\.\d{1,10})\/(\d{1,19}):(\d{1,19}):((?:\d{1,19}(?:,\d{1,19})*)?)\/(\d{1,11})$/
/** A text of this length names some two hundred open transactions. */
const MAX_CHARS = 3_000

/** Null for a text that is no position; PostgreSQL would refuse it with an error. */
export function parsePosition(text: string): Position | null {
  const match = text.length > MAX_CHARS ? null : TEXT.exec(text)
  if (match === null) return null
  const [, history = '', xmin = '', xmax = '', open = '', at = ''] = match
  const ids = [xmin, ...(open === '' ? [] : open.split(',')), xmax].map(BigInt)
  const isSnapshot = ids[0]! > 0n && ids.every((id, i) => i === 0 || ids[i - 1]! <= id) && isBelowEnd(ids)
  return isSnapshot ? { history, snapshot: `${xmin}:${xmax}:${open}`, at: Number(at) } : null
}

/** The open transactions of a snapshot began before its end. */
const isBelowEnd = (ids: readonly bigint[]) => ids.slice(1, -1).every((id) => id < ids.at(-1)!)
