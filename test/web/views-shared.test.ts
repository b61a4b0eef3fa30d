import { describe, expect, test } from 'vitest'
import { parseRoute } from '../../addons/web/client/router/codec.ts'
import { searchOf } from '../../addons/web/client/search/query/search-model.ts'
import { loadStops } from '../../addons/web/client/views/cohort/load-stops.ts'
import { figureText } from '../../addons/web/client/views/pivot/figure-text.ts'
import { NO_CURRENCY } from '../../addons/web/client/views/shared/analysis/currency.ts'
import { toCsv } from '../../addons/web/client/views/shared/analysis/download.ts'
import { recordsHref } from '../../addons/web/client/views/shared/analysis/drill-down.ts'
import { COUNT, findMeasure, formatMeasure } from '../../addons/web/client/views/shared/analysis/measures.ts'
import { chooseCurrency } from '../../addons/web/client/views/shared/currency-choice.tsx'
import { choiceOf } from '../../addons/web/client/views/shared/fragment.ts'
import { addDays } from '../../kernel/domain/zone.ts'
import type { WireWorkspace } from '../../kernel/view/wire.ts'

const workspace = {
  model: 'sale.order',
  domain: [['active', '=', true]],
  searchDomain: [],
  arch: { fields: [] },
  search: { fields: [], filters: [], panel: [], defaultFilters: [], defaultValues: {}, grouped: [] },
} as unknown as WireWorkspace

const COUNTED = findMeasure([], COUNT)!
const UNTAXED = findMeasure(
  [{ name: 'amount_untaxed', type: 'monetary', label: 'Untaxed Amount', aggregatable: true }],
  'amount_untaxed:avg',
)!

describe('the list behind a figure', () => {
  test('keeps the search, has the domain as one more filter and names the measure; what only the view knows stays behind', () => {
    const route = parseRoute(
      '/web?action=7&view_type=graph&filter=mine#group=user_id&chart=pie&where=[["Big",[["a",">",1]]]]',
    )
    const list = parseRoute(recordsHref(workspace, route, 'May', [['b', '=', 2]], NO_CURRENCY, UNTAXED))
    expect(list.params).toEqual({ action: 7, view_type: 'list', filter: ['mine'] })
    expect(Object.keys(list.state)).toEqual(['where', 'measure'])
    expect(list.state['measure']).toBe('amount_untaxed:avg')
    expect(searchOf(workspace, list).domain).toEqual([
      ['active', '=', true],
      ['a', '>', 1],
      ['b', '=', 2],
    ])
  })

  test('adds no filter for the whole', () => {
    const route = parseRoute('/web?model=sale.order&view_type=graph')
    expect(recordsHref(workspace, route, 'Total', [], NO_CURRENCY, COUNTED)).toBe(
      '/web?model=sale.order&view_type=list',
    )
  })

  test('has only the currency of the figure where there are several', () => {
    const groups = [
      { currency_id: [1, 'EUR'], __count: 2, __domain: [['currency_id', '=', 1]] },
      { currency_id: [2, 'USD'], __count: 5, __domain: [['currency_id', '=', 2]] },
      { currency_id: null, __count: 1, __domain: [['currency_id', '=', null]] },
    ]
    const route = parseRoute('/web?model=sale.order&view_type=graph')
    const most = chooseCurrency(groups, 'currency_id', undefined)
    expect(most).toMatchObject({ code: 'USD', codes: ['USD', 'EUR', ''] })
    const list = parseRoute(recordsHref(workspace, route, 'May', [['b', '=', 2]], most, COUNTED))
    expect(JSON.parse(list.state['where']!)).toEqual([
      ['May', [['b', '=', 2]]],
      ['USD', [['currency_id', '=', 2]]],
    ])
    expect(chooseCurrency(groups, 'currency_id', 'EUR').code).toBe('EUR')
    const none = chooseCurrency(groups, 'currency_id', '')
    expect([none.code, none.where[0]!.label]).toEqual([null, 'No currency'])
    expect(chooseCurrency(groups, 'currency_id', 'CHF').code).toBe('USD')
  })
})

test('a choice in the fragment that does not exist is the default', () => {
  const route = parseRoute('/web#chart=radar&order=desc')
  expect(choiceOf(route, 'chart', ['bar', 'pie'], 'bar')).toBe('bar')
  expect(choiceOf(route, 'order', ['asc', 'desc'], 'asc')).toBe('desc')
})

test('CSV quotes what it has to and runs no formula', () => {
  expect(
    toCsv([
      ['a,b', 'say "hi"', -1.5, null],
      ['=1+1', '-', 'plain'],
    ]),
  ).toBe('"a,b","say ""hi""",-1.5,\r\n\'=1+1,\'-,plain\r\n')
})

test('the stops of many cohorts are asked for some cohorts at a time, with all columns of each', async () => {
  const days = Array.from({ length: 70 }, (_, index) => addDays('2026-01-01', index))
  const starts = days.map((day) => ({ 'begun:day': day, __count: 1, __domain: [] }))
  const asked: (readonly unknown[])[] = []
  const found = await loadStops(
    starts,
    { start: 'begun', stop: 'ended', interval: 'day', mode: 'churn', timeline: 'forward' },
    ['begun:day', 'ended:day'],
    async (more) => {
      asked.push(more)
      return [{ 'begun:day': 'x', __count: asked.length, __domain: [] }]
    },
  )
  expect(found.map(({ __count }) => __count)).toEqual([1, 2])
  const spanOf = (from: string, to: string, end: string) => [
    ['begun', '>=', from],
    ['begun', '<', to],
    ['ended', '!=', null],
    ['ended', '<', end],
  ]
  expect(asked).toEqual([
    spanOf('2026-01-01', '2026-03-02', '2026-03-17'),
    spanOf('2026-03-02', '2026-03-12', '2026-03-27'),
  ])
})

test('a quantity reads the same in a pivot table, a chart and a form: without zeros that say nothing', () => {
  const quantity = { name: 'quantity', type: 'float', label: 'Quantity', digits: [16, 3], aggregatable: true } as const
  const hours = { name: 'hours', type: 'float', label: 'Hours', digits: [6, 2], aggregatable: true } as const
  const [amount, spent] = [findMeasure([quantity], 'quantity')!, findMeasure([hours], 'hours')!]
  expect([16, 16.5, 1234.125].map((value) => figureText(value, amount, null))).toEqual(['16', '16.5', '1,234.125'])
  expect([16, 16.5, 1234.125].map((value) => formatMeasure(value, amount, null))).toEqual(['16', '16.5', '1,234.125'])
  expect([figureText(7.5, spent, null), formatMeasure(7.5, spent, null)]).toEqual(['7.50', '7.50'])
})
