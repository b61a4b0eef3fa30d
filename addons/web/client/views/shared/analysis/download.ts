/** A cell of a table to download; null is empty. */
export type CsvCell = string | number | null

/** Text that a spreadsheet would run as a formula is kept text by an apostrophe. */
const FORMULA = /^[=+\-@\t\r]/

function csvCell(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** RFC 4180; numbers with a point, whatever the language. */
export const toCsv = (rows: readonly (readonly CsvCell[])[]): string =>
  rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')

/** The byte order mark makes spreadsheets read UTF-8. */
export const downloadCsv = (name: string, rows: readonly (readonly CsvCell[])[]): void =>
  downloadFile(`${name}.csv`, new Blob(['\uFEFF', toCsv(rows)], { type: 'text/csv;charset=utf-8' }))

export function downloadFile(name: string, content: Blob): void {
  const href = URL.createObjectURL(content)
  const link = Object.assign(document.createElement('a'), { href, download: name.replace(/[\\/:*?"<>|]+/g, ' ') })
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(href), 10_000)
}
