import { describe, expect, test } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import type { GroupQueryOptions, GroupResult } from '../../kernel/orm/group/group.ts'
import { openOrders } from './shop-orders.ts'

const { group, envOf, store } = openOrders()

describe('dates', () => {
  const days = async (item: string, options: GroupQueryOptions = {}, as?: Env) =>
    (await group({ groupby: [item] }, options, as)).map((row) => [row[item], rangeOf(row, item), row['__count']])
  const rangeOf = (row: GroupResult, item: string) => Object(row['__range'])[item]

  test('are grouped by month by default, under the item as given', async () => {
    const expected = [
      ['2025-12-01', { from: '2025-12-01', to: '2026-01-01' }, 1],
      ['2026-01-01', { from: '2026-01-01', to: '2026-02-01' }, 1],
      ['2026-02-01', { from: '2026-02-01', to: '2026-03-01' }, 2],
      [null, undefined, 1],
    ]
    expect(await days('day')).toEqual(expected)
    expect(await days('day:month')).toEqual(expected)
  })

  test('a row has the range and the domain of its group', async () => {
    const rows = await group({ groupby: ['day:quarter'], domain: [['day', '>', '2026-01-01']] })
    expect(rows).toEqual([
      {
        'day:quarter': '2026-01-01',
        __count: 3,
        __domain: [
          ['day', '>=', '2026-01-01'],
          ['day', '<', '2026-04-01'],
        ],
        __range: { 'day:quarter': { from: '2026-01-01', to: '2026-04-01' } },
      },
    ])
  })

  test('weeks begin on the day asked for, Monday by default', async () => {
    expect((await days('day:week')).map(([key]) => key)).toEqual([...['2025-12-29', '2026-01-26', '2026-02-23'], null])
    expect((await days('day:week', { weekStart: 7 })).map(([key]) => key)).toEqual([
      ...['2025-12-28', '2026-01-25', '2026-02-01', '2026-02-22'],
      null,
    ])
    expect((await days('day:week', { weekStart: 2 }))[0]).toEqual([
      ...['2025-12-23', { from: '2025-12-23', to: '2025-12-30' }],
      1,
    ])
  })

  test('instants are grouped by the day in the time zone of the caller', async () => {
    const berlin = envOf({ tz: 'Europe/Berlin' })
    expect((await days('at:day')).slice(0, 2)).toEqual([
      ['2026-01-31', { from: '2026-01-31T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' }, 1],
      ['2026-02-01', { from: '2026-02-01T00:00:00.000Z', to: '2026-02-02T00:00:00.000Z' }, 1],
    ])
    expect((await days('at:day', {}, berlin)).slice(0, 2)).toEqual([
      ['2026-02-01', { from: '2026-01-31T23:00:00.000Z', to: '2026-02-01T23:00:00.000Z' }, 2],
      ['2026-10-25', { from: '2026-10-24T22:00:00.000Z', to: '2026-10-25T23:00:00.000Z' }, 2],
    ])
    expect((await days('at:year', {}, berlin))[0]).toEqual([
      ...['2026-01-01', { from: '2025-12-31T23:00:00.000Z', to: '2026-12-31T23:00:00.000Z' }],
      4,
    ])
  })

  test('an hour that occurs twice is one group whose range covers both', async () => {
    const berlin = envOf({ tz: 'Europe/Berlin' })
    const hours = await group({ groupby: ['at:hour'], domain: [['at', '>', '2026-10-01']] }, {}, berlin)
    expect(hours).toEqual([
      {
        'at:hour': '2026-10-25T00:00:00.000Z',
        __count: 2,
        __domain: [
          ['at', '>=', '2026-10-25T00:00:00.000Z'],
          ['at', '<', '2026-10-25T02:00:00.000Z'],
        ],
        __range: { 'at:hour': { from: '2026-10-25T00:00:00.000Z', to: '2026-10-25T02:00:00.000Z' } },
      },
    ])
  })

  test('a clock set back across midnight leaves two stretches of one day', async () => {
    const newfoundland = envOf({ tz: 'America/St_Johns' })
    const moments = ['02:15', '02:30', '02:31', '03:29', '03:30'].map((time) => `2006-10-29T${time}:00.000Z`)
    await store({ 'shop.order': moments.map((at, i) => ({ id: 100 + i, name: 'back', at, active: false })) })
    const domain = [['name', '=', 'back']]
    const rows = await group({ groupby: ['at:day'], domain }, { archived: 'only' }, newfoundland)
    expect(rows).toMatchObject([
      {
        'at:day': '2006-10-28',
        __count: 3,
        __domain: [
          ...['|', '&', ['at', '>=', '2006-10-28T02:30:00.000Z'], ['at', '<', '2006-10-29T02:30:00.000Z']],
          ...['&', ['at', '>=', '2006-10-29T02:31:00.000Z'], ['at', '<', '2006-10-29T03:30:00.000Z']],
        ],
        __range: { 'at:day': { from: '2006-10-28T02:30:00.000Z', to: '2006-10-29T03:30:00.000Z' } },
      },
      { 'at:day': '2006-10-29', __count: 2 },
    ])
  })

  test('the ends of the calendar have groups with one bound', async () => {
    await store({
      'shop.order': [
        { id: 110, name: 'end', day: '0001-01-01', at: '0001-01-01T00:00:00.000Z', active: false },
        { id: 111, name: 'end', day: '9999-12-31', at: '9999-12-31T23:59:59.999Z', active: false },
      ],
    })
    const denver = envOf({ tz: 'America/Denver' })
    const domains = async (item: string) => {
      const spec = { groupby: [item], domain: [['name', '=', 'end']] }
      return (await group(spec, { archived: 'only', weekStart: 7 }, denver)).map((row) => row['__domain'])
    }
    expect(await domains('day:week')).toEqual([[['day', '<', '0001-01-07']], [['day', '>=', '9999-12-26']]])
    expect(await domains('at:year')).toEqual([
      [['at', '<', '0001-01-01T06:59:56.000Z']],
      [['at', '>=', '9999-01-01T07:00:00.000Z']],
    ])
  })

  test('the same date may be grouped by in two granularities', async () => {
    const rows = await group({ groupby: ['day:year', 'day:month'] })
    expect(rows.map((row) => [row['day:year'], row['day:month']])).toEqual([
      ['2025-01-01', '2025-12-01'],
      ['2026-01-01', '2026-01-01'],
      ['2026-01-01', '2026-02-01'],
      [null, null],
    ])
    expect(rows[0]!['__range']).toEqual({
      'day:year': { from: '2025-01-01', to: '2026-01-01' },
      'day:month': { from: '2025-12-01', to: '2026-01-01' },
    })
  })

  test('a date behind a path has its range too', async () => {
    expect(await days('partner_id.since:year')).toEqual([
      ['2020-01-01', { from: '2020-01-01', to: '2021-01-01' }, 2],
      [null, undefined, 3],
    ])
  })
})
