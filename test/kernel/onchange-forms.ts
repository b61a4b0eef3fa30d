import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { RecordRule } from '../../kernel/access/tables.ts'
import type { Env } from '../../kernel/env.ts'
import { onchange } from '../../kernel/orm/onchange/onchange.ts'
import type { OnchangeRequest } from '../../kernel/orm/onchange/open.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { accessTables, GROUPS, principal } from '../support/shop.ts'
import { installTrade, takeRuns, tradeEnv, tradeLines, tradeRegistry } from '../support/trade.ts'

export let database: TestDatabase
/** The example records. */
export let ids: Awaited<ReturnType<typeof makeRecords>>

/** A database with example orders for the tests of a file; runs of computes are counted per test. */
export function useForms(): void {
  beforeAll(async () => {
    database = await createDatabase()
    await installTrade(database.db)
    ids = await asSystem(makeRecords)
  })
  afterAll(() => database.drop())
  beforeEach(() => {
    takeRuns()
  })
}

export const orders = tradeRegistry.model('trade.order')!
export const lines = tradeRegistry.model('trade.line')!

export const asSystem = <T>(work: (env: Env) => Promise<T>): Promise<T> =>
  database.db.transaction().execute((tx) => work(tradeEnv(tx, { sudo: true })))

async function makeRecords(env: Env) {
  const [euro, franc] = await env.model('trade.currency').createMany([
    { name: 'EUR', rounding: 0.01 },
    { name: 'CHF', rounding: 0.05 },
  ])
  const [ada, bob] = await env.model('trade.partner').createMany([
    { name: 'Ada', owner: 7 },
    { name: 'Bob', owner: 8 },
  ])
  const [pen, ink] = await env.model('trade.product').createMany([
    { name: 'Pen', price: 2.5, cost: 1 },
    { name: 'Ink', price: 4.02, cost: 3 },
  ])
  const tag = await env.model('trade.tag').create({ name: 'red' })
  const order = await env.model('trade.order').create({
    name: 'SO1',
    partner_id: ada!,
    currency_id: euro!,
    line_ids: [
      [0, 0, { name: 'first', product_id: pen!, quantity: 2 }],
      [0, 0, { name: 'second', product_id: ink!, quantity: 1 }],
    ],
  })
  const [row] = await env.model('trade.order').read([order], ['line_ids'])
  const [first, second] = row!.line_ids
  return {
    euro: euro!,
    franc: franc!,
    ada: ada!,
    bob: bob!,
    pen: pen!,
    ink: ink!,
    tag,
    order,
    first: first!,
    second: second!,
  }
}

export type Who = NonNullable<Parameters<typeof tradeEnv>[1]>

/** Asks in a read-only transaction, as the RPC does, and makes sure that nothing of it could have been written. */
export const ask = (request: Partial<OnchangeRequest>, who: Who = {}, model = orders) =>
  database.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const answer = await onchange(tradeEnv(tx, who), model, { values: {}, changed: [], ...request })
      const { rows } = await sql<{ xid: unknown }>`select pg_current_xact_id_if_assigned() as xid`.execute(tx)
      expect(rows[0]?.xid).toBeNull()
      return answer
    })

export const withRules = (...rules: readonly RecordRule[]): Who => ({
  access: accessTables({ lines: tradeLines, rules }),
})
export const boss: Who = { user: principal([GROUPS.users, GROUPS.bosses]) }
export const refusal = (code: string) => expect.objectContaining({ code })
