import { batch, computed, type Signal, signal } from '@preact/signals'
import type { WireDomain, WireField, WireWorkspace } from '../../../../../../kernel/view/wire.ts'
import type { Person } from '../../../net/bus.ts'
import { isAbort } from '../../../net/errors.ts'
import type { Row } from '../../../net/rpc.ts'
import { orderOf } from '../../../router/codec.ts'
import { searchableFields } from '../../../search/query/field-catalogue.ts'
import type { Search } from '../../../search/query/search-model.ts'
import { recordPathOf } from '../../../search/record-links.ts'
import { services } from '../../../services.ts'
import { createLayered, type Layered } from '../../../store/layered.ts'
import { createOpenGroups } from '../../../store/open-groups.ts'
import { readGroup, searchRead } from '../../../store/queries.ts'
import { type RecordEntry, type Writer, writerOf } from '../../../store/records.ts'
import { type KanbanArch, parseKanbanArch } from './arch.ts'
import {
  type BoardColumnSpec,
  type ColumnStats,
  columnKey,
  determinesColumn,
  emptyStats,
  fromGroups,
  fromPayload,
  isMovable,
  partNames,
  withEmptyColumns,
  withFigures,
} from './columns.ts'

/**
 * A column of the board: its statistics and the ids of its loaded cards. Optimistic changes are layers on top of both.
 */
export interface BoardColumn extends Omit<BoardColumnSpec, 'stats' | 'isFolded'> {
  readonly stats: Layered<ColumnStats>
  readonly ids: Layered<readonly number[]>
  readonly isFolded: Signal<boolean>
  readonly isLoading: Signal<boolean>
  /** Whether its first cards were requested. */
  readonly isOpened: Signal<boolean>
  readonly error: Signal<unknown>
  /** The card in the tab order; the first card if this one is not in the column. */
  readonly current: Signal<number | null>
}

/** The card being dragged. */
export interface Lifted {
  readonly id: number
  readonly from: string
  readonly by: 'pointer' | 'keys'
}

/** Drop position: an index among the other cards of a column. */
export interface Slot {
  readonly column: string
  readonly index: number
}

/** The old place of a card that another user moved to another column. */
export interface MovedAwayPlace extends Slot {
  readonly id: number
  readonly by: Writer
  /** Label of the column where the card is now. */
  readonly to: string
  /** Of the card, in pixels. */
  readonly height: number
}

export interface Board {
  readonly arch: KanbanArch
  readonly workspace: Signal<WireWorkspace>
  readonly search: Signal<Search>
  /** What the board is grouped by: `stage_id`, `date_order:month`; empty for a board without columns. */
  readonly item: Signal<string>
  readonly field: Signal<WireField | undefined>
  readonly columns: Signal<readonly BoardColumn[]>
  /** The cards of a board without columns. */
  readonly cards: BoardColumn
  readonly isLoading: Signal<boolean>
  readonly error: Signal<unknown>
  /** Whether cards can be moved to other columns. */
  readonly mayMove: Signal<boolean>
  /** Whether cards can be reordered within a column. */
  readonly mayOrder: Signal<boolean>
  readonly lifted: Signal<Lifted | null>
  readonly slot: Signal<Slot | null>
  /** Cards that other users moved a moment ago. */
  readonly moved: Signal<ReadonlySet<number>>
  /** Old places of cards that other users moved away a moment ago. */
  readonly movedAway: Signal<readonly MovedAwayPlace[]>
  /** Cards that other users are dragging now. */
  readonly held: Signal<ReadonlyMap<number, Person>>
  /** Key of the column with the form for a new card. */
  readonly creating: Signal<string | null>
  take(workspace: WireWorkspace, search: Search): void
  reload(): void
  column(key: string): BoardColumn | undefined
  entryOf(id: number): RecordEntry
  hrefOf(id: number): string
  /** Loads the next cards of a column. */
  loadMore(column: BoardColumn): Promise<void>
  /** Puts rows into the store and keeps a reference, so that the store does not drop them. `isRemote`: highlights changes of other users. */
  hold(rows: readonly Row[], isRemote?: boolean): void
  /** Loads the cards of a column again, in the order of the server. */
  sortAgain(column: BoardColumn): Promise<void>
  /** Loads the statistics of all columns again. */
  refreshFigures(): Promise<void>
  fold(column: BoardColumn, isFolded: boolean): void
  addColumn(spec: BoardColumnSpec): void
  /** Names of all fields a card needs. */
  fieldNames(): readonly string[]
  order(): string | undefined
  stop(): void
}

