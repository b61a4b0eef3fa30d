import { type AcrossRow, isAcross, type TableBlock, type TableCell, type TableRow } from '../content.ts'
import type { Tag, TextStyle } from './box.ts'
import { cellTexts, columnNeeds, columnWidths } from './columns.ts'
import type { Flow } from './flow.ts'
import { mm } from './paper.ts'
import { INK, RULE, STYLES, scaled, TINT } from './style.ts'
import { wrapText } from './wrap.ts'

/** Space around cells: between columns, above and below the text of a row, and at both ends of one. */
interface Look {
  readonly gap: number
  readonly pad: number
  readonly inset: number
}

export const LOOKS: Readonly<Record<TableBlock['look'], Look>> = {
  list: { gap: mm(4), pad: mm(0.6), inset: mm(2) },
  lines: { gap: mm(3.5), pad: mm(1.1), inset: 0 },
}

/** Smaller text until the words of all columns fit, within reason. */
const SCALES = [1, 0.92, 0.85, 0.78, 0.7]

interface Column {
  readonly left: number
  readonly width: number
  readonly align: 'start' | 'end'
  readonly isName: boolean
}

interface Grid {
  readonly flow: Flow
  readonly block: TableBlock
  readonly look: Look
  readonly columns: readonly Column[]
  readonly scale: number
  readonly id: number
  /** Cells that were wrapped already, for each column: most have few different texts. */
  readonly wrapped: readonly Map<TableCell, readonly RowLine[]>[]
}

/**
 * A table over as many pages as it takes, its header on each of them. Its last rows stand on a page with what is below it, which is
 * `below` high. Yields now and then, so that other requests get their turn.
 */
export function* layTable(flow: Flow, block: TableBlock, below = 0): Generator<void> {
  const grid = gridOf(flow, block)
  if (block.heading !== '') layHeading(flow, block.heading)
  layHead(grid)
  const kept = below > 0 ? firstKept(block) : block.rows.length
  for (const [index, row] of block.rows.entries()) {
    if (index === kept) keepTogether(grid, block.rows.slice(index), below)
    layRow(grid, row, { nth: index + 1, isTinted: block.look === 'list' && index % 2 === 1, style: 'body' })
    if (index % 50 === 49) yield
  }
  if (block.look === 'list')
    flow.add({ kind: 'rule', x: flow.sheet.left, y: flow.y, width: flow.width, thickness: 0.6, color: INK })
  for (const [index, row] of block.totals.entries())
    layRow(grid, row, { nth: block.rows.length + 1 + index, isTinted: false, style: 'bodyStrong' })
}

/** How many rows stay with what is below a table. */
const KEPT = 2

/** The first of the rows that stay with what is below the table, or of their heading. There is one row before it. */
function firstKept({ rows }: TableBlock): number {
  let first = rows.length - KEPT
  while (first > 1 && isSection(rows[first - 1]!)) first--
  return Math.max(1, first)
}

const isSection = (row: TableRow): boolean => isAcross(row) && row.across === 'section'

/** Goes on with the next page if these rows and what is below them do not fit on this one, but on half of a page. */
function keepTogether(grid: Grid, rows: readonly TableRow[], below: number): void {
  const { flow } = grid
  const height = rows.reduce((sum, row) => sum + rowHeight(grid, row), below)
  if (height > flow.room && height < flow.sheet.bottom / 2) nextPage(grid)
}

function rowHeight(grid: Grid, row: TableRow): number {
  const cells = isAcross(row) ? acrossCells(grid, row) : rowCells(grid, row, 'body')
  return partHeight(grid, cells, 0, Math.max(1, ...cells.map(({ lines }) => lines.length)))
}

/** The height of a row, or of some of its lines. */
const partHeight = ({ look, scale }: Grid, cells: readonly PlacedCell[], start: number, end: number): number =>
  Math.max(...cells.map(({ lines }) => heightOfLines(lines, start, end)), STYLES.body.leading * scale) + 2 * look.pad

export function layHeading(flow: Flow, text: string): void {
  flow.need(STYLES.heading.leading * 3)
  flow.paragraph(text, STYLES.heading, { tag: flow.tag('H2') })
  flow.space(mm(1))
}

function gridOf(flow: Flow, block: TableBlock): Grid {
  const look = LOOKS[block.look]
  const needs = columnNeeds(flow.fonts, block)
  const room = flow.width - 2 * look.inset
  const least = needs.reduce((total, need) => total + need.least, 0) + look.gap * (needs.length - 1)
  const scale = SCALES.find((factor) => least * factor <= room) ?? SCALES.at(-1)!
  const widths = columnWidths(
    needs.map(({ natural, least }) => ({ natural: natural * scale, least: least * scale })),
    room,
    look.gap * scale,
  )
  let left = flow.sheet.left + look.inset
  const columns = block.columns.map(({ align, isName = false }, i) => {
    const column = { left, width: widths[i]!, align, isName }
    left += widths[i]! + look.gap * scale
    return column
  })
  return { flow, block, look, columns, scale, id: flow.nextTable(), wrapped: columns.map(() => new Map()) }
}

const HEAD_GAP = mm(1)

