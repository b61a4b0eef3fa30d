import { extendModel, type FieldsOf, field } from '#kernel'

/** Adds the customers of a price list. */
export const productPricelistSale = extendModel('product.pricelist', {
  fields: {
    partner_ids: field.one2many('core.partner', 'pricelist_id', { label: 'Customers', groups: 'sale.group_user' }),
  },
})

declare module '#kernel' {
  interface ProductPricelist extends FieldsOf<typeof productPricelistSale> {}
}
