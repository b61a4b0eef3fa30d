import { behavior, currencySums, extendModel, type FieldsOf, field, ids, sumMoney } from '#kernel'
import { companyCurrency } from '../../base/models/core-company.ts'
import { listWhere } from '../../base/models/redirect.ts'
import { ORDER_READERS } from './order-readers.ts'
import { CONFIRMED_STATES } from './order-state.ts'

/** A partner as a customer. */
export const corePartnerSale = extendModel('core.partner', {
  fields: {
    pricelist_id: field.many2one('product.pricelist', { label: 'Price List', groups: 'sale.group_user' }),
    sale_order_ids: field.one2many('sale.order', 'partner_id', { label: 'Sales Orders', groups: ORDER_READERS }),
    sale_order_count: field.integer({ label: 'Orders', compute: 'read', groups: ORDER_READERS }),
    sale_currency_id: field.many2one('core.currency', { compute: 'read', groups: ORDER_READERS }),
    total_sold: field.monetary({
      label: 'Sold in Company Currency',
      compute: 'read',
      currencyField: 'sale_currency_id',
      groups: ORDER_READERS,
      help: 'Confirmed orders in the currency of your company, without taxes.',
    }),
    sold_amounts: field.char({
      label: 'Sold',
      compute: 'read',
      groups: ORDER_READERS,
      help: 'Confirmed orders in each currency, without taxes.',
    }),
  },
})

declare module '#kernel' {
  interface CorePartner extends FieldsOf<typeof corePartnerSale> {}
}

export const corePartnerSaleBehavior = behavior('core.partner', {
  computes: {
    /** Counts only what the user may see, like the list that it opens. */
    sale_order_count: {
      needs: [],
      async run(env, partners) {
        const counts = await env.model('sale.order').countBy('partner_id', [['partner_id', 'in', ids(partners)]])
        return new Map(partners.map(({ id }) => [id, counts.get(id) ?? 0]))
      },
    },
    sale_currency_id: {
      needs: [],
      async run(env, partners) {
        const currency = await companyCurrency(env)
        return new Map(partners.map(({ id }) => [id, currency]))
      },
    },
    total_sold: {
      needs: [
        'sale_order_ids.state',
        'sale_order_ids.currency_id',
        'sale_order_ids.amount_untaxed',
        'sale_currency_id',
      ],
      run: (_env, partners) =>
        new Map(
          partners.map(({ id, sale_order_ids, sale_currency_id }) => [
            id,
            sumMoney(
              sale_order_ids
                .filter((order) => CONFIRMED_STATES.includes(order.state) && order.currency_id === sale_currency_id)
                .map((order) => order.amount_untaxed),
            ),
          ]),
        ),
    },
    sold_amounts: {
      needs: ['sale_order_ids.state', 'sale_order_ids.currency_id.name', 'sale_order_ids.amount_untaxed'],
      run: (env, partners) =>
        new Map(
          partners.map(({ id, sale_order_ids }) => {
            const sold = sale_order_ids.filter((order) => CONFIRMED_STATES.includes(order.state))
            const amounts = sold.map((order) => ({
              currency: order.currency_id?.name ?? null,
              amount: order.amount_untaxed,
            }))
            return [id, currencySums(env, amounts)]
          }),
        ),
    },
  },
  actions: {
    action_view_sale_orders: (_env, [partner]) =>
      partner && listWhere('sale.order', partner.name, [['partner_id', '=', partner.id]]),
  },
  actionGroups: { action_view_sale_orders: ORDER_READERS },
})
