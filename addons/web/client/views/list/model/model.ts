import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { WireDomain, WireField, WireRecord, WireWorkspace } from '../../../../../../kernel/view/wire.ts'
import { orderOf, type Route } from '../../../router/codec.ts'
import { searchOf } from '../../../search/query/search-model.ts'
import { recordPathOf } from '../../../search/record-links.ts'
import type { Update } from '../../../search/updates.tsx'
import { services } from '../../../services.ts'
import { type Group, type GroupQuery, loadGroups, openGroup } from '../../../store/group.ts'
import { createList, type ListStore } from '../../../store/list.ts'
import { createOpenGroups, type OpenGroups } from '../../../store/open-groups.ts'
import { plainRecord } from '../../../store/plain-record.ts'
import { type RecordEntry, sameValue, type Values } from '../../../store/records.ts'
import { showError } from '../../../ui/toasts.tsx'
import { opensAtFirst } from '../../group-label.ts'
import { type ListArch, type ListColumn, readArch } from '../column/arch.ts'
import { columnText } from '../column/cell.tsx'
import {
  type CardPart,
  type ColumnPreferenceStore,
  type ListTracks,
  openColumnPreferences,
  toCard,
  toTracks,
  visibleColumns,
} from '../column/columns.ts'
import { loadCurrencies, loadTotals, measuresOf, type Totals } from '../column/totals.ts'
import { type Layout, type LineHeights, layOut } from './layout.ts'
import { createSelection, type Selection } from './selection.ts'

/** A cell: 0 is the checkbox, the columns follow. Line −1 is the heading. */
export interface Cursor {
  readonly line: number
  readonly column: number
}

/** The state of a list on screen, created once per view; what it shows are signals. */
export interface ListModel {
  readonly arch: ListArch
  /** Key of this list in the browser's storage. */
  readonly storageKey: string
  readonly workspace: ReadonlySignal<WireWorkspace>
  readonly route: ReadonlySignal<Route>
  /** The search domain, from which all requests of the list start. */
  readonly domain: ReadonlySignal<WireDomain>
  readonly preferences: ColumnPreferenceStore
  readonly columns: ReadonlySignal<readonly ListColumn[]>
  readonly tracks: ReadonlySignal<ListTracks>
  readonly card: ReadonlySignal<ReadonlyMap<string, CardPart>>
  readonly list: ListStore
  readonly groupBy: ReadonlySignal<readonly string[]>
  /** Null when rows are not grouped. */
  readonly groups: Signal<readonly Group[] | null>
  /** The request for the groups. */
  groupQuery(): GroupQuery
  readonly groupError: ReadonlySignal<unknown>
  readonly wholeGroups: Signal<ReadonlySet<string>>
  readonly layout: ReadonlySignal<Layout>
  readonly heights: Signal<LineHeights>
  readonly newAt: Signal<'top' | 'bottom' | null>
  readonly totals: ReadonlySignal<Totals | null>
  /** The currency of the totals by its field, where all amounts are in one. */
  readonly currencies: ReadonlySignal<Values>
  /** The fields to group by: those of the view and of its search. */
  readonly groupFields: readonly WireField[]
  readonly selection: Selection
  /** A bulk change is running here: events about it do not count as changes by others. */
  readonly isWorking: Signal<boolean>
  /** Changes by others since the rows were loaded. */
  readonly updates: Signal<readonly Update[]>
  readonly cursor: Signal<Cursor>
  /** The address of a record's form. */
  hrefOf(id: number): string
  /** Rows that are loaded, in the order shown. */
  loadedIds(): readonly number[]
  entryOf(id: number): RecordEntry
  /** All lists on screen: the one, or those of the open groups. */
  lists(): readonly ListStore[]
  toggleGroup(group: Group, path: string): void
  foldAll(isOpen: boolean): void
  /** New props of the view. */
  take(workspace: WireWorkspace, route: Route): void
  /** Loads the rows, the groups and the totals again. */
  refresh(): Promise<void>
  /** Loads the totals again, with the number of records while the rows stay as they are. */
  refreshTotals(): Promise<void>
  /** Disposes the effects. */
  stop(): void
}

/** About one screen of rows: a grouped list opens groups until it has that many. */
const SCREENFUL = 24
/** Each group that opens asks the server once. */
const MAX_OPENED = 40

