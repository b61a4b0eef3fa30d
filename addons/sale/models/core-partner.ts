import { behavior, extendModel, type FieldsOf, field, sumMoney } from '#kernel'
import { companyCurrency } from '../../base/models/core-company.ts'
import { listMatching } from '../../base/models/redirect.ts'
import { CONFIRMED_STATES } from './order-state.ts'

/** A partner as a customer. */
export const corePartnerSale = extendModel('core.partner', {
  fields: {
    pricelist_id: field.many2one('product.pricelist', { label: 'Price List', groups: 'sale.group_user' }),
    sale_order_ids: field.one2many('sale.order', 'partner_id', { label: 'Sales Orders', groups: 'sale.group_user' }),
    sale_order_count: field.integer({ label: 'Orders', compute: 'read', groups: 'sale.group_user' }),
    sale_currency_id: field.many2one('core.currency', { compute: 'read', groups: 'sale.group_user' }),
    total_sold: field.monetary({
      compute: 'read',
      currencyField: 'sale_currency_id',
      groups: 'sale.group_user',
      help: 'Confirmed orders in the currency of your company, without taxes.',
    }),
  },
})

declare module '#kernel' {
  interface CorePartner extends FieldsOf<typeof corePartnerSale> {}
}

export const corePartnerSaleBehavior = behavior('core.partner', {
  computes: {
    sale_order_count: {
      needs: ['sale_order_ids'],
      run: (_env, partners) => new Map(partners.map(({ id, sale_order_ids }) => [id, sale_order_ids.length])),
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
  },
  actions: {
    action_view_sale_orders: (_env, [partner]) => listMatching('sale.order', partner?.name ?? ''),
  },
  actionGroups: { action_view_sale_orders: 'sale.group_user' },
})
