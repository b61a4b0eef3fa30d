import { defineModel, type FieldsOf, field } from '#kernel'
import { companyCurrency } from '../../base/models/core-company.ts'
import { usualUnit } from './product-uom.ts'

export const productProduct = defineModel('product.product', {
  label: 'Product',
  order: 'name',
  displayName: ['code', 'name'],
  searchFields: ['name', 'code', 'barcode'],
  aboutFields: ['category_id', 'list_price'],
  fields: {
    name: field.char({ required: true, size: 200, translate: true, index: true, tracking: true }),
    code: field.char({ label: 'Internal Reference', size: 64, index: true, copy: false }),
    barcode: field.char({ size: 64, copy: false }),
    type: field.selection({ goods: 'Goods', service: 'Service' }, { required: true, default: 'goods' }),
    category_id: field.many2one('product.category', { ondelete: 'restrict', index: true }),
    sale_ok: field.boolean({ label: 'Can be Sold', default: true }),
    list_price: field.monetary({ label: 'Sales Price', required: true, default: 0, tracking: true }),
    standard_price: field.monetary({
      label: 'Cost',
      groups: 'product.group_manager',
      copy: false,
      help: 'What one unit costs the company.',
    }),
    currency_id: field.many2one('core.currency', { required: true, default: companyCurrency }),
    uom_id: field.many2one('product.uom', { label: 'Unit', ondelete: 'restrict', default: usualUnit }),
    weight: field.float({ label: 'Weight (kg)', digits: [12, 3] }),
    description: field.text({
      label: 'Sales Description',
      translate: true,
      help: 'Copied to the lines of quotations.',
    }),
    note: field.html({ label: 'Internal Notes' }),
    image: field.image(),
    color: field.integer({ default: 0, help: 'Index into the palette of the client.' }),
    company_id: field.many2one('core.company', { index: true, help: 'Empty: shared by every company.' }),
    active: field.boolean({ default: true }),
  },
  constraints: {
    barcode_unique: { unique: ['barcode'], message: 'Another product already has this barcode.' },
    price_positive: { check: 'list_price >= 0', fields: ['list_price'], message: 'A price is not negative.' },
    cost_positive: { check: 'standard_price >= 0', fields: ['standard_price'], message: 'A cost is not negative.' },
  },
})

declare module '#kernel' {
  interface Models {
    'product.product': ProductProduct
  }
  interface ProductProduct extends FieldsOf<typeof productProduct> {}
}
