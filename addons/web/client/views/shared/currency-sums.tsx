import './currency-sums.css'
import type { ComponentChildren } from 'preact'
import { formatMoney } from '../../core/format.ts'
import { tn } from '../../core/i18n.ts'

/** A sum and the ISO code of its currency, which is empty for amounts without one. */
export type CurrencySum = readonly [currency: string, value: number]

interface CurrencySumsProps {
  /** The largest first. */
  readonly sums: readonly CurrencySum[]
  readonly draw: (value: number, currency: string | null) => ComponentChildren
  /** Where there is room for a number only. */
  readonly isNarrow?: boolean
}

/** Sums that fit into a heading; of more the largest is shown, and the others in its tip. */
const MAX_SHOWN = 2

/** One sum for each currency: they are never added up. */
export function CurrencySums({ sums, draw, isNarrow = false }: CurrencySumsProps) {
  const rest = sums.length > MAX_SHOWN ? sums.slice(1) : []
  const shown = rest.length > 0 ? sums.slice(0, 1) : sums
  const others = rest.map(([currency, value]) => formatMoney(value, currency || null)).join(' · ')
  const more = tn(rest.length, '{n} more currency', '{n} more currencies')
  return (
    <span class="cursums">
      {shown.map(([currency, value]) => (
        <span key={currency}>{draw(value, currency || null)}</span>
      ))}
      {rest.length > 0 && (
        <span class="t3" data-tip={others}>
          {isNarrow ? `+${rest.length}` : more}
          <span class="vh"> {others}</span>
        </span>
      )}
    </span>
  )
}
