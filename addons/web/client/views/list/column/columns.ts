import { type ReadonlySignal, signal } from '@preact/signals'
import type { Preferences } from '../../../store/preferences.ts'
import type { FieldColumn, ListColumn } from './arch.ts'

/** Column settings of a user for the list of one action. */
export interface ColumnPreferences {
  /** Column keys in the preferred order; columns not listed keep their position in the view. */
  readonly order: readonly string[]
  /** Optional columns that were shown or hidden, by key. */
  readonly shown: Readonly<Record<string, boolean>>
  /** Widths in pixels, by key. */
  readonly widths: Readonly<Record<string, number>>
}

export const NO_PREFERENCES: ColumnPreferences = { order: [], shown: {}, widths: {} }

export const MIN_WIDTH = 48
export const MAX_WIDTH = 800

/** All columns in the preferred order. */
export function orderColumns(columns: readonly ListColumn[], { order }: ColumnPreferences): readonly ListColumn[] {
  const known = order.filter((key) => columns.some((column) => column.key === key))
  if (known.length === 0) return columns
  const inChosenOrder = known.flatMap((key) => columns.find((column) => column.key === key) ?? [])
  const result: ListColumn[] = []
  for (const column of columns) {
    // A column that is not in the saved order keeps its position; the others fill the remaining ones in that order.
    const next = known.includes(column.key) ? inChosenOrder.shift() : column
    if (next) result.push(next)
  }
  return result
}

/** The columns on screen. `measure` is the measure of the tile that opened the list; its column is shown unless the user hid it. */
export const visibleColumns = (
  columns: readonly ListColumn[],
  preferences: ColumnPreferences,
  measure = '',
): readonly ListColumn[] =>
  orderColumns(columns, preferences).filter(
    ({ key, optional }) =>
      optional === null || (preferences.shown[key] ?? (optional === 'show' || key === measure.split(':')[0])),
  )

/** Moves a column before another, or to the end. */
export function moveColumn(
  columns: readonly ListColumn[],
  preferences: ColumnPreferences,
  key: string,
  before: string | null,
): ColumnPreferences {
  const keys = orderColumns(columns, preferences).map((column) => column.key)
  const others = keys.filter((each) => each !== key)
  const at = before === null ? others.length : others.indexOf(before)
  return { ...preferences, order: others.toSpliced(at < 0 ? others.length : at, 0, key) }
}

export const clampWidth = (width: number): number => Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)))

interface Room {
  readonly least: number
  /** Share of the remaining width; 0 keeps the column at its minimum width. */
  readonly grow: number
  /** Width that shows the longest text. */
  readonly most?: number
}

/** By widget, then by type. Text columns are sized by their content instead. */
const ROOM: Readonly<Record<string, Room>> = {
  boolean: { least: 64, grow: 0 },
  color: { least: 64, grow: 0 },
  float: { least: 92, grow: 0 },
  hours: { least: 80, grow: 0 },
  image: { least: 48, grow: 0 },
  integer: { least: 80, grow: 0 },
  many2many: { least: 108, grow: 0.8 },
  monetary: { least: 116, grow: 0 },
  one2many: { least: 80, grow: 0 },
  percent: { least: 84, grow: 0 },
  priority: { least: 72, grow: 0 },
  progressbar: { least: 96, grow: 0.3 },
  tags: { least: 108, grow: 0.8 },
  toggle: { least: 72, grow: 0 },
}

/** Avatars next to each other, without names. */
const FACES: Room = { least: 84, grow: 0.3 }

/**
 * Width in pixels of a character in rows, in headings and in dates, of the cell padding, and of an icon next to the
 * text.
 */
const CHAR = 7.3
const HEAD_CHAR = 6.4
const DAY_CHAR = 6.8
const PADDING = 18
const MARK = 26
/** Texts up to this length, such as codes, get a fixed width; longer ones share the remaining width. */
const SHORT = 14

/** Longer texts beside the name are cut, so that it keeps some room: whole sentences later than others. */
const MAX_TEXT_WIDTH = 240
const MAX_SENTENCE_WIDTH = 400

const DAYS: ReadonlySet<string> = new Set(['date', 'datetime'])
const MARKED: ReadonlySet<string> = new Set(['avatar', 'badge', 'statusbar'])

function roomOf(column: ListColumn, longest: number | undefined): Room {
  if (column.kind === 'buttons') return { least: 16 + column.nodes.length * 30, grow: 0 }
  const { widget, field, label } = column
  const isFaces = field.type === 'many2many' && field.relation === 'core.user'
  const room = isFaces ? FACES : (ROOM[widget ?? ''] ?? ROOM[field.type] ?? roomForWords(column, longest))
  return { ...room, least: Math.max(room.least, Math.min(170, Math.round(label.length * HEAD_CHAR + PADDING + 12))) }
}

