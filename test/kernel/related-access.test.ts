import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import { onchange } from '../../kernel/orm/onchange/onchange.ts'
import { read } from '../../kernel/orm/record/read.ts'
import { search } from '../../kernel/orm/record/search.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { accessTables, allLines, GROUPS, principal, recordRule, shopRegistry } from '../support/shop.ts'
import { installTrade, tradeEnv, tradeLines, tradeRegistry } from '../support/trade.ts'
import { openOrders, refusal } from './shop-orders.ts'

const { envOf, statements } = openOrders()
const orders = shopRegistry.model('shop.order')!

/** Orders 1 and 4, of partners 1 and 3. */
const look = (env: Env, ...fields: readonly string[]) => read(env, orders, [1, 4], fields)

describe('a related field', () => {
  test('is read in the same statement as its record', async () => {
    expect(await look(envOf(), 'partner_level', 'partner_vip', 'partner_country_id')).toEqual([
      { id: 1, partner_level: 2, partner_vip: true, partner_country_id: [1, 'Norway'] },
      { id: 4, partner_level: 2, partner_vip: false, partner_country_id: null },
    ])
    expect(statements()).toHaveLength(1)
  })

  test('requires read access to the field it shows', async () => {
    expect(await look(envOf(), 'partner_credit')).toEqual([{ id: 1 }, { id: 4 }])
    const boss = envOf({ user: principal([GROUPS.users, GROUPS.bosses]) })
    expect(await look(boss, 'partner_credit')).toMatchObject([{ partner_credit: 5 }, { partner_credit: 9 }])
    for (const query of [{ domain: [['partner_credit', '=', 5]] }, { domain: [], order: 'partner_credit' }]) {
      await expect(search(envOf(), orders, { ...query, fields: [] })).rejects.toEqual(refusal('ACCESS_DENIED'))
    }
  })

  test('is unset behind a record that a rule hides, as it is to a search', async () => {
    const rules = [recordRule({ model: 'shop.partner', domain: [['company', '=', 1]] })]
    const env = envOf({ access: accessTables({ rules }) })
    expect(await look(env, 'partner_id', 'partner_level', 'partner_vip')).toEqual([
      { id: 1, partner_id: [1, 'Zoe'], partner_level: 2, partner_vip: true },
      { id: 4, partner_id: [3, null], partner_level: null, partner_vip: false },
    ])
    const { records } = await search(env, orders, { domain: [['partner_level', '=', null]], fields: [] })
    expect(records).toContainEqual({ id: 4 })
  })

  test('is unset behind a model the caller may not read', async () => {
    const lines = allLines.filter(({ model }) => model !== 'shop.partner')
    expect(await look(envOf({ access: accessTables({ lines }) }), 'partner_level')).toEqual([
      { id: 1, partner_level: null },
      { id: 4, partner_level: null },
    ])
  })
})

describe('a related field in a form', () => {
  let database: TestDatabase
  let partner: number
  beforeAll(async () => {
    database = await createDatabase()
    await installTrade(database.db)
    partner = await database.db.transaction().execute(async (tx) => {
      const env = tradeEnv(tx, { sudo: true })
      const region_id = await env.model('trade.region').create({ name: 'Hidden', bonus: 42 })
      return env.model('trade.partner').create({ name: 'Ada', region_id })
    })
  })
  afterAll(() => database.drop())

  test('shows nothing of a record that a rule hides, also when its link counts as edited', async () => {
    const model = tradeRegistry.model('trade.partner')!
    const rules = [recordRule({ model: 'trade.region', domain: [['name', '!=', 'Hidden']] })]
    const ask = (access = accessTables({ lines: tradeLines })) =>
      onchange(tradeEnv(database.db, { access }), model, { id: partner, values: {}, changed: ['region_id'] })
    expect((await ask(accessTables({ lines: tradeLines, rules }))).value).toEqual({})
    expect((await ask()).value).toEqual({})
  })

  test('shows what the chosen record says', async () => {
    const [region] = await tradeEnv(database.db).model('trade.region').search([])
    const request = { values: { region_id: region! }, changed: ['region_id'] }
    const { value } = await onchange(tradeEnv(database.db), tradeRegistry.model('trade.partner')!, request)
    expect(value).toMatchObject({ region_bonus: 42 })
  })
})
