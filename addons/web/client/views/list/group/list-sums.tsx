import { useEffect, useState } from 'preact/hooks'
import { type CurrencySum, CurrencySums } from '../../../fields/value/currency-sums.tsx'
import { Amount } from '../../../fields/value/money.tsx'
import { linkOf } from '../../../fields/value/values.ts'
import { services } from '../../../services.ts'
import { readGroup } from '../../../store/queries.ts'
import type { TotalValueProps } from '../model/sum.tsx'

/** The totals of amounts in several currencies: one for each. Loaded whenever the totals are. */
export function ListSums({ model, column: { field, total }, totals, domain }: TotalValueProps) {
  const [sums, setSums] = useState<readonly CurrencySum[]>([])
  useEffect(() => {
    const { currencyField } = field
    if (currencyField === undefined || total === null) return
    let isGone = false
    const fields = [{ name: 'sum', field: field.name, measure: total.measure }]
    readGroup(services().rpc, model.arch.model, { domain, groupby: [currencyField], fields }).then(
      (rows) => {
        const found = rows.flatMap((row) =>
          typeof row['sum'] === 'number' ? [[linkOf(row[currencyField])?.name ?? '', row['sum']] as const] : [],
        )
        if (!isGone) setSums(found.toSorted(([, a], [, b]) => b - a))
      },
      // The shown sums stay; the next load of the totals tries again.
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [totals])
  return <CurrencySums sums={sums} draw={(value, currency) => <Amount value={value} currency={currency} />} />
}
