import { guardFormula } from './formula-guard.ts'

const SPECIAL = /[",\r\n]|^\s|\s$/

/** A cell as RFC 4180 writes it; spaces at an end are quoted too, since some programs trim them otherwise. */
export const csvCell = (text: string): string => (SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** What is quoted, or begins as what a formula guard changes does. */
const UNUSUAL = /[",\r\n]|^['=+\-@\s]|\s$/

/** `csvCell(guardFormula(text))`; most texts need neither and are looked at once. */
export const guardedCell = (text: string): string => (UNUSUAL.test(text) ? csvCell(guardFormula(text)) : text)

/** A line with its end. A single empty cell is quoted: an empty line counts as none. */
export const csvLine = (cells: readonly string[]): string =>
  cells.length === 1 && cells[0] === '' ? '""\r\n' : `${cells.map(csvCell).join(',')}\r\n`
