import { type Action, behavior, extendModel, type FieldsOf, field } from '#kernel'
import { openForm } from '../../base/models/redirect.ts'

/** Adds the opportunity of an order. */
export const saleOrderLead = extendModel('sale.order', {
  fields: {
    lead_id: field.many2one('crm.lead', { label: 'Opportunity', index: true, copy: false, tracking: true }),
  },
})

declare module '#kernel' {
  interface SaleOrder extends FieldsOf<typeof saleOrderLead> {}
}

const openLead: Action<'sale.order'> = (_env, [order]) =>
  order?.lead_id ? openForm('crm.lead', order.lead_id[0]) : true

export const saleOrderLeadBehavior = behavior('sale.order', {
  actions: { action_view_lead: openLead },
  actionGroups: { action_view_lead: 'crm.group_user' },
})