export function createListModel(workspace0: WireWorkspace, route0: Route): ListModel {
  const { rpc, records, session, preferences } = services()
  const arch = readArch(workspace0.arch)
  const workspace = signal(workspace0)
  const route = signal(route0)
  const storageKey = `${session.bootstrap.user.id}/${workspace0.actionId || workspace0.model}`
  const columnPreferences = openColumnPreferences(preferences, `list/${workspace0.actionId || workspace0.model}`)
  const columns = computed(() =>
    visibleColumns(arch.columns, columnPreferences.value.value, route.value.state['measure']),
  )
  const domain = sameWhile(() => searchOf(workspace.value, route.value).domain)
  const groupBy = sameWhile(() => searchOf(workspace.value, route.value).groupBy(arch.defaultGroupBy))
  const fieldNames = [
    ...arch.fields.map(({ name }) => name),
    ...(arch.editable !== null || arch.multiEdit ? ['version'] : []),
  ]
  const queryNow = () => {
    const { listSort } = workspace.peek()
    const order = listSort === '' ? arch.defaultOrder : orderOf(listSort)
    return { model: arch.model, domain: domain.peek(), fields: fieldNames, ...(order !== '' && { order }) }
  }
  /** The rows of the workspace, unless the fragment of the address restricts the search: the server does not know the fragment. */
  const startNow = () => {
    const { records: rows, listOffset: offset, listTotal: total, listTotalExact: isExact } = workspace.peek()
    return searchOf(workspace.peek(), route.peek()).isNarrowed ? {} : { rows, offset, total, isExact }
  }
  // Measured once for each search, when there are rows, so that columns do not change while the user reads.
  let longest = measureTexts(arch, workspace0.records)
  const list = createList(rpc, records, queryNow(), startNow())
  const recordPath = computed(() => recordPathOf(workspace.value))
  const groups = signal<readonly Group[] | null>(groupBy.peek().length > 0 ? [] : null)
  const groupError = signal<unknown>(null)
  const wholeGroups = signal<ReadonlySet<string>>(new Set())
  const openGroups: OpenGroups = createOpenGroups(sessionStorage, `modulus.folds.${storageKey}`)
  const heights = signal<LineHeights>({ row: 32, group: 32 })
  const newAt = signal<'top' | 'bottom' | null>(null)
  const totals = signal<Totals | null>(null)
  const currencies = signal<Values>({})
  const selection = createSelection()
  const updates = signal<readonly Update[]>([])
  const cursor = signal<Cursor>({ line: 0, column: 1 })
  const layout = computed(() =>
    layOut({ list, groups: groups.value, wholeGroups: wholeGroups.value, newAt: newAt.value }, heights.value),
  )
  let abort = new AbortController()

  const groupQuery = (): GroupQuery => ({
    ...queryNow(),
    groupBy: groupBy.peek(),
    measures: measuresOf(arch),
  })

  async function open(group: Group): Promise<void> {
    try {
      await openGroup(rpc, records, groupQuery(), group)
    } catch (error) {
      group.isOpen.value = false
      showError(error, () => void open(group))
    }
  }

  /** Opens what was open before, or what fits on the screen. */
  async function openAgain(level: readonly Group[], before: string): Promise<void> {
    const first = before === '' ? opensAtFirst(level, SCREENFUL) : new Set<Group>()
    await Promise.all(
      level.map(async (group) => {
        const path = `${before}/${String(group.value)}`
        if (!(openGroups.get(groupBy.peek(), path) ?? first.has(group))) return
        await open(group)
        const inside = group.inside.peek()
        if (inside?.kind === 'groups') await openAgain(inside.groups, path)
      }),
    )
  }

  async function loadGrouped(): Promise<void> {
    abort.abort()
    const own = new AbortController()
    abort = own
    if (groupBy.peek().length === 0) {
      groups.value = null
      return
    }
    try {
      const loaded = await loadGroups(rpc, groupQuery(), own.signal)
      if (own.signal.aborted) return
      // The old groups stay until the new ones are filled, so that nothing jumps.
      const opening = openAgain(loaded, '')
      if (groups.peek()?.length) await opening
      if (own.signal.aborted) return
      batch(() => {
        groups.value = loaded
        groupError.value = null
      })
    } catch (error) {
      if (!own.signal.aborted) groupError.value = error
    }
  }

  async function loadSums(isCounted = false): Promise<void> {
    const asked = domain.peek()
    try {
      const [loaded, found] = await Promise.all([
        loadTotals(rpc, arch, asked, isCounted),
        loadCurrencies(rpc, arch, asked),
      ])
      if (asked !== domain.peek()) return
      batch(() => {
        totals.value = loaded
        currencies.value = found
        if (isCounted) list.hold(loaded['__count'] ?? 0, groups.peek() === null)
      })
    } catch {
      // Without totals the footer shows only the count; the rows are still useful.
    }
  }

  function restart(): void {
    list.restart(queryNow(), startNow())
    // The server's count does not include restrictions of the fragment.
    if (searchOf(workspace.peek(), route.peek()).isNarrowed) void list.refresh()
  }

  const lists = (): readonly ListStore[] => (groups.peek() === null ? [list] : listsIn(groups.peek() ?? []))

  const stop = effect(() => {
    // Another grouping, or another search or order under it.
    void groupBy.value
    void domain.value
    void workspace.value
    void loadGrouped()
  })
  if (startNow().rows === undefined) restart()
  const stopSums = effect(() => {
    void domain.value
    void loadSums()
  })

  return {
    arch,
    storageKey,
    workspace,
    route,
    domain,
    preferences: columnPreferences,
    columns,
    tracks: computed(() => {
      void domain.value
      if (longest.size === 0) longest = measureTexts(arch, loadedRows(list))
      return toTracks(
        columns.value,
        columnPreferences.value.value.widths,
        longest,
        arch.handle !== null,
        groups.value !== null,
      )
    }),
    card: computed(() => toCard(columns.value)),
    list,
    groupBy,
    groups,
    groupQuery,
    groupError,
    wholeGroups,
    layout,
    heights,
    newAt,
    totals,
    currencies,
    groupFields: [...arch.fields, ...workspace0.search.grouped],
    selection,
    isWorking: signal(false),
    updates,
    cursor,
    hrefOf: (id) => `${recordPath.peek()}${id}`,
    loadedIds: () => lists().flatMap(({ ids }) => ids.value.peek().filter((id) => id !== undefined)),
    entryOf: (id) => records.get(arch.model, id),
    lists,
    toggleGroup(group, path) {
      const isOpen = !group.isOpen.peek()
      openGroups.set(groupBy.peek(), path, isOpen)
      if (isOpen) void open(group)
      else group.isOpen.value = false
    },
    foldAll(isOpen) {
      const each = (level: readonly Group[], before: string): void => {
        for (const group of level) {
          const path = `${before}/${String(group.value)}`
          openGroups.set(groupBy.peek(), path, isOpen)
          if (!isOpen) group.isOpen.value = false
          const inside = group.inside.peek()
          if (inside?.kind === 'groups') each(inside.groups, path)
        }
      }
      batch(() => each(groups.peek() ?? [], ''))
      if (isOpen) void openAgain((groups.peek() ?? []).slice(0, MAX_OPENED), '')
    },
    take(next, nextRoute) {
      const before = { workspace: workspace.peek(), domain: domain.peek() }
      if (next === before.workspace && nextRoute === route.peek()) return
      batch(() => {
        route.value = nextRoute
        workspace.value = next
        const isOther = domain.peek() !== before.domain
        if (isOther) {
          selection.clear()
          longest = measureTexts(arch, startNow().rows ?? [])
        }
        if (isOther || next !== before.workspace) restart()
      })
    },
    async refresh() {
      const before = updates.peek()
      const isGrouped = groups.peek() !== null
      // The rows are those of the groups; of the list itself only the number is shown.
      await Promise.all([...(isGrouped ? [loadGrouped(), list.count()] : [list.refresh()]), loadSums()])
      const error = isGrouped ? groupError : list.error
      if (error.peek() === null) updates.value = updates.peek().filter((update) => !before.includes(update))
    },
    refreshTotals: () => loadSums(true),
    stop() {
      stop()
      stopSums()
      abort.abort()
      list.stop()
    },
  }
}

