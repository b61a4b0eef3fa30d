import { LIMITS } from '../../../limits.ts'
import { Refusal } from '../../../model/fields/field.ts'

const QUOTE = 34
const LF = 10
const CR = 13

/**
 * The rows of a CSV text (RFC 4180), one at a time, so that the caller decides when other requests get their turn. Takes time linear in the text,
 * also for a text of quotes alone; cells and rows that are too long are refused where they begin. A row is numbered as a spreadsheet does.
 */
export function* csvRows(text: string, separator: string): Generator<readonly string[]> {
  const comma = separator.charCodeAt(0)
  let at = 0
  let row = 0
  while (at < text.length) {
    row++
    const cells: string[] = []
    for (;;) {
      if (cells.length === LIMITS.importColumns) throw tooWide()
      const end = text.charCodeAt(at) === QUOTE ? quotedEnd(text, at, row) : at
      const stop = plainEnd(text, end, comma)
      if (stop - at > 2 * LIMITS.importCellChars) throw tooLong(row)
      const quoted = end > at ? text.slice(at + 1, end - 1) : ''
      // Text behind a closing quote is kept, as spreadsheets do.
      const cell = end > at ? quoted.replaceAll('""', '"') + text.slice(end, stop) : text.slice(at, stop)
      if (cell.length > LIMITS.importCellChars) throw tooLong(row)
      cells.push(cell)
      at = stop + 1
      if (text.charCodeAt(stop) !== comma) {
        if (text.charCodeAt(stop) === CR && text.charCodeAt(at) === LF) at++
        break
      }
    }
    yield cells
  }
}

const tooWide = () => new Refusal('The file has more than {count} columns.', { count: LIMITS.importColumns })
const tooLong = (row: number) =>
  new Refusal('Row {row} has a cell of more than {count} characters.', { row, count: LIMITS.importCellChars })

/** The position behind the closing quote. */
function quotedEnd(text: string, start: number, row: number): number {
  let from = start + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote < 0) throw new Refusal('A quote in row {row} is not closed.', { row })
    if (quote - start > 2 * LIMITS.importCellChars + 2) throw tooLong(row)
    if (text.charCodeAt(quote + 1) !== QUOTE) return quote + 1
    from = quote + 2
  }
}

/** The position of the separator or line break that ends a cell, or of the end of the text. */
function plainEnd(text: string, start: number, comma: number): number {
  let at = start
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === comma || code === LF || code === CR) break
    at++
  }
  return at
}
