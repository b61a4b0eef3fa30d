import { headOf } from '../../domain/cut-text.ts'
import { decimalText } from './decimal-text.ts'

/** The formats of `styles.xml`, by their place in it. */
export const STYLE = { plain: 0, header: 1, integer: 2, decimal: 3, date: 4, datetime: 5, total: 6 } as const

/** Value → the element of its cell; the empty text for an unset one is an empty cell. */
export type XlsxCell = (value: unknown) => string

/** The cell of an unset value. */
export const EMPTY = '<c/>'
/** What a cell holds at most. */
const MAX_CHARS = 32_767

export const textCell = (text: string, style: number = STYLE.plain): string =>
  text === ''
    ? EMPTY
    : `<c s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(fitting(text))}</t></is></c>`

/** A text cut to the size of a cell, with a note at its end if it was longer. */
export function fitting(text: string): string {
  if (text.length <= MAX_CHARS) return text
  const note = ` […${MAX_CHARS} of ${text.length} characters]`
  return headOf(text, MAX_CHARS - note.length) + note
}

export const numberCell = (value: number, style: number) => `<c s="${style}"><v>${decimalText(value)}</v></c>`

const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Characters that XML cannot hold are written as the format has it: `_x0008_`; text that looks like that gets its first letter escaped. */
export const escapeXml = (text: string): string =>
  text
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replace(/[&<>"]/g, (char) => MARKUP[char]!)
    .replace(/[\p{Cc}\ufffe\uffff]/gu, (char) => (isXml(char) ? char : `_x${hex4(char)}_`))

/** A carriage return would be read as a line feed. */
const isXml = (char: string) => /[\t\n\x7f-\x9f]/.test(char)
const hex4 = (char: string) => char.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()