/** How many rows are measured to find the width of a column. */
const SAMPLE = 40

const measureTexts = ({ columns, model }: ListArch, rows: readonly WireRecord[]): ReadonlyMap<string, number> =>
  new Map(
    columns.flatMap((column) =>
      column.kind === 'buttons' || rows.length === 0
        ? []
        : [
            [
              column.key,
              Math.max(
                ...rows
                  .slice(0, SAMPLE)
                  .map((row) => columnText(column, row[column.key], plainRecord({ model, id: row.id }, row)).length),
              ),
            ],
          ],
    ),
  )

const loadedRows = ({ ids, query }: ListStore): readonly WireRecord[] =>
  ids.base.value.flatMap((id) =>
    id === undefined ? [] : { ...services().records.get(query.peek().model, id).values.base.peek(), id },
  )

/** A computed that keeps its object while the content is equal. */
function sameWhile<T>(read: () => T): ReadonlySignal<T> {
  let last: T | undefined
  return computed(() => {
    const next = read()
    last = last !== undefined && sameValue(last, next) ? last : next
    return last
  })
}

const listsIn = (level: readonly Group[]): readonly ListStore[] =>
  level.flatMap(({ isOpen, inside }) => {
    const content = inside.peek()
    if (!isOpen.peek() || content === null) return []
    return content.kind === 'list' ? [content.list] : listsIn(content.groups)
  })
