import { type Action, byId, copyRecords, documentAddress, type Env, ids, invalid, type Row } from '#kernel'
import { listWhere, openForm } from '../../base/models/redirect.ts'
import { offersOf } from './line-offer.ts'
import { CONFIRMED_STATES, LOCKED_STATES, mayPass, ORDER_STATES, type OrderState, TRANSITIONS } from './order-state.ts'
import { sendOrder } from './send-order.ts'

type Orders = readonly Row<'sale.order'>[]

/** Object actions of an order: one per transition, and the other ones of its form. */
export const orderActions: Readonly<Record<string, Action<'sale.order'>>> = {
  ...Object.fromEntries(
    Object.entries(TRANSITIONS).map(([name, { from, to }]) => [
      name,
      (env: Env, orders: Orders) => passTo(env, ids(orders), to, from),
    ]),
  ),
  async action_duplicate(env, orders) {
    const copies = await copyRecords(env, 'sale.order', ids(orders))
    return copies.length === 1
      ? openForm('sale.order', copies[0]!)
      : { redirect: '/web?model=sale.order&view_type=list' }
  },
  async action_send_email(env, orders, { attach }) {
    for (const { id, state } of orders) {
      await sendOrder(env, id, { isAttached: attach !== '0' })
      if (state === 'draft') await passTo(env, [id], 'sent')
    }
    return true
  },
  action_print: (_env, [order]) =>
    order && { redirect: documentAddress({ model: 'sale.order', id: order.id, document: 'quotation' }) },
  action_view_partner_orders: (_env, [order]) =>
    order && listWhere('sale.order', order.partner_id[1] ?? '', [['partner_id', '=', order.partner_id[0]]]),
  async action_update_prices(env, orders) {
    await updatePrices(env, orders)
  },
}

/**
 * Moves orders to a state and its stage; throws if one is in a state from which this is not allowed. Without `from`, any transition
 * to the state is allowed.
 */
export async function passTo(
  env: Env,
  orderIds: readonly number[],
  to: OrderState,
  from?: readonly OrderState[],
): Promise<true> {
  const orders = env.model('sale.order')
  const rows = await orders.read(orderIds, ['state', 'display_name'])
  for (const { state, display_name } of rows) {
    if (from ? from.includes(state) : mayPass(state, to)) continue
    const names = { order: display_name, from: env.t(ORDER_STATES[state]), wanted: env.t(ORDER_STATES[to]) }
    const problem =
      state === to
        ? env.t('{order} is already: {from}.', names)
        : env.t('{order} is {from} and cannot become {wanted}.', names)
    throw invalid('sale.order_state', { state: problem })
  }
  const [stage] = await env
    .sudo('which stage stands for a state is no secret', { beyondScope: true })
    .model('sale.stage')
    .search([['state', '=', to]], { limit: 1 })
  const staged = stage === undefined ? {} : { stage_id: stage }
  const values = rows.map(
    ({ id, state }) => [id, { state: to, ...staged, ...confirmation(state, to, env.now) }] as const,
  )
  await orders.writeEach(new Map(values), { setsReadonly: true })
  return true
}

/** The date of the confirmation: an order that is locked and unlocked keeps it, a quotation has none. */
function confirmation(from: OrderState, to: OrderState, now: Date): { readonly confirmed_at?: string | null } {
  if (to === 'draft') return { confirmed_at: null }
  return to === 'sale' && !CONFIRMED_STATES.includes(from) ? { confirmed_at: now.toISOString() } : {}
}

/** Updates the prices of all lines from the current price lists. */
async function updatePrices(env: Env, orders: Orders): Promise<void> {
  const locked = orders.find(({ state }) => LOCKED_STATES.includes(state))
  if (locked) {
    throw invalid('sale.order_state', {
      state: env.t('{order} is locked or cancelled.', { order: locked.display_name }),
    })
  }
  const terms = byId(orders)
  const lines = await env.model('sale.order.line').searchRead(
    [
      ['order_id', 'in', ids(orders)],
      ['product_id', '!=', null],
    ],
    ['order_id', 'product_id', 'quantity', 'uom_id'],
  )
  const offers = await offersOf(
    env,
    lines.map(({ order_id, product_id, quantity, uom_id }) => {
      const { pricelist_id, currency_id, company_id, date_order, partner_id } = terms.get(order_id[0])!
      return {
        product_id: product_id![0],
        quantity,
        uom_id: uom_id?.[0] ?? null,
        pricelist_id: pricelist_id?.[0] ?? null,
        currency_id: currency_id[0],
        company_id: company_id?.[0] ?? null,
        date_order,
        partner_id: partner_id[0],
      }
    }),
  )
  const prices = lines.map(({ id }, index) => [id, { price_unit: offers[index]!.values.price_unit }] as const)
  await env.model('sale.order.line').writeEach(new Map(prices))
}
