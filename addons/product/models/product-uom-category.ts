import { defineModel, type FieldsOf, field } from '#kernel'

/** Units that convert into each other: pieces, weights, times. */
export const productUomCategory = defineModel('product.uom.category', {
  label: 'Unit Category',
  order: 'name',
  fields: {
    name: field.char({ required: true, size: 100, translate: true, unique: true }),
    uom_ids: field.one2many('product.uom', 'category_id', { label: 'Units' }),
  },
})

declare module '#kernel' {
  interface Models {
    'product.uom.category': ProductUomCategory
  }
  interface ProductUomCategory extends FieldsOf<typeof productUomCategory> {}
}
