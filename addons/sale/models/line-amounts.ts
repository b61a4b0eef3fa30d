import { multiplyMoney, roundToFactor, sumMoney } from '#kernel'

/** The fields of a tax that an amount depends on. */
export interface Tax {
  readonly kind: 'percent' | 'fixed'
  readonly amount: number
}

export interface PricedLine {
  readonly quantity: number
  readonly price_unit: number | null
  readonly discount: number
}

/** Quantity × price less the discount, rounded once. */
export const subtotalOf = ({ quantity, price_unit, discount }: PricedLine, rounding: number): number =>
  roundToFactor(multiplyMoney(quantity, price_unit, sumMoney([100, -discount]), 0.01), rounding)

/** Each tax of a line is rounded by itself, so that the taxes of an order add up to what its lines show. */
export const taxOf = (subtotal: number, quantity: number, taxes: readonly Tax[], rounding: number): number =>
  sumMoney(
    taxes.map(({ kind, amount }) =>
      roundToFactor(
        kind === 'fixed' ? multiplyMoney(quantity, amount) : multiplyMoney(subtotal, amount, 0.01),
        rounding,
      ),
    ),
  )
