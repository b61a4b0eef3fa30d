import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { setLocale } from '../../addons/web/client/core/format.ts'
import type { FieldRecord } from '../../addons/web/client/core/registries.ts'
import {
  fromLocalInput,
  parseDay,
  parseMoment,
  parseTime,
  toLocalInput,
} from '../../addons/web/client/fields/edit/date-text.ts'
import { fromBase64, pictureType, toBase64 } from '../../addons/web/client/fields/edit/file.ts'
import { NOTATIONS, parseHours, parseWith } from '../../addons/web/client/fields/edit/number-notation.ts'
import { formatReference, kindsOf, parseReference } from '../../addons/web/client/fields/edit/reference-text.ts'
import { formatJson, parseDomain, parseJson } from '../../addons/web/client/fields/edit/source-text.ts'
import { formatDay } from '../../addons/web/client/fields/value/day-text.ts'
import { FORMATS, plainText, sizeOf } from '../../addons/web/client/fields/value/format-value.ts'
import { contactHref } from '../../addons/web/client/fields/value/hrefs.ts'
import { formatHours } from '../../addons/web/client/fields/value/number-text.ts'
import { linkOf } from '../../addons/web/client/fields/value/values.ts'
import type { WireField, WireMenu } from '../../kernel/view/wire.ts'

afterEach(() => setLocale('en', 'UTC'))

const field = (type: string, more: Partial<WireField> = {}): WireField => ({ name: 'x', type, label: 'X', ...more })
const record = (values: Record<string, unknown> = {}): FieldRecord => ({
  model: 'm',
  id: 1,
  get: (name) => values[name] ?? null,
})

describe('numbers', () => {
  test('are read in the notation of the user and rounded to what the field keeps', () => {
    setLocale('de-DE', 'UTC')
    const price = field('float', { digits: [12, 2] })
    expect(parseWith(NOTATIONS.float, '1.234,567', price)).toEqual({ value: 1234.57 })
    expect(parseWith(NOTATIONS.integer, '1.284', field('integer'))).toEqual({ value: 1284 })
    expect(parseWith(NOTATIONS.percent, '12,5 %', field('float'))).toEqual({ value: 12.5 })
  })

  test('emptied are unset, and what is none says so', () => {
    expect(parseWith(NOTATIONS.float, ' ', field('float'))).toEqual({ value: null })
    expect(parseWith(NOTATIONS.float, '12 pieces', field('float'))).toHaveProperty('problem')
    expect(parseWith(NOTATIONS.integer, '1.5', field('integer'))).toHaveProperty('problem')
  })

  test('with many digits lose their zeros, amounts do not', () => {
    expect(NOTATIONS.float.format(24, field('float', { digits: [16, 3] }))).toBe('24')
    expect(NOTATIONS.float.format(1.5, field('float', { digits: [16, 3] }))).toBe('1.5')
    expect(NOTATIONS.float.format(24, field('float'))).toBe('24.00')
  })

  test('of hours are clocks, and any way of writing them is read', () => {
    expect([7.5, 0.25, -1.75, 100].map(formatHours)).toEqual(['7:30', '0:15', '-1:45', '100:00'])
    expect(['7:30', '7h30', '7.5', '45m', '-1:45', '8h'].map(parseHours)).toEqual([7.5, 7.5, 7.5, 0.75, -1.75, 8])
    expect(['7:60', 'x', ''].map(parseHours)).toEqual([null, null, null])
  })

  test('of hours survive being written and read, to the minute', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000, max: 100_000 }), (minutes) => {
        expect(Math.round((parseHours(formatHours(minutes / 60)) ?? Number.NaN) * 60)).toBe(minutes)
      }),
    )
  })
})

describe('dates', () => {
  const today = '2026-01-31'

  test('are words, steps from today, or dates as the user writes them', () => {
    const texts = ['today', 'Tomorrow', 'yesterday', '+3d', '-2w', '+1m', '+1y', '+5', '2026-03-04', '3/4/26', 'now']
    expect(texts.map((text) => parseDay(text, today))).toEqual([
      '2026-01-31',
      '2026-02-01',
      '2026-01-30',
      '2026-02-03',
      '2026-01-17',
      '2026-02-28',
      '2027-01-31',
      '2026-02-05',
      '2026-03-04',
      '2026-03-04',
      '2026-01-31',
    ])
    expect(['soon', '31.02.2026x', '+3q'].map((text) => parseDay(text, today))).toEqual([null, null, null])
  })

  test('take times of either clock', () => {
    expect(['14:30', '2:30 pm', '12 am', '12:15 p.m.', '9', '9h', '23.59'].map(parseTime)).toEqual([
      870, 870, 0, 735, 540, 540, 1439,
    ])
    expect(['24:00', '12:60', '13 pm', 'noon'].map(parseTime)).toEqual([null, null, null, null])
  })

  test('and times are moments of the user’s zone', () => {
    setLocale('en-US', 'Europe/Berlin')
    expect(parseMoment('7/14/2026, 2:30 PM', today, null)).toBe('2026-07-14T12:30:00.000Z')
    expect(parseMoment('2026-01-14 14:30', today, null)).toBe('2026-01-14T13:30:00.000Z')
    expect(parseMoment('tomorrow 8:00', today, null)).toBe('2026-02-01T07:00:00.000Z')
    // Only the day is typed: the time stays.
    expect(parseMoment('2026-07-15', today, '2026-01-14T13:30:00.000Z')).toBe('2026-07-15T12:30:00.000Z')
    expect(parseMoment('tomorrow noonish', today, null)).toBe(null)
    expect(parseMoment('Dec 31, 2026, 2:30 PM', today, null)).toBe('2026-12-31T13:30:00.000Z')
    expect(parseMoment('2026-12-31T14:30', today, null)).toBe('2026-12-31T13:30:00.000Z')
    expect(parseMoment('2026-12-31T14:30:00Z', today, null)).toBe('2026-12-31T14:30:00.000Z')
    expect(parseMoment('2026-13-31T14:30', today, null)).toBe(null)
    setLocale('de-DE', 'Europe/Berlin')
    expect(parseMoment('31. Dez. 2026, 14:30', today, null)).toBe('2026-12-31T13:30:00.000Z')
  })

  test('go through the browser’s own picker and back', () => {
    setLocale('en-US', 'America/New_York')
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 66_000_000 }), (minutes) => {
        const instant = new Date(minutes * 60_000).toISOString()
        const back = fromLocalInput(toLocalInput(instant)) ?? ''
        // An hour that repeats is read as its first.
        expect([0, 3_600_000]).toContain(Date.parse(instant) - Date.parse(back))
      }),
    )
  })
})

