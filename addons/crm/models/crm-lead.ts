import { behavior, defineModel, type Env, type FieldsOf, field, multiplyMoney, sumMoney } from '#kernel'
import { companyCurrency } from '../../base/models/company-currency.ts'
import { convertLeads, loseLeads, makeQuotation, openOrders, restoreLeads, winLeads } from './lead-actions.ts'
import { addCodes, followStages } from './lead-events.ts'

export const crmLead = defineModel('crm.lead', {
  label: 'Lead',
  order: 'priority desc, id desc',
  searchFields: ['name', 'code', 'partner_name', 'contact_name', 'email'],
  fields: {
    name: field.char({ label: 'Subject', required: true, size: 200, index: true, tracking: true }),
    code: field.char({ label: 'Number', readonly: true, copy: false, size: 32, unique: true }),
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
    latitude: field.float({ digits: [10, 7] }),
    longitude: field.float({ digits: [10, 7] }),
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
    tag_ids: field.many2many('crm.tag'),
    currency_id: field.many2one('core.currency', { required: true, default: companyCurrency }),
    expected_revenue: field.monetary({ tracking: true }),
    probability: field.float({
      label: 'Probability (%)',
      digits: [6, 2],
      tracking: true,
      copy: false,
      help: 'Follows the stage until somebody knows better.',
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
    medium: field.selection({ form: 'Form', email: 'E-mail', phone: 'Phone', social: 'Social Media', visit: 'Visit' }),
    date_open: field.datetime({
      label: 'Opened on',
      required: true,
      index: true,
      copy: false,
      default: (env) => env.now.toISOString(),
    }),
    date_deadline: field.date({ label: 'Expected Closing', index: true, tracking: true }),
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
    ordered_amount: field.monetary({ compute: 'stored', help: 'Total of the confirmed orders.' }),
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
    latitude_range: {
      check: 'latitude between -90 and 90',
      fields: ['latitude'],
      message: 'Latitudes lie between -90 and 90.',
    },
    longitude_range: {
      check: 'longitude between -180 and 180',
      fields: ['longitude'],
      message: 'Longitudes lie between -180 and 180.',
    },
  },
})

declare module '#kernel' {
  interface Models {
    'crm.lead': CrmLead
  }
  interface CrmLead extends FieldsOf<typeof crmLead> {}
}

const CONFIRMED: ReadonlySet<string> = new Set(['sale', 'done'])
const OFFERED: ReadonlySet<string> = new Set(['draft', 'sent'])

/** The most urgent first. */
const URGENCY = ['overdue', 'today', 'planned'] as const

export const crmLeadBehavior = behavior('crm.lead', {
  computes: {
    weighted_revenue: {
      needs: ['expected_revenue', 'probability'],
      run: (_env, rows) =>
        new Map(
          rows.map(({ id, expected_revenue, probability }) => [
            id,
            expected_revenue === null ? null : multiplyMoney(expected_revenue, probability, 0.01),
          ]),
        ),
    },
    outcome: {
      needs: ['stage_id.is_won', 'date_closed'],
      run: (_env, rows) =>
        new Map(
          rows.map(({ id, stage_id, date_closed }) => [
            id,
            stage_id?.is_won ? 'won' : date_closed === null ? 'open' : 'lost',
          ]),
        ),
    },
    activity_state: {
      needs: ['activity_ids.state'],
      run: (_env, rows) =>
        new Map(
          rows.map(({ id, activity_ids }) => [
            id,
            URGENCY.find((state) => activity_ids.some((activity) => activity.state === state)) ?? null,
          ]),
        ),
    },
    activity_date: {
      needs: ['activity_ids.date_deadline', 'activity_ids.date_done'],
      run: (_env, rows) =>
        new Map(
          rows.map(({ id, activity_ids }) => {
            const open = activity_ids.filter((activity) => activity.date_done === null)
            return [id, open.map((activity) => activity.date_deadline).sort()[0] ?? null]
          }),
        ),
    },
    quotation_count: {
      needs: ['order_ids.state'],
      run: (_env, rows) =>
        new Map(rows.map((row) => [row.id, row.order_ids.filter(({ state }) => OFFERED.has(state)).length])),
    },
    order_count: {
      needs: ['order_ids.state'],
      run: (_env, rows) =>
        new Map(rows.map((row) => [row.id, row.order_ids.filter(({ state }) => CONFIRMED.has(state)).length])),
    },
    ordered_amount: {
      needs: ['order_ids.state', 'order_ids.amount_total'],
      run: (_env, rows) =>
        new Map(
          rows.map(({ id, order_ids }) => [
            id,
            sumMoney(order_ids.filter(({ state }) => CONFIRMED.has(state)).map((order) => order.amount_total)),
          ]),
        ),
    },
  },
  onchange: {
    async partner_id(env, draft) {
      if (draft.partner_id === null) return undefined
      const [partner] = await env
        .model('core.partner')
        .read([draft.partner_id], ['name', 'is_company', 'parent_id', ...SHARED])
      if (!partner) return undefined
      const company = partner.is_company ? partner.name : (partner.parent_id?.[1] ?? null)
      const contact = partner.is_company ? null : partner.name
      return {
        value: {
          ...Object.fromEntries(SHARED.filter((name) => draft[name] === null).map((name) => [name, partner[name]])),
          ...(draft.partner_name === null ? { partner_name: company } : {}),
          ...(draft.contact_name === null ? { contact_name: contact } : {}),
        },
      }
    },
    async stage_id(env, draft) {
      if (draft.stage_id === null) return undefined
      const [stage] = await env.model('crm.stage').read([draft.stage_id], ['probability'])
      return stage ? { value: { probability: stage.probability } } : undefined
    },
    async user_id(env, draft) {
      if (draft.user_id === null || draft.team_id !== null) return undefined
      const [team] = await env.model('crm.team').search([['member_ids', 'in', [draft.user_id]]], { limit: 1 })
      return team === undefined ? undefined : { value: { team_id: team } }
    },
  },
  events: {
    async created(env, leads) {
      await addCodes(env.sudo(), leads)
      await followStages(env.sudo(), leads, false)
    },
    async updated(env, leads, changed) {
      if (changed.has('stage_id')) await followStages(env.sudo(), leads, !changed.has('probability'))
    },
  },
  actions: {
    action_convert: convertLeads,
    action_won: winLeads,
    action_lost: loseLeads,
    action_restore: restoreLeads,
    action_new_quotation: makeQuotation,
    action_view_orders: openOrders,
  },
})

/** What a lead takes over from its customer, under the same names. */
export const SHARED = [
  'email',
  'phone',
  'website',
  'function',
  'street',
  'zip',
  'city',
  'country_id',
  'latitude',
  'longitude',
] as const

async function firstStage(env: Env): Promise<number | null> {
  const [stage] = await env.sudo().model('crm.stage').search([], { limit: 1 })
  return stage ?? null
}
