import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { installTrade, takeRuns, tradeEnv, tradeRegistry } from '../support/trade.ts'

export let database: TestDatabase

/** A database with the models of the trade for the tests of a file; runs of computes are counted per test. */
export function useTrade(): void {
  beforeAll(async () => {
    database = await createDatabase()
    await installTrade(database.db)
  })
  afterAll(() => database.drop())
  beforeEach(() => {
    takeRuns()
  })
}

export const orders = tradeRegistry.model('trade.order')!

/** One transaction as a user of the shop. */
export const inTx = <T>(work: (env: Env) => Promise<T>): Promise<T> =>
  database.db.transaction().execute((tx) => work(tradeEnv(tx)))

export const priced = (...prices: readonly number[]) => prices.map((asked_price) => [0, 0, { asked_price }] as const)

export const makeOrder = (values: Parameters<typeof createOrder>[1] = {}) => inTx((env) => createOrder(env, values))

export const createOrder = (
  env: Env,
  values: { name?: string; line_ids?: ReturnType<typeof priced>; partner_id?: number },
) => env.model('trade.order').create(values)

export const readOrder = (id: number) =>
  inTx(
    async (env) =>
      (
        await env
          .model('trade.order')
          .read([id], ['total', 'tax', 'due', 'title', 'tag_text', 'bonus', 'main_tag_ids', 'version', 'line_ids'])
      )[0]!,
  )

export const linesOf = async (id: number) => (await readOrder(id)).line_ids

/** The runs of one field since the last look, as the ids each got. */
export const runsOf = (name: string) =>
  takeRuns()
    .filter((run) => run.field === name)
    .map((run) => run.ids)

export const refusal = (code: string, fields?: Record<string, string>) =>
  expect.objectContaining({ code, ...(fields ? { details: expect.objectContaining({ fields }) } : {}) })
