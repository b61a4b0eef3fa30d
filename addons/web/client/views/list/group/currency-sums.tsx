import { useEffect, useState } from 'preact/hooks'
import { formatMoney } from '../../../core/format.ts'
import { tn } from '../../../core/i18n.ts'
import { Amount } from '../../../fields/value/money.tsx'
import { linkOf } from '../../../fields/value/values.ts'
import { services } from '../../../services.ts'
import { readGroup } from '../../../store/queries.ts'
import type { TotalValueProps } from '../model/sum.tsx'

/** A sum and the ISO code of its currency; null for amounts without one. */
interface CurrencySum {
  readonly currency: string | null
  readonly value: number
}

/** Sums that fit into a row; of more the largest is shown, and the others in its tip. */
const MAX_SHOWN = 2

/** The totals of amounts in several currencies: one for each, the largest first. Asked for whenever the totals are. */
export function CurrencySums({ model, column: { field, total }, totals, domain }: TotalValueProps) {
  const [sums, setSums] = useState<readonly CurrencySum[]>([])
  useEffect(() => {
    const { currencyField } = field
    if (currencyField === undefined || total === null) return
    let isGone = false
    const fields = [{ name: 'sum', field: field.name, measure: total.measure }]
    readGroup(services().rpc, model.arch.model, { domain, groupby: [currencyField], fields }).then(
      (rows) => {
        const found = rows.flatMap((row) =>
          typeof row['sum'] === 'number'
            ? [{ currency: linkOf(row[currencyField])?.name ?? null, value: row['sum'] }]
            : [],
        )
        if (!isGone) setSums(found.toSorted((a, b) => b.value - a.value))
      },
      // What is shown stays; the next load of the totals tries again.
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [totals])
  const rest = sums.length > MAX_SHOWN ? sums.slice(1) : []
  const shown = rest.length > 0 ? sums.slice(0, 1) : sums
  return (
    <span class="cursums">
      {shown.map(({ currency, value }) => (
        <span key={currency}>
          <Amount value={value} currency={currency} />
        </span>
      ))}
      {rest.length > 0 && (
        <span class="t3" data-tip={rest.map(({ currency, value }) => formatMoney(value, currency)).join(' · ')}>
          {tn(rest.length, '{n} more currency', '{n} more currencies')}
        </span>
      )}
    </span>
  )
}
