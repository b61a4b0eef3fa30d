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
  /** Reads records again that the user made or moved here, and sees whether they still match. */
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
    const { id: me } = session.bootstrap.user
    // Together, so that what is laid out of all records is laid out once.
    batch(() => {
      for (const row of rows)
        for (const entry of records.put(model, [row], { isRemote: (writerOf(row)?.[0] ?? me) !== me }))
          held.set(entry.id, entry)
    })
  }

  /** Shows records that are held, and holds no others. */
  function showIds(shown: readonly number[]): void {
    const kept = new Set(shown)
    for (const id of held.keys()) if (!kept.has(id)) held.delete(id)
    ids.value = shown
  }

  /** `isPart`: the others follow. */
  function take(rows: readonly Row[], hasMore: boolean, isPart = false): void {
    batch(() => {
      showIds(rows.map(({ id }) => id))
      isCut.value = hasMore
      isLoading.value = isPart
      error.value = null
    })
    drawn = query
  }

  async function load({ domain, order, fields }: SetQuery, aborted: AbortSignal): Promise<void> {
    const rows: Row[] = []
    for (;;) {
      // One more than is shown tells whether there are others.
      const isFull = rows.length === MAX_RECORDS
      const page = await searchRead(rpc, model, domain, [...fields, 'write_uid'], {
        order,
        limit: isFull ? 1 : PAGE,
        offset: rows.length,
        signal: aborted,
      })
      if (aborted.aborted) return
      if (isFull) return take(rows, page.length > 0)
      // Page by page: all at once would be a long frame.
      hold(page)
      rows.push(...page)
      if (page.length < PAGE) return take(rows, false)
      // Many records are shown as they come, unless as many of them are there already.
      if (drawn !== query || rows.length > ids.peek().length) take(rows, false, true)
    }
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

  /** Records the user made or moved here, which are shown also beyond the end of a set that is cut. */
  const own = new Set<number>()

  async function refresh(changed: readonly number[]): Promise<void> {
    if (!query || changed.length === 0) return
    const { signal: aborted } = abort
    // A cut set ends with its last record: the query includes it, so that the order shows which changed records come before the end.
    const last = isCut.peek() ? ids.peek().at(-1) : undefined
    const asked = last === undefined ? changed : [...changed, last]
    const answer = await searchRead(
      rpc,
      model,
      [...query.domain, ['id', 'in', asked]],
      [...query.fields, 'write_uid'],
      {
        order: query.order,
        limit: asked.length,
        signal: aborted,
      },
    )
    if (aborted.aborted) return
    const before = ids.peek()
    const end = last === undefined ? answer.length : answer.findIndex(({ id }) => id === last)
    const rows = answer.filter(({ id }, at) => at < end || own.has(id) || before.includes(id))
    hold(rows)
    const found = rows.map(({ id }) => id)
    const kept = before.filter((id) => found.includes(id) || !changed.includes(id))
    const added = found.filter((id) => !before.includes(id))
    if (kept.length === before.length && added.length === 0) return
    // In front, so that the last one stays the end; the set keeps its size.
    showIds(last === undefined ? [...kept, ...added] : [...added, ...kept].slice(0, MAX_RECORDS))
    const { length } = ids.peek()
    if (last === undefined ? length > MAX_RECORDS : length <= MAX_RECORDS - PAGE) reload()
  }

  const waiting = new Set<number>()
  const refreshWaiting = async () => {
    const due = [...waiting]
    waiting.clear()
    // One answer has a page at most, with the end of the set.
    if (due.length >= PAGE) return reload()
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
      for (const id of changed) {
        own.add(id)
        waiting.add(id)
      }
      return refreshWaiting()
    },
    reload,
    stop() {
      abort.abort()
      unfollow()
    },
  }
}
