import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import {
  dayOf,
  formatBytes,
  formatDate,
  formatDatetime,
  formatFloat,
  formatInteger,
  formatMoney,
  formatPercent,
  formatRelative,
  moneyParts,
  setLocale,
} from '../../addons/web/client/core/format.ts'
import { parseInteger, parseNumber } from '../../addons/web/client/core/parse.ts'
import { parseDay as parseDate } from '../../addons/web/client/fields/edit/date-text.ts'

afterEach(() => setLocale('en', 'UTC'))

const LOCALES = [
  'en-US',
  'en-GB',
  'de-DE',
  'de-CH',
  'fr-FR',
  'es-ES',
  'pl-PL',
  'sv-SE',
  'en-DE',
  'en-SE',
  'en-IN',
  'pt-BR',
  'ar-EG',
  'ja-JP',
]

test('a language without a region is written as in the region of the browser', () => {
  const written = (language: string, preferred: readonly string[]) => {
    setLocale(language, 'UTC', preferred)
    return formatDatetime('2026-11-16T16:05:00Z')
  }
  const [american, british] = [written('en-US', []), written('en-GB', [])]
  expect(american).not.toBe(british)
  expect(written('en', ['de-DE', 'en-GB', 'en-US'])).toBe(british)
  expect(written('en', ['en', 'de-DE'])).toBe(american)
  // A German browser asks for English after German, by default that of the United States.
  expect(written('en', ['de-DE', 'de', 'en-US', 'en'])).toBe(written('en-DE', []))
  expect(written('en', ['de-DE'])).toMatch(/^16\D11\D2026, 16:05$/)
  expect(written('en', ['sv-SE', 'en-US'])).toMatch(/16:05$/)
  expect(written('en', ['es-US'])).toBe(american)
  expect(written('de', ['en-US'])).toBe(written('de', []))
  expect(written('en-US', ['en-GB'])).toBe(american)
})

describe('figures', () => {
  test('follow the language', () => {
    setLocale('de-DE', 'Europe/Berlin')
    expect([formatFloat(1234.5, 2), formatInteger(1_284), formatPercent(0.125, 1)]).toEqual([
      '1.234,50',
      '1.284',
      '12,5 %'.replace(' ', '\u00a0'),
    ])
    setLocale('en-GB', 'UTC')
    expect([formatFloat(1234.5, 2), formatMoney(-57_369.9, 'EUR'), formatBytes(1_536_000)]).toEqual([
      '1,234.50',
      '-€57,369.90',
      '1.5 MB',
    ])
  })

  test('of money come in parts, with the digits of the currency', () => {
    setLocale('en-GB', 'UTC')
    expect(moneyParts(1_200, 'JPY')).toMatchObject({ symbol: '¥', figure: '1,200', symbolFirst: true })
    setLocale('de-DE', 'UTC')
    expect(moneyParts(-3.5, 'EUR')).toMatchObject({ sign: '-', symbol: '€', figure: '3,50', symbolFirst: false })
    expect(moneyParts(2, null)).toMatchObject({ symbol: '', figure: '2,00' })
  })

  test.each(['en-DE', 'en-CH', 'en-FR', ...LOCALES])('have one notation in %s, money as any other number', (locale) => {
    setLocale(locale, 'UTC')
    for (const value of [1_174, -167_407.11]) {
      const plain = formatFloat(Math.abs(value), 2)
      expect(moneyParts(value, 'EUR').figure).toBe(plain)
      expect(formatMoney(value, 'EUR')).toContain(plain)
    }
    expect(formatMoney(1_174, 'JPY')).toContain(formatInteger(1_174))
  })

  test.each(LOCALES)('as %s writes them are read back', (locale) => {
    setLocale(locale, 'UTC')
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 10), max: 10 ** 10 }), fc.integer({ min: 0, max: 4 }), (units, digits) => {
        const value = Number((units / 10 ** digits).toFixed(digits))
        // Minus zero is zero.
        expect((parseNumber(formatFloat(value, digits)) ?? Number.NaN) + 0).toBe(value + 0)
      }),
    )
  })

  test('are read as people type them', () => {
    setLocale('de-DE', 'UTC')
    expect([
      parseNumber('1.234,5'),
      parseNumber('1234,5'),
      parseNumber(' 12,50 '),
      parseNumber('12.5'),
      parseNumber('1.234'),
    ]).toEqual([1234.5, 1234.5, 12.5, 12.5, 1234])
    setLocale('en-GB', 'UTC')
    expect([parseNumber('1,234.5'), parseNumber('−3'), parseNumber('.5'), parseNumber("1'000")]).toEqual([
      1234.5, -3, 0.5, 1000,
    ])
    expect(['', 'abc', '1.2.3', '1e3', '--1', '0x10'].map(parseNumber)).toEqual([null, null, null, null, null, null])
    expect(['1.234,56', '12,5', '1,2,3', '1,23', '12,345,6', '1,234,56', '12 34', '1.5,000'].map(parseNumber)).toEqual(
      Array.from({ length: 8 }, () => null),
    )
    setLocale('fr-FR', 'UTC')
    expect(['1 234,5', '1234,5', '1 234,5', '12 34'].map(parseNumber)).toEqual([1234.5, 1234.5, 1234.5, null])
    setLocale('de-DE', 'UTC')
    expect(['1.234.567', '12.34,5', '1.23.456', '1234.567', '1.2345'].map(parseNumber)).toEqual([
      1_234_567,
      null,
      null,
      null,
      null,
    ])
    setLocale('en-GB', 'UTC')
    expect([parseInteger('12'), parseInteger('1.5')]).toEqual([12, null])
  })
})

