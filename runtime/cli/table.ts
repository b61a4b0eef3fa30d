import { printableLine } from '../printable.ts'

/** Rows under their headings, each column as wide as its widest cell; the last one is not padded. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows.map((row) => row.map(printableLine))]
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
