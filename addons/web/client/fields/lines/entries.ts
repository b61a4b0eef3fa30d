import { useEffect, useRef, useState } from 'preact/hooks'
import { services } from '../../services.ts'
import type { RecordEntry } from '../../store/records.ts'
import { showError } from '../../ui/toasts.tsx'

export interface LineEntries {
  entryOf(row: number): RecordEntry | null
  readonly isLoading: boolean
  /** Reads rows again, after an action changed them. */
  refresh(rows: readonly number[]): Promise<void>
}

/** Rows per request; the service accepts up to 1,000. */
const CHUNK = 500

/**
 * The saved records of the rows. They are read when rows are added and when the parent record was saved, and kept up to
 * date by the store.
 */
export function useEntries(
  model: string,
  rows: readonly number[],
  fields: readonly string[],
  version: unknown,
): LineEntries {
  const { records, rpc } = services()
  // Held in a ref, because the store drops entries without references.
  const held = useRef(new Map<number, RecordEntry>())
  const [isLoading, setLoading] = useState(true)
  const saved = rows.filter((row) => row > 0)
  for (const row of saved) if (!held.current.has(row)) held.current.set(row, records.get(model, row))
  const key = saved.toSorted((a, b) => a - b).join()
  const seen = useRef<{ version: unknown; known: ReadonlySet<number> }>({ version: undefined, known: new Set() })

  const read = async (ids: readonly number[]): Promise<void> => {
    for (let at = 0; at < ids.length; at += CHUNK) {
      records.put(model, await rpc.read(model, ids.slice(at, at + CHUNK), fields))
    }
  }

  useEffect(() => {
    const isSame = seen.current.version === version
    const missing = isSame ? saved.filter((row) => !seen.current.known.has(row)) : saved
    seen.current = { version, known: new Set(saved) }
    let isCurrent = true
    read(missing)
      .catch(showError)
      .finally(() => isCurrent && setLoading(false))
    return () => {
      isCurrent = false
    }
  }, [model, key, version])

  return {
    entryOf: (row) => held.current.get(row) ?? null,
    isLoading: isLoading && saved.length > 0,
    refresh: read,
  }
}
