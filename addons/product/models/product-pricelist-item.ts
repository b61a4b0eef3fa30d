import { behavior, defineModel, type FieldsOf, field } from '#kernel'

/** One price of a price list: for a product, a category with all below it, or everything. */
export const productPricelistItem = defineModel('product.pricelist.item', {
  label: 'Price',
  order: 'pricelist_id, product_id, category_id, min_quantity desc',
  displayName: [],
  fields: {
    pricelist_id: field.many2one('product.pricelist', { required: true, ondelete: 'cascade', index: true }),
    product_id: field.many2one('product.product', { ondelete: 'cascade', index: true }),
    category_id: field.many2one('product.category', { ondelete: 'cascade', index: true }),
    min_quantity: field.float({ required: true, default: 0, digits: [16, 3], help: 'From this quantity on.' }),
    date_start: field.date({ label: 'From' }),
    date_end: field.date({ label: 'To', help: 'The last day.' }),
    kind: field.selection(
      { percent: 'Discount', fixed: 'Fixed Price' },
      { label: 'Computed as', required: true, default: 'percent' },
    ),
    percent: field.float({ label: 'Discount (%)', digits: [7, 3], default: 0 }),
    fixed_price: field.monetary({}),
    currency_id: field.many2one('core.currency', { related: 'pricelist_id.currency_id' }),
    company_id: field.many2one('core.company', { related: 'pricelist_id.company_id', compute: 'stored' }),
  },
  constraints: {
    one_target: {
      check: 'product_id is null or category_id is null',
      fields: ['category_id'],
      message: 'A price is for a product or for a category, not for both.',
    },
    quantity_positive: {
      check: 'min_quantity >= 0',
      fields: ['min_quantity'],
      message: 'The least quantity is not negative.',
    },
    dates_ordered: {
      check: 'date_end >= date_start',
      fields: ['date_end'],
      message: 'A price ends after it begins.',
    },
    percent_range: {
      check: 'percent <= 100',
      fields: ['percent'],
      message: 'A discount is at most 100 percent.',
    },
  },
})

declare module '#kernel' {
  interface Models {
    'product.pricelist.item': ProductPricelistItem
  }
  interface ProductPricelistItem extends FieldsOf<typeof productPricelistItem> {}
}

export const productPricelistItemBehavior = behavior('product.pricelist.item', {
  checks: [
    {
      needs: ['kind', 'fixed_price'],
      check: (_env, { kind, fixed_price }) =>
        kind === 'fixed' && (fixed_price === null || fixed_price < 0)
          ? { fixed_price: 'A fixed price must be given and is not negative.' }
          : undefined,
    },
  ],
})