describe('values as text', () => {
  test('are empty when unset', () => {
    for (const [type, format] of Object.entries(FORMATS)) {
      expect([type, format(null, field(type), record())]).toEqual([type, type === 'boolean' ? 'No' : ''])
    }
  })

  test('have the currency of their record', () => {
    const price = field('monetary', { currencyField: 'currency_id' })
    expect(FORMATS.monetary(1234.5, price, record({ currency_id: [1, 'EUR'] }))).toBe('€1,234.50')
    expect(FORMATS.monetary(1234, price, record({ currency_id: [1, 'JPY'] }))).toBe('¥1,234')
    expect(FORMATS.monetary(1234.5, price, record())).toBe('1,234.50')
  })

  test('of days leave out the current year in lists, and never in forms', () => {
    const days = (isInForm: boolean) =>
      ['2026-11-18', '2025-11-18'].map((day) => formatDay(day, '2026-01-01', isInForm))
    expect(days(false).map((text) => /20\d\d/.exec(text)?.[0])).toEqual([undefined, '2025'])
    expect(days(true).map((text) => /20\d\d/.exec(text)?.[0])).toEqual(['2026', '2025'])
  })

  test('of html are its words', () => {
    expect(plainText('<p>Fish &amp; <b>chips</b></p><p>1&lt;2</p>')).toBe('Fish & chips 1<2')
  })

  test('of files are their sizes, also from base64', () => {
    expect([sizeOf(1500), sizeOf('YQ=='), sizeOf('YWI='), sizeOf('YWJj'), sizeOf(null)]).toEqual([1500, 1, 2, 3, null])
  })

  test('of links are names', () => {
    expect([[7, 'Ada'], 7, null].map((value) => FORMATS.many2one(value, field('many2one'), record()))).toEqual([
      'Ada',
      '#7',
      '',
    ])
    expect(linkOf([7, null])).toEqual({ id: 7, name: '' })
  })
})

describe('files', () => {
  test('survive base64, of any length', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100_000 }), (bytes) => {
        expect(fromBase64(toBase64(bytes))).toEqual(bytes)
      }),
      { numRuns: 30 },
    )
  })

  test('are pictures by their first bytes, and scripts in disguise are not', () => {
    expect(pictureType('iVBORw0KGgoAAAA')).toBe('image/png')
    expect(pictureType(btoa('<svg onload=alert(1)>'))).toBe(null)
  })
})

describe('addresses', () => {
  test('are links only when they are of their kind', () => {
    expect(contactHref.email('ada@example.com')).toBe('mailto:ada@example.com')
    expect(contactHref.email('ada@example.com?bcc=x@y.z')).toBe(null)
    expect(contactHref.phone('+49 (30) 1234-56')).toBe('tel:+4930123456')
    expect(contactHref.phone('call me')).toBe(null)
    expect(contactHref.url('www.example.com/a?b=1')).toBe('https://www.example.com/a?b=1')
    expect(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'x y'].map(contactHref.url)).toEqual([
      null,
      null,
      null,
      null,
    ])
  })
})

describe('sources', () => {
  test('of JSON are values, or say where they are wrong', () => {
    expect(parseJson('{"a": [1]}')).toEqual({ value: { a: [1] } })
    expect(parseJson('  ')).toEqual({ value: null })
    expect(parseJson('{a}')).toHaveProperty('problem')
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(parseJson(formatJson(value))).toEqual({ value: JSON.parse(JSON.stringify(value)) })
      }),
    )
  })

  test('of domains stay as they were written', () => {
    const text = "[('user_id', '=', user.id)]"
    expect(parseDomain(text)).toEqual({ value: text })
    expect(parseDomain("[('user_id', '=',")).toHaveProperty('problem')
  })

  test('of references are of the kinds the menus lead to', () => {
    const menu = (name: string, model?: string, children: readonly WireMenu[] = []): WireMenu => ({
      id: 1,
      name,
      href: null,
      children,
      ...(model !== undefined && { model }),
    })
    const menus = [
      menu('Sales', undefined, [menu('Orders', 'sale.order'), menu('Board', 'sale.order')]),
      menu('People', 'core.partner'),
    ]
    expect(kindsOf(menus)).toEqual([
      { model: 'sale.order', label: 'Orders' },
      { model: 'core.partner', label: 'People' },
    ])
  })

  test('of references name a model and a record', () => {
    expect(parseReference('core.partner,7')).toEqual({ model: 'core.partner', id: 7 })
    expect(['core.partner', 'core.partner,0', 'Core,1', 7].map(parseReference)).toEqual([null, null, null, null])
    expect(formatReference({ model: 'core.partner', id: 7 })).toBe('core.partner,7')
  })
})
