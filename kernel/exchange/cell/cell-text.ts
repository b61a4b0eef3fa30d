import type { FieldTypeName } from '../../model/fields/field.ts'
import { decimalText } from '../workbook/decimal-text.ts'
import { guardFormula } from './formula-guard.ts'

/** A wire value that is not null → the text of a cell; of a link its name, or names (`name-list.ts`). */
type Format = (value: unknown) => string

/** An instant in UTC; full seconds need no milliseconds. */
export const instantText = (instant: string): string =>
  instant.endsWith('.000Z') ? `${instant.slice(0, -5)}Z` : instant

const plain: Format = (value) => guardFormula(String(value))
const number: Format = (value) => decimalText(value as number)

/**
 * The text of each field type in an exchanged file. Values are those of the wire (a date is `2026-01-31`, a selection its key), so
 * that a file can be imported again without loss; numbers, dates and booleans need no guard, all else is guarded as text.
 */
const FORMATS: Readonly<Record<FieldTypeName, Format>> = {
  char: plain,
  text: plain,
  html: plain,
  integer: number,
  float: number,
  monetary: number,
  boolean: String,
  date: String,
  datetime: (value) => instantText(value as string),
  selection: plain,
  many2one: plain,
  one2many: plain,
  many2many: plain,
  binary: plain,
  image: plain,
  json: (value) => guardFormula(JSON.stringify(value)),
  reference: plain,
}

/** Unset is the empty cell. */
export const cellText = (type: FieldTypeName, value: unknown): string =>
  value === null || value === undefined ? '' : FORMATS[type](value)
