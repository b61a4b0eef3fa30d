import { expect, test } from 'vitest'
import type { GroupedRow } from '../../addons/web/client/store/queries.ts'
import { chartData } from '../../addons/web/client/views/graph/chart-data.ts'
import type { MeasureChoice } from '../../addons/web/client/views/shared/analysis/measures.ts'

const COUNT: MeasureChoice = { key: '__count', label: 'Count', field: null, aggregate: 'sum', isSum: true }
const ITEMS = ['state', 'partner_id']

const row = (set: number, state: string | null, partner: number | null, count: number): GroupedRow => ({
  __set: set,
  __count: count,
  __domain: [['count', '=', count]],
  state,
  partner_id: partner === null ? null : [partner, `Customer ${partner}`],
})

/** Every partner has as many orders of each state as its id says. */
function rowsOf(states: number, partners: number): readonly GroupedRow[] {
  const names = Array.from({ length: states }, (_, at) => `state ${at}`)
  const ids = Array.from({ length: partners }, (_, at) => at + 1)
  return [
    row(0, null, null, 1),
    ...names.map((name) => row(1, name, null, 7)),
    ...ids.map((id) => row(2, null, id, id * states)),
    ...names.flatMap((name) => ids.map((id) => row(3, name, id, id))),
  ]
}

test('a chart draws all its series while their figures can be told apart, in the order of the service', () => {
  const data = chartData(rowsOf(100, 100), ITEMS, COUNT, [], 'none')
  expect(data.series.map(({ value }) => value)).toEqual(Array.from({ length: 100 }, (_, at) => (at + 1) * 100))
  expect(data.series[4]?.figures[2]?.value).toBe(5)
  expect(data.isCut).toBe(false)
})

test('of more series than can be drawn a chart has the largest, and the totals of all', () => {
  const data = chartData(rowsOf(500, 300), ITEMS, COUNT, [], 'none')
  expect(data.series.map(({ value }) => value)).toEqual(Array.from({ length: 20 }, (_, at) => (300 - at) * 500))
  expect(data.series.every(({ figures }) => figures.length === 500)).toBe(true)
  expect(data.groups.map(({ value }) => value)).toEqual(Array.from({ length: 500 }, () => 7))
  expect(data.isCut).toBe(true)
})

test('groups of one level are never left out', () => {
  const data = chartData(
    rowsOf(12_000, 0).filter(({ __set }) => (__set ?? 0) < 2),
    ['state'],
    COUNT,
    [],
    'none',
  )
  expect([data.groups.length, data.series[0]?.figures.length, data.isCut]).toEqual([12_000, 12_000, false])
})
