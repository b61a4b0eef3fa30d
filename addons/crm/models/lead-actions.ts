import { type Action, byId, conflict, type Domain, type Env, ids, type Row } from '#kernel'
import { listWhere, openForm } from '../../base/models/redirect.ts'
import { customersOf } from './lead-customers.ts'
import { CONFIRMED, OFFERED } from './lead-figures.ts'

type LeadAction = Action<'crm.lead'>

/** Converts leads to opportunities, each with its customer if it names one: the partner with the same e-mail address, or a new one. */
export const convertLeads: LeadAction = async (env, leads) => {
  const converted = leads.filter(({ type }) => type === 'opportunity')
  if (converted.length > 0) {
    const names = converted.map(({ name }) => name).join(', ')
    throw conflict('business_rule', env.t('{names}: already an opportunity.', { names }))
  }
  await convert(env, leads)
  return true
}

/** The customers of the opportunities, by lead. */
async function convert(env: Env, leads: readonly Row<'crm.lead'>[]): Promise<ReadonlyMap<number, number>> {
  const customers = await customersOf(env, leads)
  const changed = leads.filter(
    ({ id, type, partner_id }) => type === 'lead' || (partner_id?.[0] ?? null) !== (customers.get(id) ?? null),
  )
  await env
    .model('crm.lead')
    .writeEach(new Map(changed.map(({ id }) => [id, { type: 'opportunity', partner_id: customers.get(id) ?? null }])))
  return customers
}

export const winLeads: LeadAction = async (env, leads) => {
  const [stage] = await env.model('crm.stage').search([['is_won', '=', true]], { limit: 1 })
  if (stage === undefined) throw conflict('business_rule', env.t('There is no stage for won opportunities.'))
  const unwon = ids(leads.filter((lead) => lead.outcome !== 'won'))
  const date_closed = env.now.toISOString()
  const values = { stage_id: stage, type: 'opportunity', active: true, lost_reason: null, date_closed } as const
  return env.model('crm.lead').write(unwon, values, { setsReadonly: true })
}

export const assignLeadsToMe: LeadAction = (env, leads) =>
  env.model('crm.lead').write(ids(leads), { user_id: env.user.id })

/** Marks leads as lost and archives them; `lost_reason` says why. A lead that is already lost keeps its closing date. */
export const loseLeads: LeadAction = async (env, leads, { lost_reason }) => {
  const won = leads.filter((lead) => lead.outcome === 'won')
  if (won.length > 0) {
    throw conflict('business_rule', env.t('{names}: already won.', { names: won.map((lead) => lead.name).join(', ') }))
  }
  const now = env.now.toISOString()
  const reason = lost_reason ? { lost_reason } : {}
  const values = leads.map(
    ({ id, date_closed }) =>
      [id, { active: false, probability: 0, date_closed: date_closed ?? now, ...reason }] as const,
  )
  return env.model('crm.lead').writeEach(new Map(values), { setsReadonly: true })
}

export const restoreLeads: LeadAction = async (env, leads) => {
  const stageIds = [...new Set(leads.flatMap(({ stage_id }) => stage_id?.[0] ?? []))]
  const stages = byId(await env.model('crm.stage').read(stageIds, ['probability', 'is_won']))
  const restored = leads.map(({ id, stage_id }) => {
    const stage = stages.get(stage_id?.[0] ?? 0)
    const probability = stage?.probability ?? null
    const reopened = stage?.is_won ? {} : { date_closed: null, lost_reason: null, probability }
    return [id, { active: true, ...reopened }] as const
  })
  return env.model('crm.lead').writeEach(new Map(restored), { setsReadonly: true })
}

/** Creates a quotation for the customer of the opportunity and opens it. If the opportunity only names a customer, a contact is created, and the user is told. */
export const makeQuotation: LeadAction = async (env, [lead]) => {
  if (lead === undefined) return true
  const { id: lead_id, company_id, currency_id } = lead
  const partner_id = (await convert(env, [lead])).get(lead_id)
  if (partner_id === undefined) {
    throw conflict(
      'business_rule',
      env.t('{name} has no customer: choose one, or enter the name of the company or the contact.', {
        name: lead.name,
      }),
    )
  }
  const user_id = lead.user_id ?? env.user.id
  const order = await env.model('sale.order').create({ lead_id, partner_id, user_id, company_id, currency_id })
  return lead.partner_id === null
    ? { ...openForm('sale.order', order), notice: await customerNotice(env, partner_id) }
    : openForm('sale.order', order)
}

async function customerNotice(env: Env, partner_id: number): Promise<string> {
  const [partner] = await env.model('core.partner').read([partner_id], ['display_name'])
  return env.t('Customer of the opportunity is now {name}.', { name: partner!.display_name })
}

/** Opens the quotations, or the orders, of an opportunity: the only one itself, otherwise the list of them. */
const openIn =
  (states: readonly string[], measure?: string): LeadAction =>
  async (env, [lead]) => {
    if (lead === undefined) return true
    const domain: Domain<'sale.order'> = [
      ['lead_id', '=', lead.id],
      ['state', 'in', states],
    ]
    const [order, ...more] = await env.model('sale.order').search(domain, { limit: 2 })
    if (order !== undefined && more.length === 0) return openForm('sale.order', order)
    return listWhere('sale.order', lead.name, domain, measure)
  }

export const openQuotations: LeadAction = openIn([...OFFERED])
export const openOrders: LeadAction = openIn([...CONFIRMED], 'amount_total')