function layHead({ flow, block, columns, scale, id }: Grid): void {
  const style = scaled(STYLES.columnHead, scale)
  const heads = block.columns.map(({ label }, i) => wrapText(flow.fonts, label, style, columns[i]!.width))
  const lines = Math.max(1, ...heads.map(({ length }) => length))
  // Keep the header on a page with at least one row.
  flow.need(lines * style.leading + HEAD_GAP + 2 * STYLES.body.leading)
  for (const [i, head] of heads.entries()) {
    const { left, width, align } = columns[i]!
    const top = flow.y + (lines - head.length) * style.leading
    const tag: Tag = { role: 'TH', table: id, row: 0, column: i }
    flow.lines(head, style, align === 'end' ? left + width : left, top, { align, tag })
  }
  flow.y += lines * style.leading + HEAD_GAP
  flow.add({ kind: 'rule', x: flow.sheet.left, y: flow.y, width: flow.width, thickness: 0.6, color: INK })
}

interface RowLine {
  readonly text: string
  readonly style: TextStyle
}

interface RowOptions {
  readonly nth: number
  readonly isTinted: boolean
  readonly style: 'body' | 'bodyStrong'
}

/** A cell with its place: the columns it covers, and its text in lines. */
interface PlacedCell extends Pick<Column, 'left' | 'width' | 'align'> {
  readonly column: number
  readonly span: number
  readonly lines: readonly RowLine[]
}

function layRow(grid: Grid, row: TableRow, options: RowOptions): void {
  const { flow, look, block } = grid
  const cells = isAcross(row) ? acrossCells(grid, row) : rowCells(grid, row, options.style)
  let from = 0
  const count = Math.max(1, ...cells.map(({ lines }) => lines.length))
  const heightOf = (start: number, end: number) => partHeight(grid, cells, start, end)
  /** Only a row that is higher than a page is split. */
  const lastLine = (from: number): number => {
    if (heightOf(from, count) <= flow.room) return count
    let to = from + 1
    while (to < count && heightOf(from, to + 1) <= flow.room) to++
    return to
  }
  // Keep a heading on a page with at least one row below it.
  const below = isSection(row) ? 2 * STYLES.body.leading : 0
  if (heightOf(0, count) + below > flow.room) nextPage(grid)
  while (from < count) {
    const to = lastLine(from)
    const height = heightOf(from, to)
    if (options.isTinted)
      flow.add({ kind: 'area', x: flow.sheet.left, y: flow.y, width: flow.width, height, fill: TINT, border: null })
    for (const { left, width, align, column, span, lines } of cells) {
      const tag: Tag = { role: 'TD', table: grid.id, row: options.nth, column, ...(span > 1 && { span }) }
      let top = flow.y + look.pad
      for (const { text, style } of lines.slice(from, to))
        top = flow.lines([text], style, align === 'end' ? left + width : left, top, { align, tag })
    }
    flow.y += height
    if (block.look === 'lines')
      flow.add({ kind: 'rule', x: flow.sheet.left, y: flow.y, width: flow.width, thickness: 0.25, color: RULE })
    from = to
    if (from < count) nextPage(grid)
  }
}

const rowCells = (grid: Grid, row: readonly TableCell[], style: RowOptions['style']): readonly PlacedCell[] =>
  grid.columns.map(({ left, width, align }, column) => ({
    ...{ left, width, align, column, span: 1 },
    lines: wrappedCell(grid, column, row[column] ?? '', style),
  }))

/** The text over all columns before that of the sum. */
function acrossCells(grid: Grid, { across, text, sum }: AcrossRow): readonly PlacedCell[] {
  const style = scaled(across === 'section' ? STYLES.bodyStrong : STYLES.label, grid.scale)
  const linesOf = (content: string, width: number) =>
    wrapText(grid.flow.fonts, content, style, width).map((line) => ({ text: line, style }))
  const end = grid.columns[sum?.column ?? -1]
  const span = sum && sum.column > 0 ? sum.column : grid.columns.length
  const last = grid.columns[span - 1]!
  const { left } = grid.columns[0]!
  const width = last.left + last.width - left
  return [
    { left, width, align: 'start', column: 0, span, lines: linesOf(text, width) },
    ...(sum && end && sum.column > 0
      ? [{ ...end, column: sum.column, span: 1, lines: linesOf(sum.text, end.width) }]
      : []),
  ]
}

function nextPage(grid: Grid): void {
  grid.flow.breakPage()
  layHead(grid)
}

const heightOfLines = (lines: readonly RowLine[], from: number, to: number): number =>
  lines.slice(from, to).reduce((height, { style }) => height + style.leading, 0)

function wrappedCell(grid: Grid, column: number, cell: TableCell, style: RowOptions['style']): readonly RowLine[] {
  if (style !== 'body') return cellLines(grid, grid.columns[column]!, cell, style)
  const known = grid.wrapped[column]!
  const lines = known.get(cell) ?? cellLines(grid, grid.columns[column]!, cell, style)
  known.set(cell, lines)
  return lines
}

function cellLines(
  { flow, block, scale }: Grid,
  { width, isName }: Column,
  cell: TableCell,
  base: RowOptions['style'],
): RowLine[] {
  const [text, details] = cellTexts(cell)
  const style = scaled(isName || (block.look === 'lines' && details !== '') ? STYLES.bodyStrong : STYLES[base], scale)
  const small = scaled(STYLES.details, scale)
  return [
    ...wrapText(flow.fonts, text, style, width).map((line) => ({ text: line, style })),
    ...wrapText(flow.fonts, details, small, width).map((line) => ({ text: line, style: small })),
  ]
}
