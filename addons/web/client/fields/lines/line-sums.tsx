import { type FieldRecord, fields } from '../../core/registries.ts'
import { Amount, currencyOf } from '../value/money.tsx'
import { numberOf } from '../value/values.ts'
import type { LineColumn } from './columns.ts'
import { lineValue } from './line-values.ts'
import type { LinesModel } from './model.ts'

/** What a column comes to over some rows, unsaved values included. */
export function sumOfLines({ field }: LineColumn, rows: readonly number[], model: LinesModel): number {
  const lines = model.lines()
  return rows.reduce((sum, row) => sum + (numberOf(lineValue(lines, row, model.entryOf(row), field)) ?? 0), 0)
}

interface TotalProps {
  readonly column: LineColumn
  readonly value: number
  /** The record around the lines, which has their currency. */
  readonly record: FieldRecord
}

export function LineTotal({ column: { field, node }, value, record }: TotalProps) {
  if (field.type === 'monetary') return <Amount value={value} currency={currencyOf(field, record)} />
  const format = (fields.get(node.attrs['widget'] ?? '') ?? fields.get(field.type))?.format
  return <>{format?.(value, field, record) ?? value}</>
}
