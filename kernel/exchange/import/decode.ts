import { Refusal } from '../../model/fields/field.ts'
import { csvRows } from './csv-rows.ts'

/** Labels of `TextDecoder`. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Bytes that are looked at to tell the encodings without a mark from each other. */
const SAMPLE_BYTES = 4_096
const SAMPLE_CHARS = 65_536
const SAMPLE_ROWS = 20
export const SEPARATORS = [',', ';', '\t', '|'] as const

/** The encoding of a text: its byte order mark, else UTF-8 if it is valid UTF-8, else the one of Western European spreadsheets. */
export function detectEncoding(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const halves = [0, 0]
  for (const [at, byte] of bytes.subarray(0, SAMPLE_BYTES).entries()) if (byte === 0) halves[at % 2]!++
  const enough = Math.min(bytes.length, SAMPLE_BYTES) / 4
  if (halves[1]! > enough) return 'utf-16le'
  if (halves[0]! > enough) return 'utf-16be'
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252'
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** The text without its byte order mark. */
export function decodeText(bytes: Uint8Array, encoding: Encoding): string {
  const text = new TextDecoder(encoding).decode(bytes)
  if (text.includes('\0')) throw new Refusal('The file is not a table. Choose a CSV file or an Excel workbook.')
  return text
}

/** The separator that splits the first rows most evenly: it gives the most cells in the header, and as many in the rows below. */
export function detectSeparator(text: string): string {
  const sample = text.length <= SAMPLE_CHARS ? text : text.slice(0, text.lastIndexOf('\n', SAMPLE_CHARS) + 1)
  const scores = SEPARATORS.map((separator) => ({ separator, score: evenness(sample, separator) }))
  const best = scores.reduce((a, b) => (b.score > a.score ? b : a))
  return best.score > 0 ? best.separator : ','
}

function evenness(sample: string, separator: string): number {
  const widths: number[] = []
  try {
    for (const cells of csvRows(sample, separator)) {
      if (cells.some((cell) => cell.trim() !== '')) widths.push(cells.length)
      if (widths.length === SAMPLE_ROWS) break
    }
  } catch {
    // Too wide or not closed as seen with this separator; the next one may fit.
    return 0
  }
  const [header = 1] = widths
  return header < 2 ? 0 : (widths.filter((width) => width === header).length / widths.length) * Math.min(header, 10)
}
