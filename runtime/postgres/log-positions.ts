/** How far a replica may be behind. */
export const MAX_LAG_MS = 5_000
/** Positions are kept this far apart; one older than five seconds and this is too old to decide. */
const STEP_MS = 1_000

export interface LogPositions {
  /** Records the current end of the primary's log. */
  note(lsn: number): void
  /** Whether a replica that has replayed this much is surely more than five seconds behind. */
  isLate(lsn: number): boolean
  /** Whether a replica that has replayed this much is surely less than five seconds behind. */
  isRecent(lsn: number): boolean
}

/**
 * Remembers where the log of the primary ended lately, to tell how far behind a replica is without comparing clocks: it has to
 * have replayed what the primary had written five seconds ago.
 */
export function rememberPositions(clock: () => number): LogPositions {
  const seen: { readonly at: number; readonly lsn: number }[] = []
  let end = 0
  const oldest = () => {
    const [first] = seen
    return first !== undefined && clock() - first.at >= MAX_LAG_MS ? first : undefined
  }
  return {
    note(lsn) {
      const at = clock()
      // After a failover the log may end earlier than it did.
      if (lsn < end) seen.length = 0
      end = lsn
      const last = seen.at(-1)
      if (last === undefined || at - last.at >= STEP_MS) seen.push({ at, lsn })
      while (seen[1] && at - seen[1].at >= MAX_LAG_MS) seen.shift()
    },
    isLate: (lsn) => lsn < (oldest()?.lsn ?? 0),
    isRecent(lsn) {
      const old = oldest()
      return lsn >= end || (old !== undefined && clock() - old.at < MAX_LAG_MS + 2 * STEP_MS && lsn >= old.lsn)
    },
  }
}
