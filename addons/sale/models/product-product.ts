import { behavior, extendModel, type FieldsOf, field, sumMoney } from '#kernel'
import { listMatching } from '../../base/models/redirect.ts'
import { CONFIRMED_STATES } from './order-state.ts'

/** A product as something that is sold. */
export const productProductSale = extendModel('product.product', {
  fields: {
    tax_ids: field.many2many('sale.tax', { label: 'Customer Taxes' }),
    sale_line_ids: field.one2many('sale.order.line', 'product_id', { label: 'Sales Lines', groups: 'sale.group_user' }),
    sold_quantity: field.float({ compute: 'read', digits: [16, 3], groups: 'sale.group_user' }),
  },
})

declare module '#kernel' {
  interface ProductProduct extends FieldsOf<typeof productProductSale> {}
}

export const productProductSaleBehavior = behavior('product.product', {
  computes: {
    sold_quantity: {
      needs: ['sale_line_ids.quantity', 'sale_line_ids.state'],
      run: (_env, products) =>
        new Map(
          products.map(({ id, sale_line_ids }) => [
            id,
            sumMoney(sale_line_ids.filter((line) => isSold(line.state)).map((line) => line.quantity)),
          ]),
        ),
    },
  },
  actions: {
    action_view_sales: (_env, [product]) => listMatching('sale.order.line', product?.name ?? ''),
  },
  actionGroups: { action_view_sales: 'sale.group_user' },
})

const isSold = (state: string | null): boolean => CONFIRMED_STATES.some((sold) => sold === state)
