import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import { type GroupQuery, type GroupQueryOptions, type GroupResult, readGroup } from '../../kernel/orm/group/group.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { shopEnv, shopRegistry } from '../support/shop.ts'
import { type Rows, storeRows } from './domain-engines.ts'

const orders = [
  { state: 'done', partner_id: 1, tag_ids: [1, 2], day: '2026-01-31', at: '2026-01-31T23:30:00.000Z', amount: 0.1 },
  { state: 'draft', partner_id: 1, tag_ids: [2], day: '2026-02-01', at: '2026-02-01T10:15:00.000Z', amount: 0.2 },
  { state: 'sent', partner_id: 2, day: '2026-02-28', at: '2026-10-25T00:30:00.000Z', amount: 7, company: 2 },
  { state: null, partner_id: 3, tag_ids: [3], day: null, at: '2026-10-25T01:30:00.000Z', amount: null },
  { state: 'draft', partner_id: null, day: '2025-12-29', at: null, amount: 1, name: null },
  { state: 'done', partner_id: 2, amount: 100, active: false },
]
const more = [
  { quantity: 3, paid: true, stage_id: 1, weight: 1.5, cost: 1 },
  { quantity: 5, stage_id: 3, cost: 2 },
  { weight: 2, cost: 3 },
  { quantity: 5, paid: true, cost: 4 },
  { quantity: 1, cost: 5 },
]

const ROWS: Rows = {
  'shop.country': [
    { id: 1, name: 'Norway', rank: 1 },
    { id: 2, name: 'Chile', rank: 2 },
  ],
  'shop.tag': [
    { id: 1, name: 'blue', rank: 1 },
    { id: 2, name: 'red', rank: 3 },
    { id: 3, name: 'green', rank: 2 },
  ],
  'shop.stage': [
    { id: 1, name: 'Won', rank: 3, active: true },
    { id: 2, name: 'New', rank: 1, active: true },
    { id: 3, name: 'Open', rank: 2, active: true },
    { id: 4, name: 'Old', rank: 4, active: false },
  ],
  'shop.partner': [
    {
      id: 1,
      name: 'Zoe',
      level: 2,
      country_id: 1,
      company: 1,
      tag_ids: [1],
      credit: 5,
      vip: true,
      since: '2020-01-01',
    },
    { id: 2, name: 'Abe', level: 1, country_id: 2, company: 1, tag_ids: [2, 3], credit: 7 },
    { id: 3, name: 'Bea', level: 2, company: 2, credit: 9 },
  ],
  'shop.order': orders.map((order, i) => ({
    ...{ id: i + 1, name: 'abcdef'[i], company: 1, active: true },
    ...{ ...more[i], ...order },
  })),
  'shop.line': [
    { id: 1, name: 'x', order_id: 1 },
    { id: 2, name: 'y', order_id: 1 },
    { id: 3, name: 'z', order_id: 2 },
  ],
}

/** A database of these orders for the tests of one file, and ways to group them as Ann or as whoever `as` is. */
export function openOrders() {
  let database: TestDatabase
  let ann: Env
  beforeAll(async () => {
    database = await createDatabase()
    await storeRows(database.db, { registry: shopRegistry, rows: ROWS })
  })
  afterAll(() => database.drop())
  beforeEach(() => {
    ann = shopEnv(database.db)
    database.statements.length = 0
  })

  const group = (spec: Partial<GroupQuery>, options: GroupQueryOptions = {}, as = ann): Promise<GroupResult[]> =>
    readGroup(as, shopRegistry.model('shop.order')!, { domain: [], groupby: [], fields: [], ...spec }, options)

  return {
    group,
    /** For each row the value of one item, and the count. */
    counts: async (item: string, options: GroupQueryOptions = {}, as = ann) =>
      (await group({ groupby: [item] }, options, as)).map((row) => [row[item], row['__count']]),
    envOf: (options: Parameters<typeof shopEnv>[1] = {}) => shopEnv(database.db, options),
    store: (rows: Rows) => storeRows(database.db, { registry: shopRegistry, rows }),
    /** SQL sent by this test. */
    statements: () => database.statements,
  }
}

export const measure = (name: string, field: string, by: string) => ({ name, field, measure: by })

export const refusal = (code: string) => expect.objectContaining({ code })
