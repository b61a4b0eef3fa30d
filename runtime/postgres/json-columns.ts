import type pg from 'pg'
import type { ValueForm } from '../../kernel/sql/json-rows.ts'
import type { JsonText } from './json-text.ts'
import { valueTypes } from './pg-values.ts'

/** Writes the JSON of a value from its text in `bytes`. */
type WriteValue = (out: JsonText, bytes: Buffer, from: number, to: number) => void

const NULL = Buffer.from('null')
const FALSE = Buffer.from('false')
const TRUE = Buffer.from('true')

/** The JSON of an unset value. */
export const UNSET: Readonly<Record<ValueForm, Buffer>> = {
  value: NULL,
  pair: NULL,
  flag: FALSE,
  list: Buffer.from('[]'),
}

const code = (character: string) => character.charCodeAt(0)
const POINT = code('.')
const ZERO = code('0')
const NINE = code('9')
const MINUS = code('-')
const SPACE = code(' ')
const QUOTE = code('"')
const LETTER_T = code('T')
const LETTER_Z = code('Z')
const TRUTH = code('t')
const OPEN = code('[')
const CLOSE = code(']')
/** Digits after the point of a second. */
const DIGITS = 3
/** Date and time in seconds. */
const TIMESTAMP = 19

const isDigit = (byte: number | undefined): byte is number => byte !== undefined && byte >= ZERO && byte <= NINE

const writeRaw: WriteValue = (out, bytes, from, to) => out.copy(bytes, from, to)

const writeString: WriteValue = (out, bytes, from, to) => out.string(bytes, from, to)

const writeBoolean: WriteValue = (out, bytes, from) => out.all(bytes[from] === TRUTH ? TRUE : FALSE)

/** Without zeros at the end, as JavaScript writes numbers; `NaN` and infinity are no JSON. */
const writeDecimal: WriteValue = (out, bytes, from, to) => {
  if (!isDigit(bytes[bytes[from] === MINUS ? from + 1 : from])) return out.all(NULL)
  let end = to
  const point = bytes.subarray(from, to).indexOf(POINT)
  if (point >= 0) {
    while (bytes[end - 1] === ZERO) end--
    if (bytes[end - 1] === POINT) end--
  }
  out.copy(bytes, from, end)
}

/** `2024-05-06 07:08:09.1234+00` → `"2024-05-06T07:08:09.123Z"`; another form as `valueTypes` reads it. */
const writeTimestamp =
  (dataTypeID: number): WriteValue =>
  (out, bytes, from, to) => {
    const isUsual = to - from >= TIMESTAMP && bytes[from + 4] === MINUS && bytes[from + 10] === SPACE
    if (!isUsual || !isDigit(bytes[to - 1])) return writeOther(dataTypeID)(out, bytes, from, to)
    out.byte(QUOTE)
    out.copy(bytes, from, from + 10)
    out.byte(LETTER_T)
    out.copy(bytes, from + 11, from + TIMESTAMP)
    out.byte(POINT)
    let at = from + TIMESTAMP + 1
    let digits = 0
    if (bytes[at - 1] === POINT)
      for (; digits < DIGITS && at < to && isDigit(bytes[at]); digits++) out.byte(bytes[at++]!)
    for (; digits < DIGITS; digits++) out.byte(ZERO)
    out.byte(LETTER_Z)
    out.byte(QUOTE)
  }

/** `{1,2}` → `[1,2]`. */
const writeIds: WriteValue = (out, bytes, from, to) => {
  out.byte(OPEN)
  out.copy(bytes, from + 1, to - 1)
  out.byte(CLOSE)
}

/** Writes a value of any other type: it is read and written as JSON. */
const writeOther =
  (dataTypeID: number): WriteValue =>
  (out, bytes, from, to) => {
    const parse: (text: string) => unknown = valueTypes.getTypeParser(dataTypeID, 'text')
    out.all(Buffer.from(JSON.stringify(parse(bytes.toString('utf8', from, to))) ?? 'null'))
  }

/** By type OID. */
const WRITERS: ReadonlyMap<number, WriteValue> = new Map<number, WriteValue>([
  [16, writeBoolean], // bool
  [21, writeRaw], // int2
  [23, writeRaw], // int4
  [26, writeRaw], // oid
  [1700, writeDecimal], // numeric
  [19, writeString], // name
  [25, writeString], // text
  [1043, writeString], // varchar
  [1082, writeString], // date
  [1114, writeTimestamp(1114)], // timestamp
  [1184, writeTimestamp(1184)], // timestamptz
])

const INT4_LIST = 1007

/** How the values of a column are written as JSON. The ids of a list are never null. */
export const jsonWriter = ({ dataTypeID }: pg.FieldDef, form: ValueForm): WriteValue =>
  form === 'list' && dataTypeID === INT4_LIST ? writeIds : (WRITERS.get(dataTypeID) ?? writeOther(dataTypeID))
