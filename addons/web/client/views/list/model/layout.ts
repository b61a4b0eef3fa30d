import { formatInteger } from '../../../core/format.ts'
import type { Group } from '../../../store/group.ts'
import type { ListStore } from '../../../store/list.ts'

/** The content of one line of the grid. Levels count from 1; 0 if the list is not grouped. */
export type Line =
  | { readonly kind: 'record'; readonly list: ListStore; readonly at: number; readonly level: number }
  | { readonly kind: 'group'; readonly group: Group; readonly path: string; readonly level: number }
  /** The rest of a group, shown on demand. */
  | { readonly kind: 'more'; readonly path: string; readonly rest: number; readonly level: number }
  /** Still loading. */
  | { readonly kind: 'wait'; readonly level: number }
  /** A record that is being entered. */
  | { readonly kind: 'new'; readonly level: number }

/** Lines of one kind and height, one below the other. */
interface Stretch {
  readonly start: number
  readonly count: number
  readonly top: number
  readonly height: number
  readonly lineAt: (offset: number) => Line
}

/** The position of every line, computed without drawing them. */
export interface Layout {
  readonly stretches: readonly Stretch[]
  readonly count: number
  readonly height: number
}

export interface LineHeights {
  readonly row: number
  readonly group: number
}

/** Rows of a group that show at once; the rest on demand. */
export const GROUP_ROWS = 40

export interface LayoutSource {
  readonly list: ListStore
  /** Null: not grouped. */
  readonly groups: readonly Group[] | null
  /** Groups that show all their rows. */
  readonly wholeGroups: ReadonlySet<string>
  /** Where a record is being entered. */
  readonly newAt: 'top' | 'bottom' | null
}

/** Number of rows: of all records that matched when they were loaded, without those hidden optimistically. */
export const countOf = ({ total, ids }: ListStore): number =>
  Math.max(0, total.value - (ids.base.value.length - ids.value.value.length))

/** Number of records that match now, over which sums are made; rows that no longer match may still be shown. */
export const countMatching = (list: ListStore): number => Math.max(0, countOf(list) - list.surplus.value)

/** The count as text, with a plus if the server stopped counting. */
export const countText = (list: ListStore): string =>
  `${formatInteger(countMatching(list))}${list.isExact.value ? '' : '+'}`

export function layOut(source: LayoutSource, heights: LineHeights): Layout {
  const stretches: Stretch[] = []
  let start = 0
  let top = 0
  const add = (count: number, height: number, lineAt: (offset: number) => Line) => {
    if (count <= 0) return
    stretches.push({ start, count, top, height, lineAt })
    start += count
    top += count * height
  }
  const addNew = () => add(1, heights.row, () => ({ kind: 'new', level: source.groups === null ? 0 : 1 }))
  const addRecords = (list: ListStore, count: number, level: number) =>
    add(count, heights.row, (at) => ({ kind: 'record', list, at, level }))

  function addGroup(group: Group, before: string, level: number): void {
    const path = `${before}/${String(group.value)}`
    add(1, heights.group, () => ({ kind: 'group', group, path, level }))
    if (!group.isOpen.value) return
    const inside = group.inside.value
    if (inside === null) {
      add(Math.min(3, group.count), heights.row, () => ({ kind: 'wait', level: level + 1 }))
    } else if (inside.kind === 'groups') {
      for (const each of inside.groups) addGroup(each, path, level + 1)
    } else {
      const count = countOf(inside.list)
      const shown = source.wholeGroups.has(path) ? count : Math.min(count, GROUP_ROWS)
      addRecords(inside.list, shown, level + 1)
      if (shown < count) add(1, heights.row, () => ({ kind: 'more', path, rest: count - shown, level: level + 1 }))
    }
  }

  if (source.newAt === 'top') addNew()
  if (source.groups === null) addRecords(source.list, countOf(source.list), 0)
  else for (const group of source.groups) addGroup(group, '', 1)
  if (source.newAt === 'bottom') addNew()
  return { stretches, count: start, height: top }
}

/** The block a position belongs to; positions before the first or after the last are clamped. */
function findStretch({ stretches }: Layout, startOf: (stretch: Stretch) => number, place: number): Stretch | undefined {
  let low = 0
  let high = stretches.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (startOf(stretches[middle]!) <= place) low = middle
    else high = middle - 1
  }
  return stretches[low]
}

export function lineAt(layout: Layout, index: number): Line | null {
  const stretch = findStretch(layout, ({ start }) => start, index)
  if (!stretch || index < stretch.start || index >= stretch.start + stretch.count) return null
  return stretch.lineAt(index - stretch.start)
}

/** Pixels from the top of the body, and the height, of a line. */
export function placeOf(layout: Layout, index: number): { readonly top: number; readonly height: number } {
  const stretch = findStretch(layout, ({ start }) => start, index)
  if (!stretch) return { top: 0, height: 0 }
  return { top: stretch.top + (index - stretch.start) * stretch.height, height: stretch.height }
}

/** The line at a pixel offset. */
export function indexAt(layout: Layout, px: number): number {
  const stretch = findStretch(layout, ({ top }) => top, px)
  if (!stretch) return 0
  const offset = Math.floor((px - stretch.top) / stretch.height)
  return stretch.start + Math.max(0, Math.min(stretch.count - 1, offset))
}

/** Lines drawn beyond the edges, so that a short scroll shows no gap. */
const OVERSCAN = 6

/** The lines to draw for a part of the body, end exclusive. */
export function windowOf(layout: Layout, top: number, height: number): { readonly from: number; readonly to: number } {
  if (layout.count === 0) return { from: 0, to: 0 }
  const from = Math.max(0, indexAt(layout, top) - OVERSCAN)
  const to = Math.min(layout.count, indexAt(layout, top + height) + 1 + OVERSCAN)
  return { from, to }
}

/** The line of a record; null if its group is closed or it is not loaded. */
export function lineOfRecord(layout: Layout, id: number): number | null {
  for (const stretch of layout.stretches) {
    const first = stretch.lineAt(0)
    if (first.kind !== 'record') continue
    const at = first.list.ids.value.peek().indexOf(id)
    if (at >= 0 && at < stretch.count) return stretch.start + at
  }
  return null
}
