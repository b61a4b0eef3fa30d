import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { timeZoneLabel, timeZones } from '../../kernel/domain/time-zones.ts'
import {
  addDays,
  addMonths,
  createZone,
  dayBounds,
  isTimeZone,
  localDay,
  wallTime,
  wallToInstant,
  weekStart,
} from '../../kernel/domain/zone.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { ZONES } from './domain-values.ts'

const iso = (instant: number) => new Date(instant).toISOString()
const HOUR = 3_600_000

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

test('only names both engines read the same way are time zones', () => {
  for (const name of [
    'UTC',
    'Europe/Berlin',
    'America/Argentina/Buenos_Aires',
    'Etc/GMT+5',
    'America/Port-au-Prince',
  ]) {
    expect(isTimeZone(name)).toBe(true)
  }
  for (const name of ['', '+02:00', 'GMT+2', 'Europe/Atlantis', 'UTC; select', ' UTC', 'x'.repeat(1_000), null, 7]) {
    expect(isTimeZone(name)).toBe(false)
  }
})

test('clocks show the same as PostgreSQL’s, every 61 hours from 1970 to 2024', async () => {
  const instants = Array.from({ length: 7_800 }, (_, step) => step * 61 * HOUR)
  for (const name of ZONES) {
    const zone = createZone(name)
    const walls = instants.map((instant) => iso(wallTime(zone, instant)).slice(0, -1))
    const { rows } = await sql<{ instant: string }>`
      select instant from unnest(${instants.map(iso)}::timestamptz[], ${walls}::timestamp[]) as clock(instant, wall)
      where instant at time zone ${name}::text <> wall`.execute(database.db)
    expect({ name, rows }).toEqual({ name, rows: [] })
  }
})

test('a wall time and its instant are each other’s inverse', () => {
  for (const name of ZONES) {
    const zone = createZone(name)
    for (let instant = Date.parse('2009-12-30'); instant < Date.parse('2025-01-01'); instant += 97.25 * HOUR) {
      const wall = wallTime(zone, instant)
      expect([wallToInstant(zone, wall, 'first'), wallToInstant(zone, wall, 'last')]).toContain(instant)
    }
  }
})

describe('a day', () => {
  const hoursOf = (zone: string, day: string) => {
    const { from, to } = dayBounds(createZone(zone), day)
    return [iso(from), (to - from) / HOUR]
  }

  test('is 23 or 25 hours long when the clock changes, in steps of half an hour too', () => {
    expect(hoursOf('Europe/Berlin', '2024-03-31')).toEqual(['2024-03-30T23:00:00.000Z', 23])
    expect(hoursOf('America/New_York', '2024-11-03')).toEqual(['2024-11-03T04:00:00.000Z', 25])
    expect(hoursOf('Australia/Lord_Howe', '2024-10-06')).toEqual(['2024-10-05T13:30:00.000Z', 23.5])
  })

  test('begins when the clock jumps over midnight, and only once when midnight repeats', () => {
    expect(hoursOf('America/Sao_Paulo', '2018-11-04')).toEqual(['2018-11-04T03:00:00.000Z', 23])
    expect(hoursOf('America/Sao_Paulo', '2018-02-17')).toEqual(['2018-02-17T02:00:00.000Z', 25])
    expect(hoursOf('America/St_Johns', '2010-11-07')).toEqual(['2010-11-07T02:30:00.000Z', 25])
  })

  test('that a zone skipped is empty', () => {
    expect(hoursOf('Pacific/Apia', '2011-12-30')).toEqual(['2011-12-30T10:00:00.000Z', 0])
  })

  test('days follow each other without gap or overlap', () => {
    for (const name of ZONES) {
      const zone = createZone(name)
      let day = '2010-01-01'
      for (let count = 0; count < 1_000; count++, day = addDays(day, 1)) {
        const next = addDays(day, 1)
        expect(dayBounds(zone, day).to).toBe(dayBounds(zone, next).from)
      }
    }
  })
})

test('an hour that repeats has a first and a last instant, one that is skipped only the jump', () => {
  const berlin = createZone('Europe/Berlin')
  const repeated = Date.parse('2024-10-27T02:30:00Z')
  expect(iso(wallToInstant(berlin, repeated))).toBe('2024-10-27T00:30:00.000Z')
  expect(iso(wallToInstant(berlin, repeated, 'last'))).toBe('2024-10-27T01:30:00.000Z')
  expect(iso(wallToInstant(berlin, Date.parse('2024-03-31T02:30:00Z')))).toBe('2024-03-31T01:00:00.000Z')
})

test('days and weeks are counted on the calendar', () => {
  expect(localDay(createZone('Asia/Kathmandu'), Date.parse('2024-05-04T18:15:00Z'))).toBe('2024-05-05')
  expect(addMonths('2024-01-31', 1)).toBe('2024-02-29')
  expect(addMonths('2024-01-15', -25)).toBe('2021-12-15')
  expect(weekStart('2024-05-05')).toBe('2024-04-29')
  expect(weekStart('2024-05-05', 7)).toBe('2024-05-05')
  expect(weekStart('2024-05-06')).toBe('2024-05-06')
})

test('every time zone is labelled with its current offset', () => {
  const winter = new Date('2026-01-15T12:00:00Z')
  const label = (zone: string, at = winter) => timeZoneLabel(zone, at)
  expect(label('Europe/Berlin')).toBe('Europe/Berlin (UTC+1)')
  expect(label('Europe/Berlin', new Date('2026-07-15T12:00:00Z'))).toBe('Europe/Berlin (UTC+2)')
  expect(label('Europe/London')).toBe('Europe/London (UTC+0)')
  expect(label('America/New_York')).toBe('America/New York (UTC-5)')
  expect(label('Asia/Kolkata')).toMatch(/UTC\+5:30/)
  expect(label('UTC')).toBe('UTC')
  for (const zone of timeZones().slice(1)) expect(label(zone)).toMatch(/ \(UTC[+-]\d{1,2}(:\d\d)?\)$/)
})
