import type pg from 'pg'

/** Reads a value from its text in `bytes`. */
export type ReadColumn = (bytes: Buffer, from: number, to: number) => unknown

const MINUS = '-'.charCodeAt(0)
const ZERO = '0'.charCodeAt(0)

/** int2, int4, oid: read from the digits, without creating a string. */
const WHOLE: ReadonlySet<number> = new Set([21, 23, 26])

export function readWhole(bytes: Buffer, from: number, to: number): number {
  const isNegative = bytes[from] === MINUS
  let value = 0
  for (let at = isNegative ? from + 1 : from; at < to; at++) value = value * 10 + bytes[at]! - ZERO
  return isNegative ? -value : value
}

/** How the values of a column are read. */
export function columnReader({ dataTypeID }: pg.FieldDef, types: pg.CustomTypesConfig): ReadColumn {
  if (WHOLE.has(dataTypeID)) return readWhole
  const parse: (text: string) => unknown = types.getTypeParser(dataTypeID, 'text')
  return (bytes, from, to) => parse(bytes.toString('utf8', from, to))
}