describe('days', () => {
  test.each(
    LOCALES.flatMap((locale) => (['numeric', 'medium', 'long'] as const).map((style) => [locale, style] as const)),
  )('as %s writes them, %s, are read back', (locale, style) => {
    setLocale(locale, 'Pacific/Auckland')
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true }),
        (date) => {
          const day = date.toISOString().slice(0, 10)
          expect(parseDate(formatDate(day, style), '2026-11-15')).toBe(day)
        },
      ),
    )
  })

  test('are the same everywhere, moments are not', () => {
    setLocale('en-GB', 'Pacific/Auckland')
    expect(formatDate('2026-11-15')).toBe('15/11/2026')
    expect(formatDatetime('2026-11-15T20:30:00Z')).toBe('16/11/2026, 09:30')
    expect(dayOf('2026-11-15T20:30:00Z')).toBe('2026-11-16')
  })

  test('are read as people type them', () => {
    setLocale('de-DE', 'UTC')
    expect([
      parseDate('4.3.26', '2026-11-15'),
      parseDate('4.3.', '2026-11-15'),
      parseDate('2026-02-30', '2026-11-15'),
      parseDate('31.2.2026', '2026-11-15'),
    ]).toEqual(['2026-03-04', '2026-03-04', null, null])
    setLocale('en-US', 'UTC')
    const texts = ['3/4/2026', 'dec 31', 'Sept 3 2026', 'December 31, 2026', 'tomorrow', 'Dec 31, 2026, 2', 'ma 4']
    expect(texts.map((text) => parseDate(text, '2026-11-15'))).toEqual([
      '2026-03-04',
      '2026-12-31',
      '2026-09-03',
      '2026-12-31',
      '2026-11-16',
      null,
      null,
    ])
  })

  test('near today are written in words', () => {
    const now = new Date('2026-11-15T12:00:00Z')
    expect([formatRelative('2026-11-15T09:00:00Z', now), formatRelative('2026-11-16T13:00:00Z', now)]).toEqual([
      '3 hours ago',
      'tomorrow',
    ])
  })

  test('are rounded to the nearest unit', () => {
    const now = new Date('2026-11-18T12:00:00Z')
    const told = ['2027-02-16T12:00:00Z', '2026-11-19T11:59:50Z', '2026-11-18T10:10:00Z', '2026-11-18T11:50:10Z']
    expect(told.map((instant) => formatRelative(instant, now))).toEqual([
      'in 3 months',
      'in 24 hours',
      '2 hours ago',
      '10 minutes ago',
    ])
  })
})

test('a language or zone the browser does not know falls back', () => {
  setLocale('not a tag', 'Nowhere/City')
  expect([formatFloat(1.5, 1), formatDatetime('2026-11-15T20:30:00Z')]).toEqual([
    '1.5',
    expect.stringContaining('8:30'),
  ])
})
