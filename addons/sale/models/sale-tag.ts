import { defineModel, type FieldsOf } from '#kernel'
import { tag } from '../../base/models/core-tag.ts'

export const saleTag = defineModel('sale.tag', {
  label: 'Sales Tag',
  order: 'name',
  mixins: [tag],
  fields: {},
})

declare module '#kernel' {
  interface Models {
    'sale.tag': SaleTag
  }
  interface SaleTag extends FieldsOf<typeof saleTag> {}
}
