import { type ReadonlySignal, signal } from '../../sdk.ts'
import type { Column, FieldColumn } from './arch.ts'

/** What a user changed about the columns of a list; kept in this browser, per user and action. */
export interface ColumnWishes {
  /** Keys in the order wished for; columns it does not know stay where the view has them. */
  readonly order: readonly string[]
  /** Optional columns that are switched, by key. */
  readonly shown: Readonly<Record<string, boolean>>
  /** Pixels, by key. */
  readonly widths: Readonly<Record<string, number>>
}

export const NO_WISHES: ColumnWishes = { order: [], shown: {}, widths: {} }

export const LEAST_WIDTH = 48
export const MOST_WIDTH = 800

/** All columns, in the order wished for. */
export function orderColumns(columns: readonly Column[], { order }: ColumnWishes): readonly Column[] {
  const known = order.filter((key) => columns.some((column) => column.key === key))
  if (known.length === 0) return columns
  const wished = known.flatMap((key) => columns.find((column) => column.key === key) ?? [])
  const result: Column[] = []
  for (const column of columns) {
    // A column the wish does not know keeps its place; the others fill theirs in the wished order.
    const next = known.includes(column.key) ? wished.shift() : column
    if (next) result.push(next)
  }
  return result
}

export const isShown = (column: Column, { shown }: ColumnWishes): boolean =>
  column.optional === null || (shown[column.key] ?? column.optional === 'show')

export const visibleColumns = (columns: readonly Column[], wishes: ColumnWishes): readonly Column[] =>
  orderColumns(columns, wishes).filter((column) => isShown(column, wishes))

/** Moves a column before another, or behind all. */
export function moveColumn(
  columns: readonly Column[],
  wishes: ColumnWishes,
  key: string,
  before: string | null,
): ColumnWishes {
  const keys = orderColumns(columns, wishes).map((column) => column.key)
  const others = keys.filter((each) => each !== key)
  const at = before === null ? others.length : others.indexOf(before)
  return { ...wishes, order: others.toSpliced(at < 0 ? others.length : at, 0, key) }
}

export const clampWidth = (width: number): number => Math.round(Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, width)))

interface Room {
  readonly least: number
  /** Share of what is left; 0 keeps the column at its least width. */
  readonly grow: number
}

const FLEXIBLE: Room = { least: 120, grow: 1 }

/** By widget, then type. */
const ROOM: Readonly<Record<string, Room>> = {
  avatar: { least: 140, grow: 0.6 },
  badge: { least: 116, grow: 0.3 },
  boolean: { least: 64, grow: 0 },
  char: FLEXIBLE,
  color: { least: 64, grow: 0 },
  date: { least: 104, grow: 0 },
  datetime: { least: 136, grow: 0 },
  email: { least: 150, grow: 0.8 },
  float: { least: 92, grow: 0 },
  hours: { least: 80, grow: 0 },
  image: { least: 48, grow: 0 },
  integer: { least: 80, grow: 0 },
  many2many: { least: 132, grow: 0.8 },
  many2one: { least: 132, grow: 0.9 },
  monetary: { least: 116, grow: 0 },
  one2many: { least: 92, grow: 0.3 },
  percent: { least: 84, grow: 0 },
  phone: { least: 128, grow: 0.3 },
  priority: { least: 80, grow: 0 },
  progressbar: { least: 116, grow: 0 },
  selection: { least: 112, grow: 0.4 },
  tags: { least: 132, grow: 0.8 },
  text: { least: 160, grow: 1.2 },
  toggle: { least: 72, grow: 0 },
}

const MAIN: Room = { least: 160, grow: 1.3 }
/** Width of a character of the heading, and of the marks beside it. */
const CHAR = 6.6
const MARKS = 34

function roomOf(column: Column): Room {
  if (column.kind === 'buttons') return { least: 16 + column.nodes.length * 30, grow: 0 }
  const { widget, field, label, isMain } = column
  const known = ROOM[widget ?? ''] ?? ROOM[field.type] ?? FLEXIBLE
  const room = isMain && known.grow > 0.5 ? MAIN : known
  return { ...room, least: Math.max(room.least, Math.min(180, Math.round(label.length * CHAR + MARKS))) }
}

/** Columns before and after those of the view: the checkbox (and the grip), the chooser. */
const EDGE = { check: 32, grip: 24, end: 36 } as const
const ROW_PADDING = 16

