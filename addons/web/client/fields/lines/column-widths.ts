import { type LineColumn, mainColumn } from './columns.ts'

/** Width rules of a kind of column. */
interface Room {
  /** Minimum width in pixels. */
  readonly least: number
  /** Pixels in addition to the text, for an icon or a bar. */
  readonly extra?: number
  /**
   * Share of the remaining width for columns with long texts. Without it the column always gets the width its text
   * needs.
   */
  readonly share?: number
}

/** By widget, then by type. Columns without `share` are never cut off. */
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

/** The main column names the line and gets the largest share. */
const MAIN: Room = { least: 160, share: 2 }

const CHAR = 7.4
const LABEL_CHAR = 6.6
const MARGIN = 18
/**
 * A column whose text needs more pixels than this shares the remaining width; a narrower one gets exactly what it
 * needs.
 */
const LONG = 160
/** If all columns together need less than this, narrow texts share the remaining width too. */
const TIGHT = 560

/** Letters that need half as much again. */
const WIDE = /[mwMW]/g

const labelWidth = (label: string): number => widthOf(label.length + (label.match(WIDE)?.length ?? 0) / 2, LABEL_CHAR)

const widthOf = (chars: number, each = CHAR): number => Math.ceil(chars * each) + MARGIN

export interface LineTracks {
  readonly template: string
  readonly least: number
}

export interface TrackOptions {
  readonly columns: readonly LineColumn[]
  /** Length of the longest text of a column; null if there are no lines. */
  readonly longest: (column: LineColumn) => number | null
  /** Width of the handle in pixels; null without a handle. */
  readonly before: number | null
  /** Width of the buttons in pixels. */
  readonly after: number
}

/**
 * Column widths from the content: numbers and short texts get what they need, long texts share the rest, most of it for
 * the main column.
 */
export function tracksOf({ columns, longest, before, after }: TrackOptions): LineTracks {
  const main = mainColumn(columns)
  const sized = columns.map((column) => {
    const room = column === main ? MAIN : roomOf(column)
    const least = Math.max(room.least, labelWidth(column.label))
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

const roomOf = ({ field, node }: LineColumn): Room => {
  // Users are always shown with their picture.
  const widget = node.attrs['widget'] ?? (field.relation === 'core.user' ? 'avatar' : '')
  return ROOMS[widget] ?? ROOMS[field.type] ?? OTHER
}
