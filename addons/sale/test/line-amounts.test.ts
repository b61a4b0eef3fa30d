import { describe, expect, test } from 'vitest'
import { below, pick, randomOf } from '../../../test/support/seeded-random.ts'
import { subtotalOf, taxOf } from '../models/line-amounts.ts'

const ROUNDINGS = [0.01, 0.05, 0.001, 1] as const

describe('amounts of a line', () => {
  test('are rounded once, halves away from zero', () => {
    expect(subtotalOf({ quantity: 3, price_unit: 8.325, discount: 0 }, 0.01)).toBe(24.98)
    expect(subtotalOf({ quantity: 1, price_unit: 1.005, discount: 0 }, 0.01)).toBe(1.01)
    expect(subtotalOf({ quantity: -1, price_unit: 1.005, discount: 0 }, 0.01)).toBe(-1.01)
    expect(subtotalOf({ quantity: 7, price_unit: 0.1, discount: 33.3 }, 0.01)).toBe(0.47)
    expect(subtotalOf({ quantity: 1, price_unit: 0.37, discount: 0 }, 0.05)).toBe(0.35)
    expect(subtotalOf({ quantity: 2, price_unit: null, discount: 0 }, 0.01)).toBe(0)
  })

  test('have each tax rounded by itself', () => {
    const taxes = [
      { kind: 'percent', amount: 8.875 },
      { kind: 'fixed', amount: 0.85 },
    ] as const
    expect(taxOf(99.99, 3, taxes, 0.01)).toBe(11.42)
    expect(taxOf(0.1, 1, [taxes[0], taxes[0]], 0.01)).toBe(0.02)
    expect(taxOf(100, 1, [], 0.01)).toBe(0)
  })

  test('are multiples of the rounding factor, within half a step of the exact value, and change sign with the quantity', () => {
    const random = randomOf(7)
    for (let round = 0; round < 2_000; round++) {
      const rounding = pick(random, ROUNDINGS)
      const line = {
        quantity: below(random, 1_000) / 8,
        price_unit: below(random, 1_000_000) / 1_000,
        discount: below(random, 800) / 8,
      }
      const subtotal = subtotalOf(line, rounding)
      const exact = (line.quantity * line.price_unit * (100 - line.discount)) / 100
      expect(Math.abs(subtotal - exact)).toBeLessThanOrEqual(rounding / 2 + 1e-6)
      expect(Math.abs(subtotal / rounding - Math.round(subtotal / rounding))).toBeLessThan(1e-4)
      expect(subtotalOf({ ...line, quantity: -line.quantity }, rounding)).toBe(subtotal === 0 ? 0 : -subtotal)
    }
  })
})
