import { roundMoney } from '../../money.ts'
import { DIRECT, orNull } from './direct.ts'
import type { Optional, Readable } from './field.ts'
import { type Field, type FieldDef, type FieldOptions, type FieldType, type Measure, Refusal } from './field.ts'

export interface DecimalOptions extends FieldOptions<number | null> {
  /** Total digits and digits after the point. */
  readonly digits?: readonly [precision: number, scale: number]
}

export interface MonetaryOptions extends DecimalOptions {
  /** The many2one to the currency of the amount, which also rounds it. Default: `currency_id`. */
  readonly currencyField?: string
}

const NUMBER_MEASURES: readonly Measure[] = ['sum', 'avg', 'min', 'max', 'count', 'count_distinct']
const INT4_MAX = 2_147_483_647
const DECIMAL_DIGITS: readonly [number, number] = [24, 6]
const MONEY_DIGITS: readonly [number, number] = [20, 4]

function parseNumber(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Refusal('Must be a number.')
  return value
}

function parseInteger(value: unknown): number {
  const number = parseNumber(value)
  if (!Number.isInteger(number)) throw new Refusal('Must be a whole number.')
  if (Math.abs(number) > INT4_MAX)
    throw new Refusal('Must lie between {least} and {most}.', { least: -INT4_MAX, most: INT4_MAX })
  return number
}

/** A JavaScript number keeps 15 digits, so values with more are refused. */
function parseDecimal(value: unknown, field: Field): number {
  const number = parseNumber(value)
  const [precision, scale] = field.digits ?? DECIMAL_DIGITS
  if (Math.abs(number) >= 10 ** Math.min(precision - scale, 15)) throw new Refusal('Is too large.')
  return roundMoney(number, Math.min(scale, 15))
}

const numeric = (digits: readonly [number, number]) => `numeric(${digits[0]},${digits[1]})`

export const integerType: FieldType = {
  ...DIRECT,
  name: 'integer',
  comparison: 'number',
  sqlType: () => 'integer',
  parse: parseInteger,
  measures: NUMBER_MEASURES,
  widget: 'integer',
  schema: (field) => orNull(field, { type: 'integer', minimum: -INT4_MAX, maximum: INT4_MAX }),
}

export const floatType: FieldType = {
  ...integerType,
  name: 'float',
  sqlType: ({ digits }) => numeric(digits ?? DECIMAL_DIGITS),
  parse: parseDecimal,
  widget: 'float',
  schema: (field) => orNull(field, { type: 'number' }),
}

export const monetaryType: FieldType = {
  ...floatType,
  name: 'monetary',
  sqlType: ({ digits }) => numeric(digits ?? MONEY_DIGITS),
  parse: (value, field) => parseDecimal(value, field.digits ? field : { ...field, digits: MONEY_DIGITS }),
  widget: 'monetary',
}

export const integer = <const O extends FieldOptions<number | null>>(
  options?: O,
): FieldDef<Readable<O, number>, Optional<O, number>> => ({ type: 'integer', options: options ?? {} })

/** A decimal number, kept exactly as `numeric`. */
export const float = <const O extends DecimalOptions>(
  options?: O,
): FieldDef<Readable<O, number>, Optional<O, number>> => ({ type: 'float', options: options ?? {} })

/** An amount of money, kept exactly and rounded by its currency. */
export const monetary = <const O extends MonetaryOptions>(
  options?: O,
): FieldDef<Readable<O, number>, Optional<O, number>> => ({ type: 'monetary', options: options ?? {} })
