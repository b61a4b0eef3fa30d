import { type FieldRecord, fields } from '../../core/registries.ts'
import { type CurrencySum, CurrencySums } from '../value/currency-sums.tsx'
import { Amount, currencyOf } from '../value/money.tsx'
import { numberOf } from '../value/values.ts'
import type { LineColumn } from './columns.ts'

interface TotalProps {
  readonly column: LineColumn
  /** The lines, unsaved values included. */
  readonly lines: readonly FieldRecord[]
  /** The record around the lines, which has the currency of those that have none of their own. */
  readonly record: FieldRecord
}

/** The sum of a column over some lines; for amounts in several currencies, one sum for each. */
export function LineTotal({ column: { field, node }, lines, record }: TotalProps) {
  const usual = currencyOf(field, record) ?? ''
  const found = new Map<string, number>()
  for (const line of lines) {
    const amount = numberOf(line.get(field.name))
    const currency = currencyOf(field, line) ?? usual
    if (amount !== null) found.set(currency, (found.get(currency) ?? 0) + amount)
  }
  const sums = [...found].toSorted(bySum)
  const [[code, value] = [usual, 0]] = sums
  if (field.type === 'monetary')
    return sums.length > 1 ? (
      <CurrencySums sums={sums} draw={(each, currency) => <Amount value={each} currency={currency} />} />
    ) : (
      <Amount value={value} currency={code || null} />
    )
  const format = (fields.get(node.attrs['widget'] ?? '') ?? fields.get(field.type))?.format
  return <>{format?.(value, field, record) ?? value}</>
}

const bySum = ([, a]: CurrencySum, [, b]: CurrencySum): number => b - a
