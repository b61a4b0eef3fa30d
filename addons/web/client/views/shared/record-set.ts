import { batch, type Signal, signal } from '@preact/signals'
import type { WireDomain, WireRecord } from '../../../../../kernel/view/wire.ts'
import { isAbort } from '../../net/errors.ts'
import { onRecordChanges } from '../../net/record-changes.ts'
import type { Row } from '../../net/rpc.ts'
import { services } from '../../services.ts'
import { searchRead } from '../../store/queries.ts'
import { type RecordEntry, writerOf } from '../../store/records.ts'

/** Records per request, the most the service gives at once, and of a view: more would neither be seen nor drawn smoothly. */
const PAGE = 500
export const MAX_RECORDS = 2_000

export interface SetQuery {
  readonly domain: WireDomain
  readonly order: string
  readonly fields: readonly string[]
}

/** All records of a query, as views in time and on a map show them, kept up to date by the bus. */
export interface RecordSet {
  readonly ids: Signal<readonly number[]>
  readonly isLoading: Signal<boolean>
  readonly error: Signal<unknown>
  /** Whether there are more records than `MAX_RECORDS`. */
  readonly isCut: Signal<boolean>
  /** Shows another query. `known`: its records, if they are there already, or some of them, which are shown until all are. */
  show(query: SetQuery, known?: readonly WireRecord[], isAll?: boolean): void
  entryOf(id: number): RecordEntry
  /** Reads some records again and sees whether they still match. */
  refresh(ids: readonly number[]): Promise<void>
  reload(): void
  stop(): void
}

/** `isHeld`: changes of others wait until it is false and `reload` or `refresh` is called, as while something is dragged. */
export function createRecordSet(model: string, isHeld: () => boolean): RecordSet {
  const { bus, records, rpc, session } = services()
  const ids = signal<readonly number[]>([])
  const isLoading = signal(false)
  const error = signal<unknown>(null)
  const isCut = signal(false)
  const held = new Map<number, RecordEntry>()
  let query: SetQuery | null = null
  /** The query of what is on screen. */
  let drawn: SetQuery | null = null
  let abort = new AbortController()

  /** Stores rows, with a mark on what others changed, and keeps a reference so that the store does not drop them. */
  function hold(rows: readonly Row[]): void {
    const isOthers = (row: Row) => (writerOf(row)?.[0] ?? session.bootstrap.user.id) !== session.bootstrap.user.id
    // Together, so that what is laid out of all records is laid out once.
    batch(() => {
      for (const isNews of [true, false]) {
        const those = rows.filter((row) => isOthers(row) === isNews)
        for (const entry of records.put(model, those, { isNews })) held.set(entry.id, entry)
      }
    })
  }

  /** Shows rows that are held; `isPart`: the others follow. */
  function take(rows: readonly Row[], hasMore: boolean, isPart = false): void {
    const kept = new Set(rows.map(({ id }) => id))
    for (const id of [...held.keys()]) if (!kept.has(id)) held.delete(id)
    batch(() => {
      ids.value = [...kept]
      isCut.value = hasMore
      isLoading.value = isPart
      error.value = null
    })
    drawn = query
  }

  async function load({ domain, order, fields }: SetQuery, aborted: AbortSignal): Promise<void> {
    const rows: Row[] = []
    let page: readonly Row[]
    do {
      page = await searchRead(rpc, model, domain, [...fields, 'write_uid'], {
        order,
        limit: PAGE,
        offset: rows.length,
        signal: aborted,
      })
      if (aborted.aborted) return
      // Page by page: all at once would be a long frame.
      hold(page)
      rows.push(...page)
      // Many records are shown as they come, unless as many of them are there already.
      if (page.length === PAGE && (drawn !== query || rows.length > ids.peek().length)) take(rows, false, true)
    } while (page.length === PAGE && rows.length < MAX_RECORDS)
    take(rows, page.length === PAGE)
  }

  function reload(): void {
    if (!query) return
    abort.abort()
    abort = new AbortController()
    const { signal: aborted } = abort
    isLoading.value = true
    load(query, aborted).catch((failure: unknown) => {
      if (aborted.aborted || isAbort(failure)) return
      batch(() => {
        error.value = failure
        isLoading.value = false
      })
    })
  }

  async function refresh(changed: readonly number[]): Promise<void> {
    if (!query || changed.length === 0) return
    const { signal: aborted } = abort
    const domain = [...query.domain, ['id', 'in', changed]]
    const rows = await searchRead(rpc, model, domain, [...query.fields, 'write_uid'], {
      limit: changed.length,
      signal: aborted,
    })
    if (aborted.aborted) return
    hold(rows)
    const found = new Set(rows.map(({ id }) => id))
    const known = new Set(ids.peek())
    const gone = new Set(changed.filter((id) => known.has(id) && !found.has(id)))
    const added = [...found].filter((id) => !known.has(id))
    if (gone.size + added.length > 0) ids.value = [...ids.peek().filter((id) => !gone.has(id)), ...added]
    for (const id of gone) held.delete(id)
  }

  const waiting = new Set<number>()
  const refreshWaiting = async () => {
    const due = [...waiting]
    waiting.clear()
    // If the request fails, the next event repeats it.
    await refresh(due).catch(() => {
      for (const id of due) waiting.add(id)
    })
  }
  const unfollow = onRecordChanges(bus, [model], (changes) => {
    if (!changes) return reload()
    for (const { id } of changes) waiting.add(id)
    if (!isHeld()) void refreshWaiting()
  })

  return {
    ids,
    isLoading,
    error,
    isCut,
    show(next, known, isAll = true) {
      if (JSON.stringify(next) === JSON.stringify(query) && !known) return
      query = next
      abort.abort()
      abort = new AbortController()
      if (known) {
        hold(known)
        take(known, false, !isAll)
      }
      if (!known || !isAll) reload()
    },
    entryOf: (id) => held.get(id) ?? records.get(model, id),
    refresh(changed) {
      for (const id of changed) waiting.add(id)
      return refreshWaiting()
    },
    reload,
    stop() {
      abort.abort()
      unfollow()
    },
  }
}
