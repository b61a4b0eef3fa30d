import { useEffect, useRef, useState } from 'preact/hooks'
import { type RecordEntry, sameValue, type Values, valuesOf } from '../store/records.ts'

const HIGHLIGHT_MS = 600
const NOTHING: ReadonlySet<string> = new Set()

/** Names of the fields that differ. */
export const changedFields = (before: Values, now: Values): ReadonlySet<string> =>
  new Set(Object.keys(now).filter((name) => !sameValue(now[name], before[name])))

/**
 * Calls `end` when a highlight has been seen: after a moment, or with reduced motion, where it does not fade, at the next key
 * or click. Returns a function that stops it.
 */
export function highlightEnd(end: () => void, ms = HIGHLIGHT_MS): () => void {
  const abort = new AbortController()
  const { signal } = abort
  const timer = setTimeout(() => {
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) return end()
    for (const type of ['keydown', 'pointerdown']) document.addEventListener(type, end, { signal })
  }, ms)
  return () => {
    clearTimeout(timer)
    abort.abort()
  }
}

/** Fields that another user changed within the last moments, to highlight them. */
export function useRecentChanges(entry: RecordEntry | null): ReadonlySet<string> {
  const [recent, setRecent] = useState(NOTHING)
  const touched = entry?.touched.value ?? 0
  const values = entry ? valuesOf(entry).value : null
  const before = useRef({ entry, touched, values })
  useEffect(() => {
    const last = before.current
    before.current = { entry, touched, values }
    if (last.entry !== entry || last.touched === touched || !last.values || !values) return
    setRecent(changedFields(last.values, values))
  }, [entry, touched, values])
  useEffect(() => {
    if (recent.size > 0) return highlightEnd(() => setRecent(NOTHING))
  }, [recent])
  return recent
}
