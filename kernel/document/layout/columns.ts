import { isAcross, type TableBlock, type TableCell, type TableRow } from '../content.ts'
import { cleanText } from '../font/clean-text.ts'
import type { TextMeasure } from '../font/font-set.ts'
import type { TextStyle } from './box.ts'
import { STYLES } from './style.ts'
import { widestWord, widthOf } from './wrap.ts'

/** The preferred width of a column, and the width at which no word is cut. */
export interface ColumnNeed {
  readonly natural: number
  readonly least: number
}

/** A wider text is wrapped, and a wider word cut. */
const MAX_NATURAL = 190
const MAX_MIN_WIDTH = 90
/** Rows that are measured: measuring all of them would take as long as drawing them. */
const SAMPLE = 400

export const cellTexts = (cell: TableCell): readonly [text: string, details: string] =>
  typeof cell === 'string' ? [cell, ''] : [cell.text, cell.details]

/** The cell of a row in a column; of a row across the table only its sum is in one. */
function cellAt(row: TableRow, column: number): TableCell {
  if (!isAcross(row)) return row[column] ?? ''
  return row.sum?.column === column ? row.sum.text : ''
}

/** The needs of the columns of a table, without the space between them. */
export function columnNeeds(fonts: TextMeasure, { columns, rows, totals, look }: TableBlock): readonly ColumnNeed[] {
  const step = Math.max(1, Math.floor(rows.length / SAMPLE))
  const sample = rows.filter((_, index) => index % step === 0)
  return columns.map(({ label, align, isName = false }, i) => {
    const strong = isName || look === 'lines' ? STYLES.bodyStrong : STYLES.body
    const texts: (readonly [string, TextStyle])[] = [
      [label, STYLES.columnHead],
      ...sample.flatMap((row) => {
        const [text, details] = cellTexts(cellAt(row, i))
        return [[text, strong] as const, [details, STYLES.details] as const]
      }),
      ...totals.map((row) => [cellTexts(row[i] ?? '')[0], STYLES.bodyStrong] as const),
    ]
    return needOf(fonts, texts, align === 'end')
  })
}

/** Numbers stay on one line. */
function needOf(fonts: TextMeasure, texts: readonly (readonly [string, TextStyle])[], isNumber: boolean): ColumnNeed {
  let natural = 0
  let least = 0
  for (const [text, style] of texts) {
    if (text === '') continue
    for (const line of cleanText(text).split('\n')) {
      const wide = line.length > 200 ? MAX_NATURAL : widthOf(fonts, line, style)
      natural = Math.max(natural, Math.min(MAX_NATURAL, wide))
      if (least < MAX_MIN_WIDTH && !(isNumber && wide <= MAX_MIN_WIDTH))
        least = Math.max(least, widestWord(fonts, line, style, MAX_MIN_WIDTH))
      else if (isNumber) least = Math.max(least, Math.min(MAX_MIN_WIDTH, wide))
    }
  }
  return { natural, least: Math.min(least, natural) }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

export const naturalWidth = (needs: readonly ColumnNeed[], gap: number): number =>
  sum(needs.map(({ natural }) => natural)) + gap * (needs.length - 1)

/**
 * The widths of columns that fill `width` together. If there is more than they prefer, all get a share of the rest; if there is less,
 * each gets what it needs and a share of the rest; if even the needs are too wide, all shrink in proportion.
 */
export function columnWidths(needs: readonly ColumnNeed[], width: number, gap: number): readonly number[] {
  const free = width - gap * (needs.length - 1)
  const natural = sum(needs.map((need) => need.natural))
  const least = sum(needs.map((need) => need.least))
  if (natural <= free)
    return needs.map((need) => need.natural + ((free - natural) * (need.natural + 1)) / (natural + needs.length))
  if (least <= free)
    return needs.map((need) => need.least + ((free - least) * (need.natural - need.least)) / (natural - least))
  return needs.map((need) => (free * need.least) / least)
}
