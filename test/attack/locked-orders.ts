import { expect, test } from 'vitest'
import { sql } from '../../kernel/sql/sql.ts'
import type { Host } from '../support/hosts.ts'
import { below, pick, type Random, randomOf, sample } from '../support/seeded-random.ts'
import { repeats } from '../support/soak.ts'

const WRITES = repeats(25, 10_000)

/** Whatever a seller writes to locked and cancelled orders and their lines, what they are about stays as it is. */
export function attackLockedOrders(host: Host): void {
  test('no write changes number, customer, dates, lines, amounts or state of a locked or cancelled order', async () => {
    const random = randomOf(1_848)
    const { registry } = await host.modules.holder.latest()
    const order = registry.model('sale.order')!
    const line = registry.model('sale.order.line')!
    const seller = await host.apiKey('demo@example.com')
    const idsOf = async (domain: unknown[], model = 'sale.order') =>
      (await seller.must<{ id: number }[]>(model, 'search_read', [domain, ['id']], { limit: 100 })).map(({ id }) => id)
    const locked = await idsOf([['state', 'in', ['done', 'cancel']]])
    const open = await idsOf([['state', 'in', ['draft', 'sent', 'sale']]])
    const partners = await idsOf([], 'core.partner')
    // The seller is a manager, who may unlock an order by moving it to the stage of another state.
    const stages = await idsOf(['|', ['state', '=', null], ['state', 'in', ['done', 'cancel']]], 'sale.stage')
    const before = await stateOf(host)
    for (let i = 0; i < WRITES; i++) {
      const id = pick(random, locked)
      const lines = await idsOf([['order_id', '=', id]], 'sale.order.line')
      const command = () => lineCommand(random, lines)
      const tried: Readonly<Record<string, () => unknown>> = {
        partner_id: () => pick(random, partners),
        state: () => pick(random, ['draft', 'sent', 'sale', 'done', 'cancel']),
        stage_id: () => pick(random, [null, ...stages]),
        name: () => pick(random, [null, 'S-MINE']),
        client_ref: () => pick(random, [null, 'PO-1']),
        line_ids: () => Array.from({ length: 1 + below(random, 3) }, command),
        user_id: () => 1 + below(random, 7),
        active: () => random() < 0.5,
        ...Object.fromEntries(
          sample(
            random,
            [...order.fields.keys()].filter((name) => /date|currency|pricelist|amount|confirmed/.test(name)),
            2,
          ).map((name) => [name, () => pick(random, [null, 1, 2, '2026-01-01', '2026-01-01T00:00:00Z'])]),
        ),
      }
      const values = Object.fromEntries(
        sample(random, Object.entries(tried), 1 + below(random, 4)).map(([name, make]) => [name, make()]),
      )
      const lineField = pick(random, [...line.fields.keys()])
      const attempts: readonly (readonly [string, string, unknown[]])[] = [
        ['sale.order', 'write', [[id], values]],
        ['sale.order', 'write_many', [[id, pick(random, open)], values]],
        ['sale.order', 'write', [[pick(random, open)], { line_ids: [[4, pick(random, lines)]] }]],
        ['sale.order.line', 'write', [[pick(random, lines)], { [lineField]: pick(random, [1, 'x', null]) }]],
        ['sale.order.line', 'write', [[pick(random, lines)], { order_id: pick(random, open) }]],
        ['sale.order.line', 'unlink', [[pick(random, lines)]]],
        ['sale.order.line', 'create', [{ order_id: id, name: 'More', quantity: 1, price_unit: 1 }]],
      ]
      const [model, method, args] = pick(random, attempts)
      await seller.rpc(model, method, args)
      const after = await stateOf(host)
      for (const locked of before.keys())
        expect({ id: locked, is: after.get(locked), by: [model, method, args] }).toEqual({
          id: locked,
          is: before.get(locked),
          by: [model, method, args],
        })
    }
  })
}

function lineCommand(random: Random, lines: readonly number[]): unknown[] {
  const id = pick(random, lines) ?? 1
  return pick<unknown[]>(random, [
    [0, 0, { name: 'More', quantity: 1, price_unit: 1 }],
    [1, id, { price_unit: 1 }],
    [1, id, { quantity: 999, name: 'x' }],
    [2, id],
    [3, id],
    [5],
    [6, 0, []],
  ])
}

/** What locked and cancelled orders are about, by id. */
async function stateOf(host: Host): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; state: string }>`
    select o.id, concat_ws('|', o.name, o.partner_id, o.client_ref, o.state, o.currency_id, o.pricelist_id, o.company_id,
      o.date_order, o.validity_date, o.commitment_date, o.confirmed_at, o.amount_total, o.stage_id is null,
      (select string_agg(concat_ws(',', l.id, l.product_id, l.name, l.quantity, l.price_unit, l.discount), ';' order by l.id)
        from sale_order_line l where l.order_id = o.id)) as state
    from sale_order o where o.state in ('done', 'cancel')`.execute(host.database.db)
  return new Map(rows.map(({ id, state }) => [id, state]))
}
