import { guardFormula } from './formula-guard.ts'

const SPECIAL = /[",;\t\r\n]|^\s|\s$/

/**
 * A cell as RFC 4180 writes it. Spaces at an end are quoted too, since some programs trim them otherwise, and so are semicolons and tabs:
 * where the comma separates decimals, spreadsheets split cells at those, and `a;=1+1` would give a second cell with a formula.
 */
export const csvCell = (text: string): string => (SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Matches every text that `csvCell` quotes or `guardFormula` changes. */
const UNUSUAL = /[",;\t\r\n]|^['=+\-@\s]|\s$/

/** `csvCell(guardFormula(text))`; most texts need neither and are scanned only once. */
export const guardedCell = (text: string): string => (UNUSUAL.test(text) ? csvCell(guardFormula(text)) : text)

/** A line with its end. A single empty cell is quoted: an empty line counts as none. */
export const csvLine = (cells: readonly string[]): string =>
  cells.length === 1 && cells[0] === '' ? '""\r\n' : `${cells.map(csvCell).join(',')}\r\n`
