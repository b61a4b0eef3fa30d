import { type LineColumn, mainColumn } from './columns.ts'

/** How a kind of column takes room. */
interface Room {
  /** Pixels it needs even with nothing in it. */
  readonly least: number
  /** Pixels beside its text: an icon, a bar. */
  readonly extra?: number
  /** A column that may be cut takes no more than its text needs; `share` of what is left goes to long ones. */
  readonly share?: number
}

/** By widget, then type. What has no share is never cut. */
const ROOMS: Readonly<Record<string, Room>> = {
  avatar: { least: 80, extra: 24, share: 1 },
  badge: { least: 88, extra: 22 },
  boolean: { least: 56 },
  char: { least: 96, share: 1 },
  color: { least: 200 },
  date: { least: 104 },
  datetime: { least: 132 },
  float: { least: 64 },
  hours: { least: 64 },
  integer: { least: 64 },
  many2one: { least: 76, share: 1 },
  monetary: { least: 80 },
  percent: { least: 64 },
  priority: { least: 72 },
  progressbar: { least: 112 },
  selection: { least: 88, extra: 20 },
  tags: { least: 96, extra: 12, share: 0.3 },
  text: { least: 88, share: 1.2 },
  toggle: { least: 56 },
}
const OTHER: Room = { least: 96, share: 1 }

/** The name of a line is read first and gets the most. */
const MAIN: Room = { least: 160, share: 2 }

const CHAR = 7.4
const LABEL_CHAR = 6.6
const MARGIN = 18
/** From here on a text is prose, which takes what is left; below, a word that takes what it needs. */
const LONG = 160
/** Columns that need less than this have room to spare: words spread as well. */
const TIGHT = 560

const widthOf = (chars: number, each = CHAR): number => Math.ceil(chars * each) + MARGIN

export interface LineTracks {
  readonly template: string
  readonly least: number
}

export interface TrackOptions {
  readonly columns: readonly LineColumn[]
  /** Characters of the longest text of a column; null without any line. */
  readonly longest: (column: LineColumn) => number | null
  /** Pixels for the handle; null where there is none. */
  readonly before: number | null
  /** Pixels for the buttons. */
  readonly after: number
}

/** Widths by what is in the columns: figures and words as narrow as they may be, prose the rest, the main column most of it. */
export function tracksOf({ columns, longest, before, after }: TrackOptions): LineTracks {
  const main = mainColumn(columns)
  const sized = columns.map((column) => {
    const room = column === main ? MAIN : roomOf(column)
    const least = Math.max(room.least, widthOf(column.label.length, LABEL_CHAR))
    const chars = longest(column)
    const needed = Math.max(least, widthOf(chars ?? 0) + (room.extra ?? 0))
    const isLong = column === main || chars === null || needed > LONG
    return { least: room.share === undefined ? needed : least, needed, share: room.share, isLong }
  })
  const leastOfAll = (before ?? 0) + after + sized.reduce((sum, { least }) => sum + least, 0)
  const isRigid = sized.every(({ share }) => share === undefined)
  return {
    template: [
      ...(before === null ? [] : [`${before}px`]),
      ...sized.map(({ least, needed, share, isLong }) =>
        share === undefined
          ? `${least}px`
          : `minmax(${least}px,${isLong || leastOfAll < TIGHT ? `${share}fr` : `${needed}px`})`,
      ),
      isRigid ? `minmax(${after}px,1fr)` : `${after}px`,
    ].join(' '),
    least: leastOfAll,
  }
}

const roomOf = ({ field, node }: LineColumn): Room => ROOMS[node.attrs['widget'] ?? ''] ?? ROOMS[field.type] ?? OTHER
