import { defineModel, type FieldsOf, field } from '#kernel'
import { ORDER_STATES } from './order-state.ts'

/** A column of the order board. */
export const saleStage = defineModel('sale.stage', {
  label: 'Sales Stage',
  order: 'sequence, id',
  expandGroups: true,
  fields: {
    name: field.char({ required: true, size: 100, translate: true }),
    sequence: field.integer({ required: true, default: 10 }),
    state: field.selection(ORDER_STATES, {
      label: 'Order Status',
      help: 'Orders that get this status move here, and orders moved here get this status. Empty: a step of its own.',
    }),
    fold: field.boolean({ label: 'Folded', help: 'The column starts closed.' }),
    active: field.boolean({ default: true }),
  },
})

declare module '#kernel' {
  interface Models {
    'sale.stage': SaleStage
  }
  interface SaleStage extends FieldsOf<typeof saleStage> {}
}
