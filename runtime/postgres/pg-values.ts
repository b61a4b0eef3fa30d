import pg from 'pg'

type Parse = (text: string) => unknown

/** `2024-05-06 07:08:09.1234+00` (session time zone UTC) → `2024-05-06T07:08:09.123Z`. */
export function parseTimestamp(text: string): string {
  if (text.length < 19 || text[4] !== '-' || text[10] !== ' ' || text.endsWith('BC')) return text
  const fraction = text[19] === '.' ? (/^\d+/.exec(text.slice(20))?.[0] ?? '') : ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
}

/** A one-dimensional array whose elements need no quotes: numbers and dates, or `NULL`. */
export function parsePlainArray(parse: Parse): Parse {
  return (text) => {
    if (text === '{}') return []
    return text
      .slice(1, -1)
      .split(',')
      .map((element) => (element === 'NULL' ? null : parse(element)))
  }
}

const quotedDatetime: Parse = (text) => parseTimestamp(text.replaceAll('"', ''))
const asText: Parse = (text) => text

/** By type OID. Numbers are JavaScript numbers, also beyond 2^53 where they lose digits; dates stay text. */
const PARSERS: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [20, Number], // int8
  [21, Number], // int2
  [23, Number], // int4
  [1700, Number], // numeric
  [1082, asText], // date
  [1114, parseTimestamp], // timestamp
  [1184, parseTimestamp], // timestamptz
  [1186, asText], // interval
  [1005, parsePlainArray(Number)], // int2[]
  [1007, parsePlainArray(Number)], // int4[]
  [1016, parsePlainArray(Number)], // int8[]
  [1231, parsePlainArray(Number)], // numeric[]
  [1182, parsePlainArray(asText)], // date[]
  [1115, parsePlainArray(quotedDatetime)], // timestamp[]
  [1185, parsePlainArray(quotedDatetime)], // timestamptz[]
])

/** How `pg` reads result columns; types not listed (text, boolean, float, json, bytea, their arrays) keep its own way. */
export const valueTypes: pg.CustomTypesConfig = {
  // The types of `pg` have one overload per format, which a single implementation cannot satisfy.
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && PARSERS.get(oid)) || pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}
