import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import { type GroupResult, readGroup } from '../../kernel/orm/group/group.ts'
import { search, searchIds } from '../../kernel/orm/record/search.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { accessTables, recordRule, shopEnv, shopRegistry } from '../support/shop.ts'
import { repeats } from '../support/soak.ts'
import { storeRows } from './domain-engines.ts'

const RUNS = repeats(60, 3_000)
const orders = shopRegistry.model('shop.order')!

/** Moments at which a clock jumps, also across a day and not on a full hour; and the ends of the calendar. */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  UTC: ['2026-01-01T00:00:00Z', '2024-02-29T12:00:00Z'],
  'Europe/Berlin': ['2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z'],
  'America/St_Johns': ['2006-10-29T02:31:00Z', '2006-04-02T03:31:00Z'],
  'America/Sao_Paulo': ['2018-02-18T02:00:00Z', '2018-11-04T03:00:00Z'],
  'Australia/Lord_Howe': ['2026-04-04T15:00:00Z', '2026-10-03T15:30:00Z'],
  'Pacific/Apia': ['2011-12-30T10:00:00Z'],
  'America/Los_Angeles': ['0001-01-01T00:00:00Z', '2026-11-01T09:00:00Z'],
  'Pacific/Kiritimati': ['9999-12-31T23:59:59Z', '1994-12-31T10:00:00Z'],
}
const ZONES = Object.keys(CHANGES)
const MINUTE = 60_000

const inCalendar = (time: number) =>
  new Date(Math.min(Math.max(time, Date.parse('0001-01-01T00:00:00Z')), Date.parse('9999-12-31T23:59:59.999Z')))

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 6 })

const instant = fc
  .tuple(fc.constantFrom(...Object.values(CHANGES).flat()), fc.integer({ min: -1_600, max: 1_600 }))
  .map(([change, minutes]) => inCalendar(Date.parse(change) + minutes * MINUTE).toISOString())

const subset = fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 })

const order = fc.record({
  name: maybe(fc.constantFrom('a', 'B', 'ä', ' ', '%', "'", '\\')),
  state: maybe(fc.constantFrom('draft', 'sent', 'done')),
  partner_id: maybe(fc.integer({ min: 1, max: 6 })),
  tag_ids: subset,
  day: maybe(instant.map((text) => text.slice(0, 10))),
  at: maybe(instant),
  amount: maybe(fc.constantFrom(0, 0.1, -2.5, 1_234_567.8901)),
  weight: maybe(fc.constantFrom(0.000001, 99.5)),
  quantity: maybe(fc.integer({ min: -2, max: 2 })),
  paid: fc.boolean(),
  company: fc.integer({ min: 1, max: 2 }),
  active: fc.constantFrom(true, true, false),
})

const partner = fc.record({
  name: maybe(fc.constantFrom('Zoe', 'Abe')),
  level: maybe(fc.integer({ min: 0, max: 2 })),
  country_id: maybe(fc.integer({ min: 1, max: 2 })),
  tag_ids: subset,
  vip: fc.boolean(),
  since: maybe(instant.map((text) => text.slice(0, 10))),
  company: fc.integer({ min: 1, max: 2 }),
})

const numbered = <T>(rows: readonly T[]) => rows.map((row, index) => ({ ...row, id: index + 1 }))
const sample = <T>(rows: fc.Arbitrary<T>, count: number) => numbered(fc.sample(rows, { numRuns: count, seed: 42 }))

const ROWS = {
  'shop.country': numbered([{ name: 'Norway' }, { name: 'Chile' }]),
  'shop.tag': numbered([{ name: 'blue' }, { name: 'red' }, { name: 'green' }, { name: null }]),
  'shop.partner': sample(partner, 6),
  'shop.order': sample(order, 150),
}

