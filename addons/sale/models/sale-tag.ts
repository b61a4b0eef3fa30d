import { defineModel, type FieldsOf, field } from '#kernel'

export const saleTag = defineModel('sale.tag', {
  label: 'Sales Tag',
  order: 'name',
  fields: {
    name: field.char({ required: true, size: 100, unique: true }),
    color: field.integer({ default: 0, help: 'Index into the palette of the client.' }),
  },
})

declare module '#kernel' {
  interface Models {
    'sale.tag': SaleTag
  }
  interface SaleTag extends FieldsOf<typeof saleTag> {}
}
