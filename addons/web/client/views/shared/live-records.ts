import { type ReadonlySignal, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { WireDomain } from '../../../../../kernel/view/wire.ts'
import { isAbort } from '../../net/errors.ts'
import { onRecordChanges, type RecordChange } from '../../net/record-changes.ts'
import type { Row } from '../../net/rpc.ts'
import { services } from '../../services.ts'
import { searchRead } from '../../store/queries.ts'

export interface RecordsQuery {
  readonly model: string
  readonly domain: WireDomain
  readonly fields: readonly string[]
  readonly order?: string
  /** Most records that are loaded. */
  readonly max: number
}

/** The records of a view that draws them by their values: pins, bars, events. */
export interface LiveRecords {
  /** Null until they are there. */
  readonly rows: ReadonlySignal<readonly Row[] | null>
  /** Whether there are more than `max`. */
  readonly isCut: ReadonlySignal<boolean>
  readonly isStale: ReadonlySignal<boolean>
  readonly error: ReadonlySignal<unknown>
  reload(): void
  /** Puts rows the view has changed itself, until the server's answer; null takes one out. */
  put(id: number, values: Readonly<Record<string, unknown>> | null): void
}

const PAGE = 500

/** Loads when the query changes. After an event only the records it names are read again, and take the place of the old ones. */
export function useLiveRecords(query: RecordsQuery): LiveRecords {
  const state = useMemo(createLiveRecords, [])
  useEffect(() => state.ask(query), [JSON.stringify(query)])
  useEffect(() => {
    const stop = onRecordChanges(services().bus, [query.model], state.follow)
    return () => {
      stop()
      state.stop()
    }
  }, [query.model])
  return state
}

function createLiveRecords() {
  const rows = signal<readonly Row[] | null>(null)
  const isCut = signal(false)
  const isStale = signal(true)
  const error = signal<unknown>(null)
  let query: RecordsQuery | null = null
  let abort = new AbortController()

  async function load(): Promise<void> {
    if (!query) return
    const { max } = query
    const own = new AbortController()
    abort.abort()
    abort = own
    try {
      const found = await readAll(query, own.signal)
      if (own.signal.aborted) return
      isCut.value = found.length > max
      rows.value = found.slice(0, max)
      error.value = null
    } catch (failure) {
      if (own.signal.aborted || isAbort(failure)) return
      error.value = failure
    }
    isStale.value = false
  }

  /** Records that are not found any more no longer match, or are gone. */
  async function reread(changes: readonly RecordChange[]): Promise<void> {
    if (!query || rows.peek() === null) return
    const ids = changes.map(({ id }) => id)
    const { signal: aborted } = abort
    const { model, domain, fields } = query
    const found = await searchRead(services().rpc, model, [...domain, ['id', 'in', ids]], fields, {
      limit: ids.length,
      signal: aborted,
    })
    if (!aborted.aborted) rows.value = merged(rows.peek() ?? [], ids, found)
  }

  return {
    rows,
    isCut,
    isStale,
    error,
    ask(next: RecordsQuery) {
      query = next
      isStale.value = true
      void load()
    },
    reload() {
      isStale.value = true
      error.value = null
      void load()
    },
    put(id: number, values: Readonly<Record<string, unknown>> | null) {
      const now = rows.peek() ?? []
      const old = now.find((row) => row.id === id)
      rows.value = merged(now, [id], values === null ? [] : [{ ...old, ...values, id }])
    },
    follow(changes: readonly RecordChange[] | null) {
      // After a failure the next event tries again.
      if (changes === null) void load()
      else reread(changes).catch(() => undefined)
    },
    stop: () => abort.abort(),
  }
}

/** One more than `max` if there are more. */
async function readAll({ model, domain, fields, order, max }: RecordsQuery, abort: AbortSignal): Promise<Row[]> {
  const all: Row[] = []
  while (all.length <= max) {
    const page = await searchRead(services().rpc, model, domain, fields, {
      limit: Math.min(PAGE, max + 1 - all.length),
      offset: all.length,
      ...(order !== undefined && { order }),
      signal: abort,
    })
    all.push(...page)
    if (page.length < PAGE) break
  }
  return all
}

/** Rows keep their place; new ones come last. */
function merged(rows: readonly Row[], ids: readonly number[], found: readonly Row[]): readonly Row[] {
  const fresh = new Map(found.map((row) => [row.id, row]))
  const asked = new Set(ids)
  const kept = rows.flatMap((row) => (asked.has(row.id) ? (fresh.get(row.id) ?? []) : row))
  const known = new Set(rows.map(({ id }) => id))
  return [...kept, ...found.filter(({ id }) => !known.has(id))]
}
