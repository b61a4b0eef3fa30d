import type { Env } from '../env.ts'
import { sumMoney } from '../money.ts'
import { valueWriter } from './value-text.ts'

/** An amount and the ISO code of its currency, null where that is hidden. */
export interface CurrencyAmount {
  readonly currency: string | null
  readonly amount: number | null
}

/** One sum for each currency, the largest first, in the language of `env`: amounts in several are never added up. Null: there are none. */
export function currencySums(env: Env, amounts: readonly CurrencyAmount[]): string | null {
  if (amounts.length === 0) return null
  const writer = valueWriter(env)
  return [...new Set(amounts.map(({ currency }) => currency))]
    .sort()
    .map((currency) => ({
      currency,
      sum: sumMoney(amounts.filter((each) => each.currency === currency).map(({ amount }) => amount)),
    }))
    .sort((a, b) => b.sum - a.sum)
    .map(({ currency, sum }) => writer.money(sum, currency))
    .join(' · ')
}