const GRANULARITIES = ['day', 'week', 'month', 'quarter', 'year']
const DATES = ['day', 'at', 'partner_id.since'].flatMap((date) => [
  date,
  ...GRANULARITIES.map((part) => `${date}:${part}`),
])
const ITEMS = [
  ...['name', 'state', 'partner_id', 'amount', 'weight', 'quantity', 'paid', 'active', 'company', 'tag_ids'],
  ...['partner_id.name', 'partner_id.country_id', 'partner_id.country_id.name', 'partner_id.tag_ids', 'partner_id.vip'],
  ...['partner_country_id', 'partner_vip', 'partner_level', 'partner_country_id.name'],
]
const DOMAINS: readonly (readonly unknown[])[] = [
  [],
  [['paid', '=', true]],
  ['|', ['state', '=', 'draft'], ['partner_id', '!=', null]],
  [['tag_ids', 'in', [1, 2]]],
  [['active', 'in', [true, false]]],
]
const RULES = [
  [],
  [recordRule({ model: 'shop.partner', domain: [['company', '=', 1]] })],
  [
    recordRule({ model: 'shop.order', domain: [['company', '=', 1]] }),
    recordRule({ model: 'shop.tag', domain: [['name', '!=', 'red']] }),
    recordRule({ model: 'shop.country', domain: [['name', '!=', 'Chile']] }),
  ],
]

const dateOrHour = fc.oneof({ weight: 1, arbitrary: fc.constantFrom(...DATES) }, fc.constant('at:hour'))

const question = fc.record({
  groupby: fc.uniqueArray(fc.oneof(fc.constantFrom(...ITEMS), dateOrHour), { maxLength: 3 }),
  tz: fc.constantFrom(...ZONES),
  weekStart: fc.integer({ min: 1, max: 7 }),
  domain: fc.constantFrom(...DOMAINS),
  rules: fc.constantFrom(...RULES),
})

let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
  await storeRows(database.db, { registry: shopRegistry, rows: ROWS })
})
afterAll(() => database.drop())

const domainOf = (row: GroupResult) => row['__domain'] as readonly unknown[]

const idsOf = (env: Env, domain: readonly unknown[]) => searchIds(env, orders, { domain, order: 'id' })

describe('the domain of a group', () => {
  test(
    'together with the domain asked gives exactly its records',
    async () => {
      await fc.assert(
        fc.asyncProperty(question, async ({ groupby, tz, weekStart, domain, rules }) => {
          const env = shopEnv(database.db, { tz, access: accessTables({ rules }) })
          const rows = await readGroup(env, orders, { domain, groupby, fields: [] }, { weekStart, limit: 10_000 })
          const groups: number[][] = []
          for (const row of rows) groups.push(await idsOf(env, [...domain, ...domainOf(row)]))
          expect(groups.map((ids) => ids.length)).toEqual(rows.map((row) => row['__count']))
          const found = groups.flat().sort((a, b) => a - b)
          const isPartition = !groupby.some((item) => item.endsWith('tag_ids'))
          expect(isPartition ? found : [...new Set(found)]).toEqual(await idsOf(env, domain))
        }),
        { numRuns: RUNS },
      )
    },
    RUNS * 1_000,
  )

  test('of dates lies within their range', async () => {
    for (const tz of ZONES) {
      const env = shopEnv(database.db, { tz })
      for (const item of ['at:hour', 'day:month']) {
        const rows = await readGroup(env, orders, { domain: [], groupby: [item], fields: [] })
        for (const row of rows.filter((each) => each['__range'])) {
          const { from, to } = Object(row['__range'])[item]
          const name = item.split(':')[0]!
          const { records } = await search(env, orders, { domain: domainOf(row), fields: [name] })
          for (const record of records)
            expect(String(record[name]) >= from && String(record[name]) < bound(to)).toBe(true)
        }
      }
    }
  })
})

/** A text after every date of the calendar where the range ends beyond it. */
const bound = (to: string) => (to.startsWith('+') ? '~' : to)
