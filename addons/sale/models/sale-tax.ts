import { defineModel, type FieldsOf, field } from '#kernel'

/** A tax on top of the price. Orders keep the tax amount of their last change, even if the rate changes later. */
export const saleTax = defineModel('sale.tax', {
  label: 'Tax',
  order: 'sequence, name',
  fields: {
    name: field.char({ required: true, size: 100, translate: true }),
    sequence: field.integer({ default: 10 }),
    kind: field.selection(
      { percent: 'Percentage of the Price', fixed: 'Amount per Unit' },
      { label: 'Computed as', required: true, default: 'percent' },
    ),
    amount: field.float({ required: true, default: 0, digits: [12, 4], help: 'Percent, or money per unit.' }),
    description: field.char({ label: 'Label on Documents', size: 50, translate: true }),
    product_ids: field.many2many('product.product', {
      label: 'Products',
      copy: false,
      relationTable: { table: 'product_product_tax_ids_rel', left: 'target_id', right: 'source_id' },
    }),
    company_id: field.many2one('core.company', { index: true, help: 'Empty: shared by every company.' }),
    active: field.boolean({ default: true }),
  },
})

declare module '#kernel' {
  interface Models {
    'sale.tax': SaleTax
  }
  interface SaleTax extends FieldsOf<typeof saleTax> {}
}