export interface Tracks {
  /** Of `grid-template-columns`. */
  readonly template: string
  /** Below this width the list scrolls sideways. */
  readonly least: number
}

export function toTracks(columns: readonly Column[], widths: ColumnWishes['widths'], hasGrip: boolean): Tracks {
  const tracks = columns.map((column) => {
    const width = widths[column.key]
    if (width !== undefined) return { css: `${width}px`, least: width }
    const { least, grow } = roomOf(column)
    return { css: grow === 0 ? `${least}px` : `minmax(${least}px,${grow}fr)`, least }
  })
  const isRigid = columns.every((column) => widths[column.key] !== undefined || roomOf(column).grow === 0)
  const lead = hasGrip ? [EDGE.check, EDGE.grip] : [EDGE.check]
  return {
    template: [
      ...lead.map((px) => `${px}px`),
      ...tracks.map(({ css }) => css),
      // When nothing else grows the last track takes the rest, so that rows reach the edge.
      isRigid ? `minmax(${EDGE.end}px,1fr)` : `${EDGE.end}px`,
    ].join(' '),
    least: ROW_PADDING + EDGE.end + [...lead, ...tracks.map((track) => track.least)].reduce((sum, px) => sum + px, 0),
  }
}

/** What part of a card a cell is on a phone. */
export type CardPart = 'title' | 'amount' | 'sub' | 'side' | 'meta' | 'hide'

const STATES: ReadonlySet<string> = new Set(['badge', 'statusbar', 'priority'])
const DAYS: ReadonlySet<string> = new Set(['date', 'datetime'])
const WORDS: ReadonlySet<string> = new Set(['char', 'many2one', 'selection', 'text'])

/** Chooses at most five cells for a card; the others are for wider screens. */
export function toCard(columns: readonly Column[]): ReadonlyMap<string, CardPart> {
  const parts = new Map<string, CardPart>()
  const free = () =>
    columns.filter((column): column is FieldColumn => column.kind === 'field' && !parts.has(column.key))
  const give = (part: CardPart, column: FieldColumn | undefined) => column && parts.set(column.key, part)
  give('title', free().find(({ isMain }) => isMain) ?? free()[0])
  give(
    'amount',
    free().findLast(({ field }) => field.type === 'monetary') ?? free().findLast(({ total }) => total !== null),
  )
  give('meta', free().find(({ widget }) => STATES.has(widget ?? '')) ?? free().find(({ widget }) => widget === 'tags'))
  give(
    'side',
    free().find(({ field }) => DAYS.has(field.type)),
  )
  give(
    'sub',
    free().find(({ field, widget }) => WORDS.has(field.type) && !STATES.has(widget ?? '')),
  )
  return parts
}

/** The wishes of this user for this list, as a signal that writes itself down. */
export interface WishKeeper {
  readonly wishes: ReadonlySignal<ColumnWishes>
  change(next: ColumnWishes): void
}

export function keepWishes(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>, key: string): WishKeeper {
  const wishes = signal(recall(storage, key))
  return {
    wishes,
    change(next) {
      wishes.value = next
      try {
        if (next === NO_WISHES) storage.removeItem(key)
        else storage.setItem(key, JSON.stringify(next))
      } catch {
        // Storage may be full or switched off; the wishes then last as long as the page.
      }
    },
  }
}

function recall(storage: Pick<Storage, 'getItem'>, key: string): ColumnWishes {
  try {
    const kept: unknown = JSON.parse(storage.getItem(key) ?? 'null')
    return toWishes(kept)
  } catch {
    return NO_WISHES
  }
}

/** Takes what fits, whatever an older version or a curious user left there. */
export function toWishes(kept: unknown): ColumnWishes {
  if (typeof kept !== 'object' || kept === null) return NO_WISHES
  const { order, shown, widths } = kept as Partial<Record<keyof ColumnWishes, unknown>>
  return {
    order: Array.isArray(order) ? order.filter((key) => typeof key === 'string') : [],
    shown: pick(shown, (value) => (typeof value === 'boolean' ? value : undefined)),
    widths: pick(widths, (value) =>
      typeof value === 'number' && Number.isFinite(value) ? clampWidth(value) : undefined,
    ),
  }
}

function pick<T>(value: unknown, read: (value: unknown) => T | undefined): Readonly<Record<string, T>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => {
      const read_ = read(each)
      return read_ === undefined ? [] : [[key, read_]]
    }),
  )
}