function roomForWords({ widget, field, isMain }: FieldColumn, longest = 18): Room {
  const mark = MARKED.has(widget ?? '') || field.relation === 'core.user' ? MARK : 0
  const chars =
    field.type === 'selection' ? Math.max(4, ...(field.selection ?? []).map(([, label]) => label.length)) : longest
  const wanted = Math.round(chars * CHAR + PADDING + mark)
  if (DAYS.has(field.type)) return { least: Math.round(chars * DAY_CHAR + PADDING + 6), grow: 0 }
  if (chars <= SHORT) return { least: Math.max(64, wanted), grow: mark === 0 ? 0 : 0.25 }
  const grow = Math.min(1.4, chars / 22)
  return isMain
    ? { least: Math.min(wanted, 160), grow: grow + 0.2 }
    : {
        least: Math.min(wanted, 112),
        grow,
        most: Math.min(wanted, field.type === 'text' ? MAX_SENTENCE_WIDTH : MAX_TEXT_WIDTH),
      }
}

/** Widths of the columns around those of the view: checkbox, drag handle, column chooser. */
const EDGE = { check: 32, grip: 24, end: 36 } as const
const ROW_PADDING = 16
/** Width of the button in the first heading of a grouped list. */
const FOLD_ALL = 24

export interface ListTracks {
  /** Value for `grid-template-columns`. */
  readonly template: string
  /** Minimum width; below it the list scrolls horizontally. */
  readonly least: number
}

/** Column widths. `longest` is the length of the longest loaded text of each column. */
export function toTracks(
  columns: readonly ListColumn[],
  widths: ColumnPreferences['widths'],
  longest: ReadonlyMap<string, number>,
  hasGrip: boolean,
  isGrouped = false,
): ListTracks {
  const rooms = columns.map((column, index) => {
    const width = widths[column.key]
    if (width !== undefined) return { least: width, grow: 0 }
    const { least, ...room } = roomOf(column, longest.get(column.key))
    return { least: isGrouped && index === 0 ? least + FOLD_ALL : least, ...room }
  })
  // Beside a name that takes the remaining width, other texts get what they need before it grows.
  const hasName = columns.some((column, index) => column.kind === 'field' && column.isMain && rooms[index]!.grow > 0)
  const isRigid = rooms.every(({ grow }) => grow === 0)
  const lead = hasGrip ? [EDGE.check, EDGE.grip] : [EDGE.check]
  const tracks = rooms.map(({ least, grow, most }: Room, index) => {
    if (hasName && most !== undefined) return `minmax(${least}px,${Math.max(least, most)}px)`
    // If no column grows, text columns without a width set by the user share the remaining width.
    const isFree = isRigid && widths[columns[index]!.key] === undefined && isWords(columns[index]!)
    return grow === 0 && !isFree ? `${least}px` : `minmax(${least}px,${Math.round((grow || 1) * 100)}fr)`
  })
  const isFilled = tracks.some((track) => track.endsWith('fr)'))
  return {
    template: [
      ...lead.map((px) => `${px}px`),
      ...tracks,
      isFilled ? `${EDGE.end}px` : `minmax(${EDGE.end}px,1fr)`,
    ].join(' '),
    least: ROW_PADDING + EDGE.end + [...lead, ...rooms.map(({ least }) => least)].reduce((sum, px) => sum + px, 0),
  }
}

const isWords = (column: ListColumn): boolean =>
  column.kind === 'field' && ROOM[column.widget ?? ''] === undefined && ROOM[column.field.type] === undefined

/** Position of a cell in the card that a row becomes on a phone. */
export type CardPart = 'title' | 'amount' | 'sub' | 'side' | 'meta' | 'hide'

const STATES: ReadonlySet<string> = new Set(['badge', 'statusbar', 'priority'])
const WORDS: ReadonlySet<string> = new Set(['char', 'many2one', 'selection', 'text'])

/** Chooses at most five cells for the card; the others are shown on wider screens only. */
export function toCard(columns: readonly ListColumn[]): ReadonlyMap<string, CardPart> {
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

/** Reads and saves the column preferences of this user for this list. */
export interface ColumnPreferenceStore {
  readonly value: ReadonlySignal<ColumnPreferences>
  change(next: ColumnPreferences): void
}

export function openColumnPreferences(
  preferences: Pick<Preferences, 'get' | 'set'>,
  key: string,
): ColumnPreferenceStore {
  const value = signal(parseColumnPreferences(preferences.get(key)))
  return {
    value,
    change(next) {
      value.value = next
      preferences.set(key, next === NO_PREFERENCES ? null : next)
    },
  }
}

/** Parses saved preferences and ignores invalid parts, since older versions may have saved another format. */
export function parseColumnPreferences(kept: unknown): ColumnPreferences {
  if (typeof kept !== 'object' || kept === null) return NO_PREFERENCES
  const { order, shown, widths } = kept as Partial<Record<keyof ColumnPreferences, unknown>>
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
