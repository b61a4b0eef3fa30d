import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { multiplyMoney, roundMoney, roundToFactor, sumMoney } from '../../kernel/money.ts'

/** An amount with its exact value in units of 10^-digits. */
const amount = fc
  .tuple(fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }), fc.integer({ min: 0, max: 6 }))
  .map(([units, digits]) => ({ value: Number(`${units}e-${digits}`), units: BigInt(units), digits }))

const micros = ({ units, digits }: { units: bigint; digits: number }) => units * 10n ** BigInt(6 - digits)
const fromMicros = (total: bigint) => Number(`${total}e-6`)

describe('sums', () => {
  test('have no binary dust', () => {
    expect(sumMoney([0.1, 0.2])).toBe(0.3)
    expect(sumMoney(Array.from({ length: 1_000 }, () => 0.1))).toBe(100)
    expect(sumMoney([1e15, 0.01, -1e15])).toBe(0.01)
  })

  test('count an unset amount as nothing, and over no amounts are zero', () => {
    expect(sumMoney([null, 2.5, null])).toBe(2.5)
    expect(sumMoney([])).toBe(0)
  })

  test('equal the sum in whole units, in any order', () => {
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 50 }), (amounts) => {
        const exact = fromMicros(amounts.reduce((total, one) => total + micros(one), 0n))
        expect(sumMoney(amounts.map((one) => one.value))).toBe(exact)
        expect(sumMoney(amounts.toReversed().map((one) => one.value))).toBe(exact)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('products', () => {
  test('are exact before they are rounded', () => {
    expect(8.325 * 3).not.toBe(24.975)
    expect(roundMoney(multiplyMoney(8.325, 3), 2)).toBe(24.98)
    expect(multiplyMoney(2, null)).toBe(0)
    expect(multiplyMoney(1e-7, 3)).toBe(3e-7)
  })

  test('equal the product in whole units', () => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        expect(multiplyMoney(a.value, b.value)).toBe(Number(`${a.units * b.units}e-${a.digits + b.digits}`) + 0)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('rounding', () => {
  test.each([
    [1.005, 2, 1.01],
    [-1.005, 2, -1.01],
    [2.675, 2, 2.68],
    [0.5, 0, 1],
    [-0.5, 0, -1],
    [-0.004, 2, 0],
    [1234.5678, 3, 1234.568],
    [1e21, 2, 1e21],
    [1.5e-7, 7, 2e-7],
  ])('%d to %d digits is %d', (value, digits, expected) => {
    expect(roundMoney(value, digits)).toBe(expected)
  })

  test.each([
    [1.02, 0.05, 1],
    [1.025, 0.05, 1.05],
    [-1.025, 0.05, -1.05],
    [149.5, 1, 150],
    [1234, 10, 1230],
    [1235, 10, 1240],
    [0.0149, 0.01, 0.01],
  ])('%d to multiples of %d is %d', (value, factor, expected) => {
    expect(roundToFactor(value, factor)).toBe(expected)
  })

  test('gives the nearest multiple, the one further from zero when two are equally near, and is settled after once', () => {
    const factors = fc.constantFrom(1n, 5n, 10n, 50n, 10_000n, 50_000n, 1_000_000n)
    fc.assert(
      fc.property(amount, factors, (one, factor) => {
        const rounded = roundToFactor(one.value, fromMicros(factor))
        const exact = micros(one)
        const size = exact < 0n ? -exact : exact
        const nearest = ((2n * size + factor) / (2n * factor)) * factor
        expect(rounded).toBe(fromMicros(exact < 0n ? -nearest : nearest) + 0)
        expect(roundToFactor(rounded, fromMicros(factor))).toBe(rounded)
      }),
      { numRuns: 2_000 },
    )
  })
})

test('an infinite number or NaN gives NaN', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(sumMoney([1, value])).toBeNaN()
    expect(multiplyMoney(0, value)).toBeNaN()
    expect(roundMoney(value, 2)).toBeNaN()
    expect(roundToFactor(value, 0.01)).toBeNaN()
  }
  expect(roundToFactor(1, 0)).toBeNaN()
})
