import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { WireDomain } from '../../../../kernel/view/wire.ts'
import { isAbort } from '../net/errors.ts'
import type { Row, Rpc } from '../net/rpc.ts'
import { createLayered, type Layered } from './layered.ts'
import { countRecords, searchRead } from './queries.ts'
import type { RecordEntry, RecordStore } from './records.ts'

export interface ListQuery {
  readonly model: string
  readonly domain: WireDomain
  readonly fields: readonly string[]
  readonly order?: string
  readonly archived?: 'exclude' | 'include' | 'only'
}

/** Rows that are already loaded, from a workspace or a group. */
export interface ListStart {
  readonly rows?: readonly Row[]
  /** Position of the first of these rows. */
  readonly offset?: number
  readonly total?: number
  /** False when there are more than `total`. */
  readonly isExact?: boolean
}

/** The records of a query in order, loaded page by page as they scroll into view. It holds ids; the values are in the record store. */
export interface ListStore {
  readonly query: ReadonlySignal<ListQuery>
  readonly total: Signal<number>
  /** How many rows are shown beyond the records that still match, while changes by other users are not applied yet. */
  readonly surplus: ReadonlySignal<number>
  /** False while `total` is where the server stopped counting. */
  readonly isExact: ReadonlySignal<boolean>
  /** By position; positions that are not loaded yet are empty. Optimistic moves and removals are layers. */
  readonly ids: Layered<readonly (number | undefined)[]>
  readonly isLoading: ReadonlySignal<boolean>
  /** Of the last load; null while it is under way. */
  readonly error: ReadonlySignal<unknown>
  entryAt(index: number): RecordEntry | null
  /** Loads what is missing between two positions. */
  ensure(from: number, to: number): Promise<void>
  /** Starts another query; answers to the old one are ignored. */
  restart(query: ListQuery, start?: ListStart): void
  /** Reloads the rows in view and the total; other rows are loaded again when they scroll into view. */
  refresh(): Promise<void>
  /** Ids of the rows in view, as far as they are loaded. */
  shownIds(): readonly number[]
  /** Counts all records, without the limit. */
  count(): Promise<void>
  /** Sets the current number of records; `isKept`: the rows stay until they are loaded again. */
  hold(count: number, isKept: boolean): void
  /** Aborts loading. */
  stop(): void
}

const PAGE = 80
/** In place of a page. */
const COUNT = -1

export function createList(rpc: Rpc, records: RecordStore, first: ListQuery, start: ListStart = {}): ListStore {
  const query = signal(first)
  const total = signal(0)
  const surplus = signal(0)
  const isExact = signal(true)
  const ids = createLayered<readonly (number | undefined)[]>([])
  const running = signal(0)
  const error = signal<unknown>(null)
  // References to the entries, so that the record store keeps them while the list shows them.
  const entries = new Map<number, RecordEntry>()
  let asked = new Set<number>()
  /** The positions of the last `ensure`. */
  let shown = { from: 0, to: PAGE }
  let abort = new AbortController()
  let requests = 0
  /** By page the request whose answer is shown; under `COUNT` that of the number of records. */
  const answered: Record<number, number> = {}

  /** An answer; undefined if the list has restarted or shows a newer one already: an older one may have rows that are gone. */
  async function newestOf<T>(page: number, answer: Promise<T>): Promise<T | undefined> {
    const { signal: aborted } = abort
    const request = ++requests
    const value = await answer
    if (aborted.aborted || request < (answered[page] ?? 0)) return undefined
    answered[page] = request
    return value
  }

  function take(offset: number, rows: readonly Row[]): void {
    for (const entry of records.put(query.peek().model, rows)) entries.set(entry.id, entry)
    const next = ids.base.peek().slice()
    rows.forEach((row, index) => {
      next[offset + index] = row.id
    })
    ids.base.value = next
  }

  function restart(next: ListQuery, known: ListStart = {}): void {
    abort.abort()
    abort = new AbortController()
    asked = new Set()
    entries.clear()
    error.value = null
    query.value = next
    ids.base.value = []
    total.value = known.total ?? known.rows?.length ?? 0
    surplus.value = 0
    isExact.value = known.isExact ?? true
    const offset = known.offset ?? 0
    if (!known.rows) return
    take(offset, known.rows)
    const last = offset + known.rows.length
    const isEnd = last >= total.peek()
    for (let page = Math.ceil(offset / PAGE); isEnd ? page * PAGE < last : (page + 1) * PAGE <= last; page++)
      asked.add(page)
    if (!isExact.peek()) void count()
  }

  async function loadPage(page: number): Promise<void> {
    const { signal: aborted } = abort
    const { model, domain, fields, order, archived } = query.peek()
    asked.add(page)
    error.value = null
    running.value++
    try {
      const where = { limit: PAGE, offset: page * PAGE, order, archived, signal: aborted }
      const rows = await newestOf(page, searchRead(rpc, model, domain, fields, where))
      if (!rows) return
      take(page * PAGE, rows)
    } catch (failure) {
      if (aborted.aborted || isAbort(failure)) return
      // Rows that are there stay, and the next `refresh` loads them again.
      if (ids.base.peek()[page * PAGE] === undefined) asked.delete(page)
      error.value = failure
    } finally {
      running.value--
    }
  }

  async function ensure(from: number, to: number): Promise<void> {
    shown = { from: Math.max(0, from), to }
    const end = Math.min(to, total.peek())
    const missing: number[] = []
    for (let page = Math.floor(shown.from / PAGE); page * PAGE < end; page++) if (!asked.has(page)) missing.push(page)
    await Promise.all(missing.map(loadPage))
  }

  const hold = (count: number, isKept = false) =>
    batch(() => {
      if (!isKept) {
        total.value = count
        isExact.value = true
      }
      surplus.value = total.peek() - count
    })

  /** Counts the records; undefined if that was overtaken. */
  async function countNewest(): Promise<number | undefined> {
    const { model, domain } = query.peek()
    return newestOf(COUNT, countRecords(rpc, model, domain, { signal: abort.signal }))
  }

  async function refresh(): Promise<void> {
    const others = [...asked].filter((page) => page * PAGE >= shown.to || (page + 1) * PAGE <= shown.from)
    for (const page of others) asked.delete(page)
    error.value = null
    running.value++
    try {
      const [count] = await Promise.all([countNewest(), ...[...asked].map(loadPage)])
      if (count === undefined) return
      hold(count)
      const left = ids.base.peek().slice(0, count)
      for (const page of others) {
        if (!asked.has(page)) left.fill(undefined, page * PAGE, (page + 1) * PAGE)
      }
      ids.base.value = left
    } catch (failure) {
      showFailure(failure)
    } finally {
      running.value--
    }
  }

  async function count(): Promise<void> {
    const counted = await countNewest().catch(showFailure)
    if (counted !== undefined) hold(counted)
  }

  function showFailure(failure: unknown): undefined {
    if (!isAbort(failure)) error.value = failure
  }

  restart(first, start)
  return {
    query,
    total,
    surplus,
    isExact,
    ids,
    isLoading: computed(() => running.value > 0),
    error,
    entryAt(index) {
      const id = ids.value.value[index]
      return id === undefined ? null : (entries.get(id) ?? records.get(query.peek().model, id))
    },
    ensure,
    restart,
    refresh,
    shownIds: () =>
      ids.value
        .peek()
        .slice(shown.from, shown.to)
        .filter((id) => id !== undefined),
    count,
    hold,
    stop: () => abort.abort(),
  }
}
