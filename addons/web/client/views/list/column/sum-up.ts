import type { Values } from '../../../store/records.ts'
import type { FieldColumn, Total } from './arch.ts'
import { currenciesName, type Totals } from './totals.ts'

/** The totals of a list, computed from loaded rows; used for the selected ones. */
export function sumUp(columns: readonly FieldColumn[], rows: readonly Values[]): Totals {
  return Object.fromEntries(
    columns.flatMap(({ field, total }) => {
      if (total === null) return []
      const numbers = rows.flatMap((row) => (typeof row[field.name] === 'number' ? [row[field.name] as number] : []))
      const own = [field.name, reduce(total.measure, numbers)] as const
      const { currencyField } = field
      if (currencyField === undefined) return [own]
      const currencies = new Set(rows.map((row) => JSON.stringify(row[currencyField] ?? null)))
      return [own, [currenciesName(field.name), currencies.size] as const]
    }),
  )
}

function reduce(measure: Total['measure'], numbers: readonly number[]): number | null {
  if (numbers.length === 0) return null
  const sum = () => numbers.reduce((total, each) => total + each, 0)
  switch (measure) {
    case 'sum':
      return sum()
    case 'avg':
      return sum() / numbers.length
    case 'min':
      return Math.min(...numbers)
    case 'max':
      return Math.max(...numbers)
  }
}
