import { defineModel, type FieldsOf, field } from '#kernel'
import { stage } from '../../base/models/stage.ts'
import { ORDER_STATES } from './order-state.ts'

/** A column of the order board. */
export const saleStage = defineModel('sale.stage', {
  label: 'Sales Stage',
  order: 'sequence, id',
  expandGroups: true,
  mixins: [stage],
  fields: {
    state: field.selection(ORDER_STATES, {
      label: 'Order Status',
      help: 'Orders that get this status move here, and orders moved here get this status. Empty: a step of its own.',
    }),
  },
})

declare module '#kernel' {
  interface Models {
    'sale.stage': SaleStage
  }
  interface SaleStage extends FieldsOf<typeof saleStage> {}
}
