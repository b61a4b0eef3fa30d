import type pg from 'pg'
import { answerTooLarge } from '../../kernel/errors.ts'
import { valueTypes } from './pg-values.ts'

/** Types whose values always have only a few bytes: boolean, int8, int4, oid, float8, date, timestamp, timestamptz. */
const SMALL: ReadonlySet<number> = new Set([16, 20, 23, 26, 701, 1082, 1114, 1184])

/**
 * Reads result columns as usual and counts what arrives. Beyond `maxBytes` the statement fails and `pg` keeps no further row, so
 * that an answer which is too large is never in memory as a whole. Characters stand for bytes.
 */
export function countedTypes(maxBytes: number, overflow: (reason: Error) => never): pg.CustomTypesConfig {
  let bytes = 0
  const count = (value: string) => {
    bytes += value.length
    if (bytes > maxBytes) overflow(answerTooLarge(maxBytes))
  }
  const getTypeParser = (oid: number, format?: 'text' | 'binary'): ((value: string) => unknown) => {
    const parse: (value: string) => unknown = valueTypes.getTypeParser(oid, format as 'text')
    if (SMALL.has(oid)) return parse
    return (value) => {
      count(value)
      return parse(value)
    }
  }
  // The types of `pg` have one overload per format, which a single implementation cannot satisfy.
  return { getTypeParser: getTypeParser as pg.CustomTypesConfig['getTypeParser'] }
}
