import { type CsvCell, downloadCsv } from '../shared/download.ts'
import { type MeasureChoice, measureOf } from '../shared/measures.ts'
import type { PivotData, PivotHead, PivotNode } from './pivot-data.ts'

/** What is shown, as a file: a column per level of the rows, then the figures. */
export function exportPivot(
  name: string,
  titles: readonly string[],
  data: PivotData,
  head: PivotHead,
  rows: readonly PivotNode[],
  measures: readonly MeasureChoice[],
): void {
  const levels = Math.max(1, titles.length)
  const heading = head.columns.flatMap((col) =>
    measures.map(({ label }) => [...(col.labels.length === 0 ? [col.label] : col.labels), label].join(' / ')),
  )
  const line = (row: PivotNode, labels: readonly string[]): readonly CsvCell[] => [
    ...Array.from({ length: levels }, (_, level) => labels[level] ?? null),
    ...head.columns.flatMap((col) => {
      const group = data.cell(row, col)
      return measures.map((measure) => (group ? measureOf(group, measure) : null))
    }),
  ]
  downloadCsv(name, [
    [...Array.from({ length: levels }, (_, level) => titles[level] ?? null), ...heading],
    ...rows.map((row) => line(row, row.labels)),
    line(data.rows, [data.rows.label]),
  ])
}
