/**
 * Exact arithmetic for amounts. A JavaScript number is read as the decimal it is written as (0.1 is one tenth), so sums and
 * products are exact where binary floating point is not (0.1 + 0.2, 8.325 * 3). Values that are not finite give NaN, which
 * every numeric field refuses.
 */
interface Decimal {
  readonly units: bigint
  /** `units` count 10^-scale. */
  readonly scale: number
}

const NOTATION = /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/

function toDecimal(value: number): Decimal | null {
  const match = NOTATION.exec(String(value))
  if (match === null) return null
  const [, whole = '', fraction = '', exponent = '0'] = match
  const units = BigInt(whole + fraction)
  const scale = fraction.length - Number(exponent)
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale }
}

const toNumber = ({ units, scale }: Decimal): number => Number(`${units}e-${scale}`)

const rescale = ({ units, scale }: Decimal, finer: number): bigint => units * 10n ** BigInt(finer - scale)

/** `dividend / divisor` to the nearest whole number, halves away from zero; `divisor` is positive. */
function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  const rest = dividend % divisor
  if (2n * (rest < 0n ? -rest : rest) < divisor) return quotient
  return quotient + (dividend < 0n ? -1n : 1n)
}

/** The exact sum; unset amounts count as nothing. */
export function sumMoney(values: Iterable<number | null>): number {
  const terms: Decimal[] = []
  for (const value of values) {
    const term = toDecimal(value ?? 0)
    if (term === null) return Number.NaN
    terms.push(term)
  }
  const scale = terms.reduce((finest, term) => Math.max(finest, term.scale), 0)
  return toNumber({ units: terms.reduce((sum, term) => sum + rescale(term, scale), 0n), scale })
}

/** The exact product, such as quantity × price × (1 − discount); an unset factor gives zero. Round it once, at the end. */
export function multiplyMoney(...factors: readonly (number | null)[]): number {
  let product: Decimal = { units: 1n, scale: 0 }
  for (const factor of factors) {
    const decimal = toDecimal(factor ?? 0)
    if (decimal === null) return Number.NaN
    product = { units: product.units * decimal.units, scale: product.scale + decimal.scale }
  }
  return toNumber(product)
}

/** To `digits` after the point, halves away from zero: 1.005 → 1.01. */
export function roundMoney(value: number, digits: number): number {
  const decimal = toDecimal(value)
  if (decimal === null) return Number.NaN
  if (decimal.scale <= digits) return value
  return toNumber({ units: divideRounded(decimal.units, 10n ** BigInt(decimal.scale - digits)), scale: digits })
}

/** To the nearest multiple of a currency's rounding factor (0.01, 0.05, 1 …), halves away from zero. */
export function roundToFactor(value: number, factor: number): number {
  const decimal = toDecimal(value)
  const step = toDecimal(factor)
  if (decimal === null || step === null || step.units <= 0n) return Number.NaN
  const scale = Math.max(decimal.scale, step.scale)
  const stepUnits = rescale(step, scale)
  return toNumber({ units: divideRounded(rescale(decimal, scale), stepUnits) * stepUnits, scale })
}
