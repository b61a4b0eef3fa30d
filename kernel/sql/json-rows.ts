import { answerTooLarge } from '../errors.ts'
import { LIMITS } from '../limits.ts'

/** How a member of a JSON object is made of the columns of a row. */
export type ValueForm =
  /** The value of the column. */
  | 'value'
  /** A boolean that is never unset. */
  | 'flag'
  /** A list that is never unset. */
  | 'list'
  /** Two columns, an id and a name; unset without the id. */
  | 'pair'

export interface JsonMember {
  readonly name: string
  readonly form: ValueForm
}

/** Columns that a member takes. */
export const columnCount = ({ form }: JsonMember): number => (form === 'pair' ? 2 : 1)

/**
 * Rows as JSON objects, written by the driver from what the server has sent, without a JavaScript value in between. The columns come in
 * the order of the members; those behind them are read as values.
 */
export interface JsonRows<Rest> {
  /** The objects with a comma between them, as UTF-8. */
  readonly bytes: Uint8Array
  /** Where the object of each row ends. */
  readonly ends: readonly number[]
  /** The columns behind the members, row by row. */
  readonly rest: readonly Rest[]
}

/** JSON that is written already, as UTF-8. */
export class WrittenJson {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

const OPEN = '['.charCodeAt(0)
const COMMA = ','.charCodeAt(0)
const CLOSE = ']'.charCodeAt(0)

/** A list of all rows of these statements, for an answer; refused before it takes memory if it is larger than one may be. */
export function jsonList(pages: readonly Pick<JsonRows<unknown>, 'bytes'>[]): WrittenJson {
  const filled = pages.filter(({ bytes }) => bytes.length > 0)
  const size = filled.reduce((sum, { bytes }) => sum + bytes.length + 1, filled.length > 0 ? 1 : 2)
  if (size > LIMITS.answerBytes) throw answerTooLarge(LIMITS.answerBytes)
  const list = new Uint8Array(size)
  let at = 0
  list[at++] = OPEN
  filled.forEach(({ bytes }, index) => {
    if (index > 0) list[at++] = COMMA
    list.set(bytes, at)
    at += bytes.length
  })
  list[at] = CLOSE
  return new WrittenJson(list)
}

/** The rows with further members, one object for each row. */
export function withMembers<Rest>(
  { bytes, ends, rest }: JsonRows<Rest>,
  added: readonly Readonly<Record<string, unknown>>[],
): JsonRows<Rest> {
  const texts = added.map((members) => new TextEncoder().encode(JSON.stringify(members)))
  const joined = new Uint8Array(texts.reduce((sum, text) => sum + text.length, bytes.length))
  const newEnds: number[] = []
  let at = 0
  texts.forEach((text, row) => {
    // All but the brace at the end, a comma, and the object without its first brace.
    const own = bytes.subarray(row === 0 ? 0 : ends[row - 1]!, ends[row]! - 1)
    joined.set(own, at)
    at += own.length
    joined.set(text, at)
    joined[at] = COMMA
    at += text.length
    newEnds.push(at)
  })
  return { bytes: joined.subarray(0, at), ends: newEnds, rest }
}

/** A list of the rows with these numbers, in this order. */
export function listOfRows({ bytes, ends }: JsonRows<unknown>, order: readonly number[]): WrittenJson {
  if (order.length === ends.length && order.every((row, index) => row === index)) return jsonList([{ bytes }])
  return jsonList(order.map((row) => ({ bytes: bytes.subarray(row === 0 ? 0 : ends[row - 1]! + 1, ends[row]) })))
}
