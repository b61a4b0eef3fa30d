import { behavior, defineModel, type Env, type FieldsOf, field, readSetting } from '#kernel'
import { coordinates } from '../../base/models/coordinates.ts'
import { companyCurrency } from '../../base/models/core-company.ts'
import { dayOf } from '../../base/models/day-of.ts'
import { closingDays } from '../settings/closing-days.ts'
import {
  assignLeadsToMe,
  convertLeads,
  loseLeads,
  makeQuotation,
  openOrders,
  openQuotations,
  restoreLeads,
  winLeads,
} from './lead-actions.ts'
import { syncLeadsWithStage } from './lead-events.ts'

export const crmLead = defineModel('crm.lead', {
  label: 'Lead',
  order: 'priority desc, id desc',
  searchFields: ['name', 'code', 'partner_name', 'contact_name', 'email'],
  aboutFields: ['partner_id', 'stage_id', 'expected_revenue'],
  mixins: [coordinates],
  handOver: { user_id: { label: 'Open leads and deals', domain: [['outcome', '=', 'open']] } },
  fields: {
    name: field.char({ label: 'Subject', required: true, size: 200, index: true, tracking: true }),
    code: field.char({
      label: 'Number',
      readonly: true,
      copy: false,
      size: 32,
      unique: true,
      sequence: 'crm.lead',
    }),
    type: field.selection(
      { lead: 'Lead', opportunity: 'Opportunity' },
      { required: true, default: 'lead', index: true, tracking: true },
    ),
    partner_id: field.many2one('core.partner', { label: 'Customer', index: true, tracking: true }),
    partner_name: field.char({ label: 'Company Name', size: 200 }),
    contact_name: field.char({ size: 200 }),
    function: field.char({ label: 'Job Position', size: 100 }),
    email: field.char({ label: 'E-mail', size: 254 }),
    phone: field.char({ size: 64 }),
    website: field.char({ size: 500 }),
    street: field.char({ size: 200 }),
    zip: field.char({ label: 'Postal Code', size: 24 }),
    city: field.char({ size: 100 }),
    country_id: field.many2one('core.country', { ondelete: 'restrict' }),
    stage_id: field.many2one('crm.stage', {
      ondelete: 'restrict',
      index: true,
      tracking: true,
      copy: false,
      default: firstStage,
    }),
    user_id: field.many2one('core.user', {
      label: 'Salesperson',
      index: true,
      tracking: true,
      default: (env) => (env.isSudo ? null : env.user.id),
    }),
    team_id: field.many2one('crm.team', { index: true, tracking: true }),
    tag_ids: field.many2many('crm.tag', { label: 'Tags' }),
    currency_id: field.many2one('core.currency', { required: true, default: companyCurrency }),
    expected_revenue: field.monetary({ tracking: true }),
    probability: field.float({
      label: 'Probability (%)',
      digits: [6, 2],
      tracking: true,
      copy: false,
      help: 'Taken from the stage until it is set by hand.',
    }),
    weighted_revenue: field.monetary({ compute: 'stored', help: 'Expected revenue times probability.' }),
    priority: field.selection(
      { '0': 'Low', '1': 'Medium', '2': 'High', '3': 'Very High' },
      { required: true, default: '0' },
    ),
    source: field.selection({
      website: 'Website',
      referral: 'Referral',
      fair: 'Trade Fair',
      campaign: 'Campaign',
      partner: 'Partner',
      cold: 'Cold Call',
    }),
    medium: field.selection(
      { form: 'Form', email: 'E-mail', phone: 'Phone', social: 'Social Media', visit: 'Visit' },
      { label: 'Channel' },
    ),
    date_open: field.datetime({
      label: 'Opened on',
      required: true,
      index: true,
      copy: false,
      default: (env) => env.now.toISOString(),
    }),
    date_deadline: field.date({ label: 'Expected Closing', index: true, tracking: true, default: expectedClosing }),
    date_closed: field.datetime({ label: 'Closed on', readonly: true, copy: false, index: true }),
    outcome: field.selection({ open: 'Open', won: 'Won', lost: 'Lost' }, { compute: 'stored', index: true }),
    lost_reason: field.char({ size: 300, copy: false, tracking: true }),
    description: field.html({ label: 'Notes' }),
    company_id: field.many2one('core.company', { index: true, default: (env) => env.user.companyIds[0] ?? null }),
    color: field.integer({ default: 0, help: 'Index into the palette of the client.' }),
    activity_ids: field.one2many('crm.activity', 'lead_id', { label: 'Activities' }),
    activity_state: field.selection(
      { overdue: 'Overdue', today: 'Today', planned: 'Planned' },
      { label: 'Next Activity', compute: 'stored' },
    ),
    activity_date: field.date({ label: 'Next Activity on', compute: 'stored' }),
    order_ids: field.one2many('sale.order', 'lead_id', { label: 'Quotations and Orders' }),
    quotation_count: field.integer({ label: 'Quotations', compute: 'stored' }),
    order_count: field.integer({ label: 'Orders', compute: 'stored' }),
    ordered_amount: field.monetary({ compute: 'stored', help: 'Total of the confirmed orders in this currency.' }),
    ordered_amounts: field.char({
      label: 'Ordered',
      compute: 'read',
      help: 'Total of the confirmed orders in each currency.',
    }),
    active: field.boolean({ default: true }),
  },
  constraints: {
    probability_range: {
      check: 'probability between 0 and 100',
      fields: ['probability'],
      message: 'A probability lies between 0 and 100 percent.',
    },
    revenue_positive: {
      check: 'expected_revenue >= 0',
      fields: ['expected_revenue'],
      message: 'Expected revenue is not negative.',
    },
  },
})

declare module '#kernel' {
  interface Models {
    'crm.lead': CrmLead
  }
  interface CrmLead extends FieldsOf<typeof crmLead> {}
}

async function expectedClosing(env: Env): Promise<string | null> {
  const days = await readSetting(env, closingDays)
  return days === null ? null : dayOf(env, days)
}

export const crmLeadBehavior = behavior('crm.lead', {
  events: {
    created: (env, leads) =>
      syncLeadsWithStage(
        env.sudo('figures of the leads just written follow their stage', { beyondScope: true }),
        leads,
        false,
      ),
    async updated(env, leads, changed) {
      if (changed.has('stage_id'))
        await syncLeadsWithStage(
          env.sudo('figures of the leads just written follow their stage', { beyondScope: true }),
          leads,
          !changed.has('probability'),
        )
    },
  },
  undoableActions: ['action_won', 'action_lost', 'action_restore', 'action_assign_me'],
  actions: {
    action_convert: convertLeads,
    action_won: winLeads,
    action_lost: loseLeads,
    action_restore: restoreLeads,
    action_new_quotation: makeQuotation,
    action_view_orders: openOrders,
    action_view_quotations: openQuotations,
    action_assign_me: assignLeadsToMe,
  },
})

async function firstStage(env: Env): Promise<number | null> {
  const [stage] = await env
    .sudo('a default every new lead has', { beyondScope: true })
    .model('crm.stage')
    .search([], { limit: 1 })
  return stage ?? null
}
