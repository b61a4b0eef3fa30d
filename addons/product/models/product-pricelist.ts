import { defineModel, type FieldsOf, field } from '#kernel'
import { companyCurrency } from '../../base/models/core-company.ts'

export const productPricelist = defineModel('product.pricelist', {
  label: 'Price List',
  order: 'sequence, name',
  fields: {
    name: field.char({ required: true, size: 100, translate: true }),
    sequence: field.integer({ default: 10 }),
    currency_id: field.many2one('core.currency', { required: true, default: companyCurrency }),
    item_ids: field.one2many('product.pricelist.item', 'pricelist_id', { label: 'Prices', copy: true }),
    company_id: field.many2one('core.company', { index: true, help: 'Empty: shared by every company.' }),
    active: field.boolean({ default: true }),
  },
})

declare module '#kernel' {
  interface Models {
    'product.pricelist': ProductPricelist
  }
  interface ProductPricelist extends FieldsOf<typeof productPricelist> {}
}
