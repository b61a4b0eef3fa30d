import { guardedCell } from '../cell/csv-line.ts'
import { type PlainCell, SEPARATOR } from './plain-rows.ts'

const code = (character: string): number => character.charCodeAt(0)
const [COMMA, RETURN, NEWLINE, QUOTE, APOSTROPHE] = [code(','), code('\r'), code('\n'), code('"'), code("'")] as const
const [LETTER_T, LETTER_Z, ZERO] = [code('T'), code('Z'), code('0')] as const
const END = code(SEPARATOR)

/** What a byte may require of its cell: quotes anywhere, quotes as the first or last byte (a space), a guard as the first byte (a formula). */
const [QUOTED, FIRST, LAST, GUARDED] = [1, 2, 4, 8] as const
const MEANING = new Uint8Array(256)
const mark = (meaning: number, bytes: Iterable<number>) => {
  for (const byte of bytes) MEANING[byte]! |= meaning
}
const codes = (text: string): readonly number[] => [...text].map(code)
mark(QUOTED, codes('",;\t\r\n'))
mark(GUARDED, codes('=+-@'))
mark(FIRST, codes("' \v\f"))
mark(LAST, codes(' \v\f'))
// First and last bytes of Unicode spaces in UTF-8. Cells with other characters that share such a byte are then checked as text.
for (const space of '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff') {
  const bytes = new TextEncoder().encode(space)
  mark(FIRST, [bytes[0]!])
  mark(LAST, [bytes.at(-1)!])
}

/** The text of pages up to this size is written into the same memory each time. */
const KEPT_BYTES = 1_048_576

/** Makes the lines of a page behind `head`; null if a cell has the separator in it. */
export type ToLines = (rows: readonly { readonly line: string }[], head: Uint8Array) => Uint8Array | null

/**
 * Makes lines of CSV out of rows of `plainRows`. It works on bytes, and only a cell that may need quotes becomes a string: that takes
 * a third of the time and leaves little to collect.
 */
export function csvBytes(cells: readonly PlainCell[]): ToLines {
  const encoder = new TextEncoder()
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const kept = new Uint8Array(KEPT_BYTES)
  const width = cells.length

  return (rows, head) => {
    let text = ''
    for (const { line } of rows) text += line + SEPARATOR
    const input = text.length * 3 > KEPT_BYTES ? encoder.encode(text) : kept
    const end = input === kept ? encoder.encodeInto(text, kept).written : input.length
    // A guard for each cell, a line end of two bytes for a separator of one, and quotes for an empty line.
    let out: Uint8Array = new Uint8Array(head.length + end + rows.length * (width + 4))
    out.set(head)
    let [at, to, column, lines] = [0, head.length, 0, 0]
    while (at < end) {
      if (column === width) {
        // Skip the id at the end of a row, which is no cell: it is there to read the record again if a cell contains the separator.
        while (input[at] !== END) at++
        at++
        column = 0
        lines++
        continue
      }
      const start = at
      const written = to
      const kind = cells[column]
      if (kind === 'text') {
        const first = MEANING[input[at]!]!
        let met = first & FIRST
        if ((first & GUARDED) !== 0) out[to++] = APOSTROPHE
        for (let byte = input[at]!; byte !== END; byte = input[++at]!) {
          met |= MEANING[byte]! & QUOTED
          out[to++] = byte
        }
        if (at > start) met |= MEANING[input[at - 1]!]! & LAST
        if (met !== 0) {
          const cell = encoder.encode(guardedCell(decoder.decode(input.subarray(start, at))))
          out = withRoom(out, written, cell.length + (end - at) + (rows.length - lines) * (width + 4))
          out.set(cell, written)
          to = written + cell.length
        }
      } else {
        for (let byte = input[at]!; byte !== END; byte = input[++at]!) out[to++] = byte
        if (kind === 'instant' && to > written) to = endInstant(out, written, to)
      }
      at++
      column++
      if (column < width) out[to++] = COMMA
      else {
        // An empty line would not count as a record, so a single empty cell is quoted.
        if (width === 1 && to === written) to = put(out, to, QUOTE, QUOTE)
        to = put(out, to, RETURN, NEWLINE)
      }
    }
    return lines === rows.length && column === 0 ? out.subarray(0, to) : null
  }
}

function put(out: Uint8Array, to: number, first: number, second: number): number {
  out[to] = first
  out[to + 1] = second
  return to + 2
}

/** `2026-01-31 12:00:00.12+00` → `2026-01-31T12:00:00.120Z`; returns where it ends. The session is in UTC and writes ISO 8601. */
function endInstant(out: Uint8Array, from: number, to: number): number {
  out[from + 10] = LETTER_T
  let end = to - 3
  const hasFraction = end > from + 19
  while (hasFraction && end < from + 23) out[end++] = ZERO
  out[end] = LETTER_Z
  return end + 1
}

/** A larger copy of the bytes up to `used`, with room for `more`; the array itself if it has room. */
function withRoom(out: Uint8Array, used: number, more: number): Uint8Array {
  if (used + more <= out.length) return out
  const larger = new Uint8Array((used + more) * 2)
  larger.set(out.subarray(0, used))
  return larger
}
