import { afterEach, describe, expect, test } from 'vitest'
import { dayOf, setLocale } from '../../addons/web/client/core/format.ts'
import type { Rpc } from '../../addons/web/client/net/rpc.ts'
import { parseRoute } from '../../addons/web/client/router/codec.ts'
import { describeDue, describeWaiting, loadActivities } from '../../addons/web/client/shell/home/activities.ts'
import { hrefOf } from '../../addons/web/client/shell/home/figure-card.tsx'
import { type DayValue, firstDay, monthBefore, summarise } from '../../addons/web/client/shell/home/figures.ts'
import { loadFigure } from '../../addons/web/client/shell/home/load-figure.ts'
import { figureChange, sparkline } from '../../addons/web/client/views/shared/tile/sparkline.ts'
import type { WireActivities, WireFigure } from '../../kernel/view/wire.ts'

afterEach(() => setLocale('en', 'UTC'))

const on = (day: string, value: number, currency: string | null = null): DayValue => ({ day, value, currency })

const SOLD: WireFigure = {
  module: 'shop',
  label: 'Sold',
  model: 'shop.sale',
  domain: [['state', '=', 'sold']],
  measure: { name: 'amount', type: 'monetary', label: 'Amount', currencyField: 'currency_id' },
  date: 'sold_on',
  href: '/web?action=1',
}

describe('a figure', () => {
  test('is the month so far against the same days of the month before', () => {
    const values = [on('2026-10-01', 5), on('2026-10-14', 7), on('2026-10-15', 100), on('2026-10-31', 100)]
    const now = [on('2026-11-01', 10), on('2026-11-14', 20)]
    expect(summarise([...values, ...now], '2026-11-14')).toMatchObject({ current: 30, previous: 12 })
  })

  test('compares a long month with all of a short one', () => {
    expect(['2026-03-31', '2026-03-29', '2024-03-30', '2026-01-31', '2026-11-14'].map(monthBefore)).toEqual([
      '2026-02-28',
      '2026-02-28',
      '2024-02-29',
      '2025-12-31',
      '2026-10-14',
    ])
    const values = [on('2026-02-28', 4), on('2026-03-01', 1), on('2026-03-31', 2)]
    expect(summarise(values, '2026-03-31')).toMatchObject({ current: 3, previous: 4 })
  })

  test('has twelve weeks, the last one up to today, whatever day that is', () => {
    const { weeks } = summarise([on('2026-11-14', 3), on('2026-11-08', 2), on('2026-11-07', 1)], '2026-11-14')
    expect(weeks).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 5])
    expect(summarise([on(firstDay('2026-11-14'), 9)], '2026-11-14').weeks[0]).toBe(9)
  })

  test('asks for the weeks and for the whole month before', () => {
    expect(firstDay('2026-11-14')).toBe('2026-08-23')
    expect(firstDay('2026-03-31') <= '2026-02-01').toBe(true)
  })

  test('is an amount for each of several currencies, the largest first, and opens a list with the same sums', () => {
    const values = [
      on('2026-10-31', 90, 'CHF'),
      on('2026-11-01', 10, 'EUR'),
      on('2026-11-02', 20, 'USD'),
      on('2026-11-03', 5, 'EUR'),
    ]
    expect(summarise(values, '2026-11-14')).toMatchObject({
      isMixed: true,
      amounts: [
        { currency: 'USD', current: 20 },
        { currency: 'EUR', current: 15 },
      ],
    })
    expect(parseRoute(hrefOf(SOLD, '2026-11-14', true)).state['group']).toBe('currency_id')
    expect(parseRoute(hrefOf(SOLD, '2026-11-14', false)).state).toMatchObject({ group: 'none', measure: 'amount' })
  })

  test('in one currency has that one, and without values none', () => {
    const values = [on('2026-11-01', 10, 'EUR')]
    expect(summarise(values, '2026-11-14')).toMatchObject({ isMixed: false, currency: 'EUR' })
    expect(summarise([], '2026-11-14')).toMatchObject({ isMixed: false, currency: null, current: 0 })
  })

  test('changes by a share of what was, and by nothing where nothing was', () => {
    expect(figureChange(112.6, 100)).toMatchObject({ direction: 'up', fraction: expect.closeTo(0.126) })
    expect(figureChange(0, 80)).toEqual({ direction: 'down', fraction: 1 })
    expect(figureChange(100.01, 100)).toEqual({ direction: 'same', fraction: 0 })
    expect(figureChange(-50, -100)).toMatchObject({ direction: 'up', fraction: 0.5 })
    expect(figureChange(5, 0)).toBeNull()
  })

  test('is drawn from edge to edge, the highest on top; nothing at all is a line at the bottom', () => {
    expect(sparkline([0, 10, 5])).toBe('M0.0 29.0L60.0 3.0L120.0 16.0')
    expect(sparkline([0, 0])).toBe('M0.0 29.0L120.0 29.0')
  })

  test('is asked for by day and currency, in one call', async () => {
    const calls: unknown[] = []
    const rows = [{ 'sold_on:day': '2026-11-03', currency_id: [1, 'EUR'], sum: 40, __count: 2 }]
    expect(await loadFigure(answering(rows, calls), SOLD, '2026-11-14')).toMatchObject({
      current: 40,
      currency: 'EUR',
    })
    expect(await loadFigure(answering(rows), { ...SOLD, measure: null }, '2026-11-14')).toMatchObject({ current: 2 })
    expect(calls).toEqual([
      {
        domain: [
          ['state', '=', 'sold'],
          ['sold_on', '>=', '2026-08-23'],
          ['sold_on', '<=', '2026-11-14'],
        ],
        groupby: ['sold_on:day', 'currency_id'],
        fields: [{ name: 'sum', field: 'amount', measure: 'sum' }],
      },
    ])
  })

  test('begins its month on the clock of the user', () => {
    const midnight = '2026-10-31T23:30:00.000Z'
    setLocale('de', 'Europe/Berlin')
    expect(dayOf(midnight)).toBe('2026-11-01')
    setLocale('en', 'America/New_York')
    expect(dayOf(midnight)).toBe('2026-10-31')
  })
})