const PAGE = 40
/** Maximum number of columns shown, and of columns and their parts requested. */
export const MAX_COLUMNS = 100
const MAX_GROUPS = 5_000

export function createBoard(first: WireWorkspace, search: Search): Board {
  const { records, rpc, session } = services()
  const arch = parseKanbanArch(first.arch)
  const board = {
    arch,
    workspace: signal(first),
    search: signal(search),
    item: signal(''),
    field: signal<WireField | undefined>(undefined),
    columns: signal<readonly BoardColumn[]>([]),
    isLoading: signal(false),
    error: signal<unknown>(null),
    mayMove: signal(false),
    mayOrder: signal(false),
    lifted: signal<Lifted | null>(null),
    slot: signal<Slot | null>(null),
    moved: signal<ReadonlySet<number>>(new Set()),
    movedAway: signal<readonly MovedAwayPlace[]>([]),
    held: signal<ReadonlyMap<number, Person>>(new Map()),
    creating: signal<string | null>(null),
  }
  const openGroups = createOpenGroups(localStorage, `modulus.kanban.${session.bootstrap.user.id}.${arch.model}`)
  const held = new Map<number, RecordEntry>()
  const recordPath = computed(() => recordPathOf(board.workspace.value))
  let abort = new AbortController()
  let figuresAsked = 0

  const cards = toColumn({ key: '', value: null, label: '', domain: [], isFolded: false, stats: emptyStats(arch) })

  function toColumn(spec: BoardColumnSpec, ids: readonly number[] | null = null): BoardColumn {
    const isOpen = openGroups.get([board.item.peek()], spec.key)
    return {
      ...spec,
      stats: createLayered(spec.stats),
      ids: createLayered(ids ?? []),
      isFolded: signal(isOpen === undefined ? spec.isFolded : !isOpen),
      isLoading: signal(false),
      isOpened: signal(ids !== null),
      error: signal(null),
      current: signal(null),
    }
  }

  function hold(rows: readonly Row[], isRemote = false): void {
    for (const row of rows) {
      const isOthers = isRemote && writerOf(row)?.[0] !== session.bootstrap.user.id
      for (const entry of records.put(arch.model, [row], { isRemote: isOthers })) held.set(entry.id, entry)
    }
  }

  const fieldNames = (): readonly string[] => {
    const { field } = board
    const names = arch.fields.map(({ name }) => name)
    return field.peek() && !names.includes(field.peek()!.name) ? [...names, field.peek()!.name] : names
  }

  const order = (): string | undefined => {
    const { listSort } = board.workspace.peek()
    return listSort === '' ? undefined : orderOf(listSort)
  }

  const options = (signal: AbortSignal) => {
    const by = order()
    return { signal, ...(by !== undefined && { order: by }) }
  }

  async function loadGroups(signal: AbortSignal): Promise<readonly BoardColumnSpec[]> {
    const item = board.item.peek()
    const field = board.field.peek()
    const { domain } = board.search.peek()
    const fields = arch.sum ? [{ name: 'sum', field: arch.sum.name, measure: 'sum' as const }] : []
    const parts = partNames(item, arch)
    const rows = await readGroup(
      rpc,
      arch.model,
      { domain, groupby: [item, ...parts], fields, sets: [[item], ...parts.map((part) => [item, part])] },
      { limit: MAX_GROUPS, signal },
    )
    const specs = fromGroups(item, knownFields(field), rows, arch).slice(0, MAX_COLUMNS)
    return withEmptyColumns(specs, item, field, arch)
  }

  const knownFields = (field: WireField | undefined): readonly WireField[] =>
    field && !arch.fields.includes(field) ? [...arch.fields, field] : arch.fields

  /** Shows what the payload contains at once and requests the rest. */
  function take(workspace: WireWorkspace, next: Search): void {
    abort.abort()
    abort = new AbortController()
    const { kanban } = workspace.arch
    const fallback = kanban?.groupField ?? ''
    const [item = ''] = next.groupBy(fallback)
    const isOther = item !== board.item.peek()
    batch(() => {
      board.workspace.value = workspace
      board.search.value = next
      board.error.value = null
      board.item.value = item
      if (isOther) {
        board.columns.value = []
        board.field.value = undefined
        board.creating.value = null
      }
      settleField([...arch.fields, ...workspace.search.grouped].find(({ name }) => name === item.split(':')[0]))
    })
    hold(workspace.records)
    if (item === '') takePage(workspace, next)
    else if (item === fallback && kanban && !next.isNarrowed) {
      show(fromPayload(kanban.columns), determinesColumn(item, board.field.peek()) ? workspace.records : null)
    } else void load(abort.signal)
  }

  function settleField(field: WireField | undefined): void {
    const item = board.item.peek()
    board.field.value = field
    board.mayMove.value = arch.isDraggable && isMovable(item, field)
    board.mayOrder.value = arch.isDraggable && arch.sequence !== null && board.workspace.peek().listSort === ''
  }

  function takePage(workspace: WireWorkspace, next: Search): void {
    // The payload of a board with columns contains the first cards of each column instead of a page.
    if (next.isNarrowed || workspace.arch.kanban?.groupField !== '') return void load(abort.signal)
    batch(() => {
      board.isLoading.value = false
      cards.ids.base.value = workspace.records.map(({ id }) => id)
      cards.stats.base.value = { ...emptyStats(arch), count: workspace.listTotal }
      cards.isOpened.value = true
    })
  }

  /** Shows columns. `rows` are their first cards; null if each column must request them. */
  function show(specs: readonly BoardColumnSpec[], rows: readonly Row[] | null): void {
    const item = board.item.peek()
    const idsOf = (key: string) =>
      rows === null ? null : rows.flatMap((row) => (columnKey(row[item]) === key ? [row.id] : []))
    const before = new Map(board.columns.peek().map((column) => [column.key, column]))
    board.columns.value = specs.map((spec) => {
      const column = toColumn(spec, idsOf(spec.key))
      const old = before.get(spec.key)
      // The previous cards stay visible until the new ones are loaded.
      if (old && !rows) column.ids.base.value = old.ids.base.peek()
      column.current.value = old?.current.peek() ?? null
      return column
    })
    board.isLoading.value = false
  }

  async function load(signal: AbortSignal): Promise<void> {
    board.isLoading.value = true
    try {
      const item = board.item.peek()
      if (item === '') return await loadPage(signal)
      if (!board.field.peek()) {
        const all = await searchableFields(arch.model)
        if (signal.aborted) return
        settleField(all.find(({ name }) => name === item.split(':')[0]))
      }
      const specs = await loadGroups(signal)
      if (signal.aborted) return
      const { kanban } = board.workspace.peek().arch
      // The columns of the view stay, even if they are empty.
      const isOwn = kanban !== undefined && kanban.groupField === item
      show(isOwn ? withFigures(fromPayload(kanban.columns), specs, arch) : specs, null)
    } catch (failure) {
      if (signal.aborted || isAbort(failure)) return
      board.error.value = failure
      board.isLoading.value = false
    }
  }

  async function loadPage(signal: AbortSignal): Promise<void> {
    const { listLimit, listOffset } = board.workspace.peek()
    const { domain } = board.search.peek()
    const [rows, [total]] = await Promise.all([
      searchRead(rpc, arch.model, domain, fieldNames(), { ...options(signal), limit: listLimit, offset: listOffset }),
      readGroup(rpc, arch.model, { domain, groupby: [] }, { signal }),
    ])
    if (signal.aborted) return
    hold(rows)
    batch(() => {
      board.isLoading.value = false
      cards.ids.base.value = rows.map(({ id }) => id)
      cards.stats.base.value = { ...emptyStats(arch), count: total?.__count ?? rows.length }
      cards.isOpened.value = true
    })
  }

  async function loadMore(column: BoardColumn): Promise<void> {
    if (column.isLoading.peek()) return
    const { signal } = abort
    const isFirst = !column.isOpened.peek()
    const offset = isFirst ? 0 : column.ids.base.peek().length
    const domain: WireDomain = [...board.search.peek().domain, ...column.domain]
    batch(() => {
      column.isLoading.value = true
      column.isOpened.value = true
      column.error.value = null
    })
    try {
      const rows = await searchRead(rpc, arch.model, domain, fieldNames(), { ...options(signal), limit: PAGE, offset })
      if (signal.aborted) return
      hold(rows)
      const known = isFirst ? [] : column.ids.base.peek()
      column.ids.base.value = [...new Set([...known, ...rows.map(({ id }) => id)])]
    } catch (failure) {
      if (signal.aborted || isAbort(failure)) return
      batch(() => {
        column.error.value = failure
        column.isOpened.value = !isFirst
      })
    } finally {
      column.isLoading.value = false
    }
  }

  async function sortAgain(column: BoardColumn): Promise<void> {
    const { signal } = abort
    const domain: WireDomain = [...board.search.peek().domain, ...column.domain]
    const limit = Math.max(1, column.ids.base.peek().length)
    const rows = await searchRead(rpc, arch.model, domain, fieldNames(), { ...options(signal), limit }).catch(
      () => null,
    )
    // If the request fails, the order stays as it is until the board is reloaded.
    if (!rows || signal.aborted) return
    hold(rows)
    column.ids.base.value = rows.map(({ id }) => id)
  }

  async function refreshFigures(): Promise<void> {
    if (board.item.peek() === '') return
    const { signal } = abort
    const own = ++figuresAsked
    try {
      const specs = await loadGroups(signal)
      // Only the answer to the latest request counts.
      if (signal.aborted || own !== figuresAsked) return
      const fresh = new Map(specs.map((spec) => [spec.key, spec]))
      const columns = board.columns.peek()
      const known = new Set(columns.map(({ key }) => key))
      batch(() => {
        for (const column of columns) column.stats.base.value = fresh.get(column.key)?.stats ?? emptyStats(arch)
        const added = specs.filter(({ key }) => !known.has(key))
        if (added.length > 0) board.columns.value = [...columns, ...added.map((spec) => toColumn(spec))]
      })
    } catch {
      // If the request fails, the statistics stay; the next change requests them again.
    }
  }

  return {
    ...board,
    cards,
    take,
    reload: () => void services().currentView.reload(),
    column: (key) => (board.item.peek() === '' ? cards : board.columns.peek().find((column) => column.key === key)),
    entryOf: (id) => held.get(id) ?? records.get(arch.model, id),
    hrefOf: (id) => `${recordPath.peek()}${id}`,
    loadMore,
    hold,
    sortAgain,
    refreshFigures,
    fold(column, isFolded) {
      column.isFolded.value = isFolded
      openGroups.set([board.item.peek()], column.key, !isFolded)
    },
    addColumn(spec) {
      board.columns.value = [...board.columns.peek(), toColumn(spec, [])]
    },
    fieldNames,
    order,
    stop: () => abort.abort(),
  }
}
