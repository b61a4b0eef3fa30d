import { EMPTY, numberCell, STYLE, textCell, type XlsxCell } from '../../../../../kernel/exchange/workbook/cell.ts'
import { workbookParts } from '../../../../../kernel/exchange/workbook/workbook.ts'
import { type CsvCell, downloadCsv, downloadFile } from '../shared/analysis/download.ts'
import { type MeasureChoice, measureOf } from '../shared/analysis/measures.ts'
import type { PivotData, PivotHead, PivotNode } from './pivot-data.ts'

export interface ShownPivot {
  readonly title: string
  /** Of the levels of the rows. */
  readonly titles: readonly string[]
  readonly data: PivotData
  readonly head: PivotHead
  readonly rows: readonly PivotNode[]
  readonly measures: readonly MeasureChoice[]
}

type Line = readonly CsvCell[]

/** What is shown, as a table: a column per level of the rows, then the figures, the total last. */
function pivotLines({ titles, data, head, rows, measures }: ShownPivot): {
  readonly levels: number
  readonly heads: readonly string[]
  readonly lines: readonly Line[]
} {
  const levels = Math.max(1, titles.length)
  const heading = head.columns.flatMap((col) =>
    measures.map(({ label }) => [...(col.labels.length === 0 ? [col.label] : col.labels), label].join(' / ')),
  )
  const line = (row: PivotNode, labels: readonly string[]): Line => [
    ...Array.from({ length: levels }, (_, level) => labels[level] ?? null),
    ...head.columns.flatMap((col) => {
      const group = data.cell(row, col)
      return measures.map((measure) => (group ? measureOf(group, measure) : null))
    }),
  ]
  return {
    levels,
    heads: [...Array.from({ length: levels }, (_, level) => titles[level] ?? ''), ...heading],
    lines: [...rows.map((row) => line(row, row.labels)), line(data.rows, [data.rows.label])],
  }
}

export function exportCsv(shown: ShownPivot): void {
  const { heads, lines } = pivotLines(shown)
  downloadCsv(shown.title, [heads, ...lines])
}

/** An Excel workbook with real numbers. */
export async function exportXlsx(shown: ShownPivot): Promise<void> {
  const { levels, heads, lines } = pivotLines(shown)
  const figures = shown.head.columns.flatMap(() => shown.measures.map(cellOf))
  const cells = [...Array.from({ length: levels }, () => labelCell), ...figures]
  const pages = (async function* () {
    yield lines
  })()
  const parts: Uint8Array<ArrayBuffer>[] = []
  for await (const part of workbookParts({ title: shown.title, heads, cells, pages })) parts.push(new Uint8Array(part))
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  downloadFile(`${shown.title}.xlsx`, new Blob(parts, { type }))
}

const labelCell: XlsxCell = (label) => (label === null ? EMPTY : textCell(String(label)))

function cellOf({ field, aggregate }: MeasureChoice): XlsxCell {
  const isWhole = field === null || aggregate === 'count_distinct' || (aggregate === 'sum' && field.type === 'integer')
  const style = isWhole ? STYLE.integer : field.type === 'float' && aggregate === 'sum' ? STYLE.plain : STYLE.decimal
  return (value) => (typeof value === 'number' ? numberCell(value, style) : EMPTY)
}
