import { behavior, type Domain, extendModel, type FieldsOf, field, ids, sumMoney } from '#kernel'
import { listWhere } from '../../base/models/redirect.ts'
import { ORDER_READERS } from './order-readers.ts'
import { CONFIRMED_STATES } from './order-state.ts'

/** A product as something that is sold. */
export const productProductSale = extendModel('product.product', {
  fields: {
    tax_ids: field.many2many('sale.tax', { label: 'Customer Taxes' }),
    sale_line_ids: field.one2many('sale.order.line', 'product_id', { label: 'Sales Lines', groups: ORDER_READERS }),
    sold_quantity: field.float({ compute: 'read', digits: [16, 3], groups: ORDER_READERS }),
  },
})

declare module '#kernel' {
  interface ProductProduct extends FieldsOf<typeof productProductSale> {}
}

export const productProductSaleBehavior = behavior('product.product', {
  computes: {
    sold_quantity: {
      needs: [],
      /** Counts only what the user may see, like the list that it opens. */
      async run(env, products) {
        const lines = await env.model('sale.order.line').searchRead(soldOf(ids(products)), ['product_id', 'quantity'])
        const soldBy = (id: number) => lines.filter(({ product_id }) => product_id?.[0] === id)
        return new Map(products.map(({ id }) => [id, sumMoney(soldBy(id).map(({ quantity }) => quantity))]))
      },
    },
  },
  actions: {
    action_view_sales: (_env, [product]) =>
      product && listWhere('sale.order.line', product.name, soldOf([product.id]), 'quantity'),
  },
  actionGroups: { action_view_sales: ORDER_READERS },
})

const soldOf = (products: readonly number[]): Domain<'sale.order.line'> => [
  ['product_id', 'in', products],
  ['state', 'in', CONFIRMED_STATES],
]
