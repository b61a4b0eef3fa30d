import { useEffect, useMemo, useState } from 'preact/hooks'
import { debounce, TYPEAHEAD_MS } from '../../core/debounce.ts'
import { isAbort } from '../../net/errors.ts'
import { services } from '../../services.ts'
import { findRecords } from './found-records.ts'
import type { FoundRecord, ScopeSearch } from './palette-entries.ts'

/** Letters before the whole database is searched. */
const MIN_LETTERS = 2

const LATE_MS = 500

export interface Found {
  readonly records: readonly FoundRecord[]
  readonly isLooking: boolean
  /** Whether the search takes long enough to show that it is running. */
  readonly isLate: boolean
  /** Whether the server could not be reached, so that only entries of the page are shown. */
  readonly isOffline: boolean
}

const NOTHING: Found = { records: [], isLooking: false, isLate: false, isOffline: false }

/** Records that match the text, requested when the user pauses; `search` is null if none are wanted. */
export function useFound(search: ScopeSearch | null, isScoped: boolean, typed: string): Found {
  const [found, setFound] = useState(NOTHING)
  const look = useMemo(
    () =>
      debounce((sought: ScopeSearch, text: string, signal: AbortSignal) => {
        const { transport, session } = services()
        const asked =
          sought.ask?.(text, signal) ?? findRecords(transport, session.bootstrap.wcApiBase, sought, text, signal)
        asked.then(
          (records) => signal.aborted || setFound({ ...NOTHING, records }),
          (error: unknown) => signal.aborted || isAbort(error) || setFound({ ...NOTHING, isOffline: true }),
        )
      }, TYPEAHEAD_MS),
    [],
  )
  const text = typed.trim()
  useEffect(() => {
    if (search === null || (!isScoped && text.length < MIN_LETTERS)) {
      setFound(NOTHING)
      return
    }
    const abort = new AbortController()
    setFound((before) => ({ ...before, isLooking: true, isOffline: false }))
    look(search, text, abort.signal)
    return () => {
      look.cancel()
      abort.abort()
    }
  }, [search, text])
  const { isLooking } = found
  useEffect(() => {
    if (!isLooking) return
    const timer = setTimeout(() => setFound((before) => ({ ...before, isLate: before.isLooking })), LATE_MS)
    return () => clearTimeout(timer)
  }, [isLooking])
  return found
}
