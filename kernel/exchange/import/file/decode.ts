import type { Env } from '../../../env.ts'
import { Refusal } from '../../../model/fields/field.ts'
import { csvRows } from './csv-rows.ts'

/** Labels of `TextDecoder`. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Bytes that are read to detect an encoding without a byte order mark. */
const SAMPLE_BYTES = 4_096
const SAMPLE_CHARS = 65_536
const SAMPLE_ROWS = 20
export const SEPARATORS = [',', ';', '\t', '|'] as const

/** The encoding of a text: its byte order mark, else UTF-8 if it is valid UTF-8, else the one of Western European spreadsheets. */
export async function detectEncoding(env: Env, bytes: Uint8Array): Promise<Encoding> {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const halves = [0, 0]
  for (const [at, byte] of bytes.subarray(0, SAMPLE_BYTES).entries()) if (byte === 0) halves[at % 2]!++
  const enough = Math.min(bytes.length, SAMPLE_BYTES) / 4
  if (halves[1]! > enough) return 'utf-16le'
  if (halves[0]! > enough) return 'utf-16be'
  return (await isUtf8(env, bytes)) ? 'utf-8' : 'windows-1252'
}

async function isUtf8(env: Env, bytes: Uint8Array): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const part of partsOf(env, bytes)) decoder.decode(part, { stream: true })
    decoder.decode()
    return true
  } catch {
    return false
  }
}

/** The text without its byte order mark. */
export async function decodeText(env: Env, bytes: Uint8Array, encoding: Encoding): Promise<string> {
  const decoder = new TextDecoder(encoding)
  let text = ''
  for await (const part of partsOf(env, bytes)) text += decoder.decode(part, { stream: true })
  text += decoder.decode()
  if (text.includes('\0')) throw new Refusal('The file is not a table. Choose a CSV file or an Excel workbook.')
  return text
}

/** Bytes that are decoded before other requests get their turn: about two milliseconds. */
const PART_BYTES = 524_288

async function* partsOf({ services }: Env, bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    if (bytes.length > PART_BYTES) await services.sleep(0)
    yield bytes.subarray(at, at + PART_BYTES)
  }
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
    // With this separator a row is too wide or a quote is not closed; another one may fit.
    return 0
  }
  const [header = 1] = widths
  return header < 2 ? 0 : (widths.filter((width) => width === header).length / widths.length) * Math.min(header, 10)
}
