import { useEffect, useRef, useState } from 'preact/hooks'
import type { WireLog, WireLogEntry } from '../../../../../../kernel/admin/wire-log.ts'
import { isAbort } from '../../../net/errors.ts'
import { services } from '../../../services.ts'

const PATH = '/web/settings/app-logs'

/** Pause before new entries are requested. */
const PAUSE_MS = 2_000

/** Maximum number of entries; the oldest are dropped. */
const MAX_ROWS = 1_000

export interface ShownLog {
  /** Null until the first answer. */
  readonly rows: readonly WireLogEntry[] | null
  readonly error: unknown
  readonly hasOlder: boolean
  reload(): void
  loadOlder(): void
}

/** Entries that fit the filter, newest first; with `isLive` new ones come by themselves while the page is looked at. */
export function useLog(filter: Readonly<Record<string, string>>, isLive: boolean): ShownLog {
  const [rows, setRows] = useState<readonly WireLogEntry[] | null>(null)
  const [before, setBefore] = useState<number | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [round, setRound] = useState(0)
  const cursor = useRef(0)
  const key = new URLSearchParams(filter).toString()

  async function load(more: Readonly<Record<string, number>>, signal?: AbortSignal): Promise<WireLog> {
    const query = new URLSearchParams(filter)
    for (const [name, value] of Object.entries(more)) query.set(name, String(value))
    const options = { method: 'GET', repeatable: true, ...(signal && { signal }) } as const
    const { json } = await services().transport.send(`${PATH}?${query}`, options)
    // The type of this route's answer.
    return json as unknown as WireLog
  }

  useEffect(() => {
    const own = new AbortController()
    load({}, own.signal).then(
      (found) => {
        cursor.current = found.cursor
        setRows(found.rows)
        setBefore(found.before)
        setError(null)
      },
      (problem) => isAbort(problem) || setError(problem),
    )
    return () => own.abort()
  }, [key, round])

  useEffect(() => {
    if (!isLive) return
    const own = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      // A hidden tab asks for no new lines.
      if (!document.hidden) {
        const after = cursor.current
        const found = await load({ after }, own.signal).catch(() => null)
        if (own.signal.aborted) return
        // After a reload meanwhile, the rows are among those that it brought.
        if (found !== null && found.rows.length > 0 && after === cursor.current) {
          cursor.current = found.cursor
          setRows((known) => [...found.rows, ...(known ?? [])].slice(0, MAX_ROWS))
        }
      }
      timer = setTimeout(look, PAUSE_MS)
    }
    void look()
    return () => {
      own.abort()
      clearTimeout(timer)
    }
  }, [key, isLive])

  return {
    rows,
    error,
    hasOlder: before !== null,
    reload: () => setRound((now) => now + 1),
    loadOlder() {
      if (before === null) return
      load({ before }).then((found) => {
        setRows((known) => [...(known ?? []), ...found.rows])
        setBefore(found.before)
      }, setError)
    },
  }
}
