import { afterEach, describe, expect, test } from 'vitest'
import { setLocale } from '../../addons/web/client/core/format.ts'
import { fitRow, layOutDay, layOutRow } from '../../addons/web/client/views/calendar/model/lanes.ts'
import { addUnits, startOf, weekNumber } from '../../addons/web/client/views/plan/periods.ts'
import type { Placed } from '../../addons/web/client/views/plan/placed.ts'
import { readSpan, type SpanFields, shiftSpan, writeSpan } from '../../addons/web/client/views/plan/span.ts'
import { DAY, HOUR } from '../../addons/web/client/views/plan/wall.ts'
import { dayToWall } from '../../kernel/domain/zone.ts'
import type { WireField } from '../../kernel/view/wire.ts'

const field = (name: string, type: string): WireField => ({ name, type, label: name })
const TIMED: SpanFields = { start: field('a', 'datetime'), stop: field('b', 'datetime'), allDay: null }
const DAYS: SpanFields = { start: field('a', 'date'), stop: field('b', 'date'), allDay: null }
const wall = (text: string) => Date.parse(`${text}:00Z`)

afterEach(() => setLocale('en', 'UTC'))

describe('a span', () => {
  test('is read in the time zone of the user and written back as it was', () => {
    setLocale('de', 'Europe/Berlin')
    const values = { a: '2031-03-27T08:00:00.000Z', b: '2031-03-27T10:00:00.000Z' }
    const span = readSpan(values, TIMED)!
    expect(span).toEqual({ start: wall('2031-03-27T09:00'), end: wall('2031-03-27T11:00'), isAllDay: false })
    expect(writeSpan(span, TIMED, values)).toEqual(values)
    // Four days later it is summer time; the clock shows the same.
    expect(writeSpan(shiftSpan(span, 4 * DAY), TIMED, values)).toEqual({
      a: '2031-03-31T07:00:00.000Z',
      b: '2031-03-31T09:00:00.000Z',
    })
  })

  test('of days has its last day in it', () => {
    const values = { a: '2031-03-01', b: '2031-03-02' }
    const span = readSpan(values, DAYS)!
    expect(span.end - span.start).toBe(2 * DAY)
    expect(writeSpan(shiftSpan(span, DAY), DAYS, values)).toEqual({ a: '2031-03-02', b: '2031-03-03' })
  })

  test('without an end gets none by being moved, and one by being resized', () => {
    const span = readSpan({ a: '2031-03-01', b: null }, DAYS)!
    expect(writeSpan(span, DAYS, { b: null })).toEqual({ a: '2031-03-01' })
    expect(writeSpan(span, DAYS, { b: null }, true)).toEqual({ a: '2031-03-01', b: '2031-03-01' })
    expect(readSpan({ a: null }, DAYS)).toBeNull()
  })

  test('may take whole days though its fields have times', () => {
    const fields = { ...TIMED, allDay: field('c', 'boolean') }
    const values = { a: '2031-03-01T09:00:00Z', b: '2031-03-02T10:00:00Z', c: true }
    expect(readSpan(values, fields)).toEqual({
      start: dayToWall('2031-03-01'),
      end: dayToWall('2031-03-03'),
      isAllDay: true,
    })
  })
})

test('weeks begin on Monday unless the region says otherwise; months, quarters and ISO weeks are right', () => {
  expect(startOf('week', dayToWall('2026-11-18'))).toBe(dayToWall('2026-11-16'))
  expect(startOf('quarter', dayToWall('2026-11-18'))).toBe(dayToWall('2026-10-01'))
  expect(addUnits('month', dayToWall('2026-01-31'), 1)).toBe(dayToWall('2026-02-28'))
  expect([weekNumber(dayToWall('2027-01-01')), weekNumber(dayToWall('2026-01-01'))]).toEqual([53, 1])
})

test('a week that begins on Sunday has the number that most of its days have', () => {
  setLocale('en', 'UTC', ['en-US'])
  // Browsers have it, Node does not.
  Object.defineProperty(Intl.Locale.prototype, 'getWeekInfo', { configurable: true, value: () => ({ firstDay: 7 }) })
  const days = ['2026-11-14', '2026-11-15', '2026-11-21', '2026-11-22']
  expect(days.map((day) => weekNumber(dayToWall(day)))).toEqual([46, 47, 47, 48])
  Reflect.deleteProperty(Intl.Locale.prototype, 'getWeekInfo')
})

describe('a row of days', () => {
  const monday = dayToWall('2026-11-16')
  const bar = (id: number, first: number, days: number): Placed => ({
    id,
    span: { start: monday + first * DAY, end: monday + (first + days) * DAY, isAllDay: true },
  })

  test('gives each record the first lane that is free on all its days', () => {
    const row = layOutRow([bar(1, -2, 4), bar(2, 1, 1), bar(3, 3, 9), bar(4, 20, 1)], monday, 7)
    expect(row.map(({ id, first, days, lane }) => [id, first, days, lane])).toEqual([
      [1, 0, 2, 0],
      [2, 1, 1, 1],
      [3, 3, 4, 0],
    ])
    expect(row[0]).toMatchObject({ isContinued: true, isContinuing: false })
    expect(row[2]).toMatchObject({ isContinued: false, isContinuing: true })
  })

  test('says on each day how many did not fit', () => {
    const row = layOutRow([bar(1, 0, 3), bar(2, 0, 1), bar(3, 0, 1), bar(4, 0, 1)], monday, 7)
    const { shown, hidden } = fitRow(row, 7, 2)
    expect(shown.map(({ id }) => id)).toEqual([1])
    expect(hidden).toEqual([3, 0, 0, 0, 0, 0, 0])
    expect(fitRow(row, 7, 4).hidden).toEqual([0, 0, 0, 0, 0, 0, 0])
  })
})

test('records at the same time share the width of the day, others do not', () => {
  const day = dayToWall('2026-11-16')
  const at = (id: number, from: number, hours: number): Placed => ({
    id,
    span: { start: day + from * HOUR, end: day + (from + hours) * HOUR, isAllDay: false },
  })
  const found = layOutDay([at(1, 9, 2), at(2, 10, 1), at(3, 11, 1), at(4, 14, 1), at(5, 23, 4)], day)
  expect(found.map(({ id, column, columns }) => [id, column, columns])).toEqual([
    [1, 0, 2],
    [2, 1, 2],
    [3, 0, 1],
    [4, 0, 1],
    [5, 0, 1],
  ])
  expect(found.at(-1)!.to).toBe(day + DAY)
})