/** A service that gives these rows to every question. */
const answering = (rows: readonly unknown[], calls: unknown[] = []): Rpc =>
  ({
    call: async (_model: string, _method: string, [spec]: readonly unknown[]) => {
      calls.push(spec)
      return rows
    },
  }) as unknown as Rpc

describe('an activity', () => {
  const today = '2026-11-13'

  test('says how late it is, that it is for today, the day of the week, or the date', () => {
    const said = ['2026-11-11', '2026-11-12', '2026-11-13', '2026-11-16', '2026-11-30', '2027-02-01'].map((due) =>
      describeDue(due, today),
    )
    expect(said.map(({ text }) => text)).toEqual(['2 days late', '1 day late', 'Today', 'Mon', 'Nov 30', 'Feb 1, 2027'])
    expect(said.map(({ urgency }) => urgency)).toEqual(['late', 'late', 'today', '', '', ''])
  })

  test('of a moment says its hour, on the clock of the user', () => {
    setLocale('en-GB', 'Europe/Berlin')
    expect(describeDue('2026-11-16T09:00:00.000Z', today).text).toBe('Mon 10:00')
    expect(describeDue('2026-11-12T23:30:00.000Z', today)).toEqual({ text: 'Today 00:30', urgency: 'today' })
  })

  test('is counted in a sentence', () => {
    const say = (due: number, late: number) => describeWaiting({ due, late })
    expect([say(0, 0), say(1, 0), say(3, 0), say(1, 1), say(2, 2), say(9, 2)]).toEqual([
      'Nothing is due today.',
      '1 activity is due today.',
      '3 activities are due today.',
      '1 activity is late.',
      '2 activities are late.',
      '9 activities are due, 2 of them late.',
    ])
  })

  test('of every app is in one list, the oldest first', async () => {
    const source = (model: string, date: string): WireActivities => ({
      model,
      domain: [],
      title: 'name',
      about: 'about_id',
      date,
      icon: { field: 'kind', icons: { call: 'phone' } },
      href: '/web?action=7&menu_id=8',
    })
    const rows: Readonly<Record<string, readonly unknown[]>> = {
      'a.call': [{ id: 1, name: 'Call', kind: 'call', about_id: [4, 'Ann'], day: today }],
      'a.call by day': [{ 'day:day': today, __count: 1 }],
      'b.task': [
        { id: 2, name: 'Late', kind: 'x', about_id: null, at: '2026-11-12T08:00:00.000Z' },
        { id: 3, name: 'Soon', kind: 'x', about_id: null, at: '2026-11-13T08:00:00.000Z' },
      ],
      'b.task by day': [
        { 'at:day': '2026-11-12', __count: 1 },
        { 'at:day': today, __count: 1 },
        { 'at:day': '2026-11-20', __count: 5 },
      ],
    }
    const rpc = {
      call: async (model: string, method: string) => rows[method === 'read_group' ? `${model} by day` : model],
    } as unknown as Rpc
    const list = await loadActivities(rpc, [source('a.call', 'day'), source('b.task', 'at')], today)
    expect(list.shown.map(({ title, icon }) => [title, icon])).toEqual([
      ['Late', 'circle'],
      ['Call', 'phone'],
      ['Soon', 'circle'],
    ])
    expect(list).toMatchObject({ total: 8, due: 3, late: 1 })
    expect(list.shown[1]).toMatchObject({ about: 'Ann', href: '/web?action=7&menu_id=8&view_type=form&id=1' })
  })
})
