import { useEffect, useRef, useState } from 'preact/hooks'
import { type RecordEntry, sameValue, valuesOf } from '../../../store/records.ts'

const HIGHLIGHT_MS = 600
const NOTHING: ReadonlySet<string> = new Set()

/** Fields that another user changed within the last moments, to highlight them. */
export function useRecentChanges(entry: RecordEntry): ReadonlySet<string> {
  const [recent, setRecent] = useState(NOTHING)
  const touched = entry.touched.value
  const values = valuesOf(entry).value
  const before = useRef({ entry, touched, values })
  useEffect(() => {
    const last = before.current
    before.current = { entry, touched, values }
    if (last.entry !== entry || last.touched === touched) return
    setRecent(new Set(Object.keys(values).filter((name) => !sameValue(values[name], last.values[name]))))
  }, [entry, touched, values])
  useEffect(() => {
    if (recent.size === 0) return
    const timer = setTimeout(() => setRecent(NOTHING), HIGHLIGHT_MS)
    return () => clearTimeout(timer)
  }, [recent])
  return recent
}
