import { guardFormula } from './formula-guard.ts'

const SPECIAL = /[",;\t\r\n]|^\s|\s$/

/**
 * A cell as RFC 4180 writes it. Spaces at an end are quoted too, since some programs trim them otherwise, and so is what separates cells
 * where a comma is that of decimals: `a;=1+1` would be a second cell there, with a formula.
 */
export const csvCell = (text: string): string => (SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** What is quoted, or begins as what a formula guard changes does. */
const UNUSUAL = /[",;\t\r\n]|^['=+\-@\s]|\s$/

/** `csvCell(guardFormula(text))`; most texts need neither and are looked at once. */
export const guardedCell = (text: string): string => (UNUSUAL.test(text) ? csvCell(guardFormula(text)) : text)

/** A line with its end. A single empty cell is quoted: an empty line counts as none. */
export const csvLine = (cells: readonly string[]): string =>
  cells.length === 1 && cells[0] === '' ? '""\r\n' : `${cells.map(csvCell).join(',')}\r\n`
