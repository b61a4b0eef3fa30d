import { type Action, conflict, type Env, ids, type Row } from '#kernel'
import { listMatching, openForm } from '../../base/models/redirect.ts'

type Lead = Row<'crm.lead'>
type LeadAction = Action<'crm.lead'>

/** Converts leads to opportunities, each with a customer: the partner with the same e-mail address, or a new one. */
export const convertLeads: LeadAction = async (env, leads) => {
  for (const lead of leads) await convert(env, lead)
  return true
}

/** The customer of the opportunity. */
async function convert(env: Env, lead: Lead): Promise<number> {
  if (lead.type === 'opportunity' && lead.partner_id !== null) return lead.partner_id[0]
  const partner_id = lead.partner_id?.[0] ?? (await customerOf(env, lead))
  await env.model('crm.lead').write([lead.id], { type: 'opportunity', partner_id })
  return partner_id
}

async function customerOf(env: Env, lead: Lead): Promise<number> {
  const partners = env.model('core.partner')
  const [known] =
    lead.email === null ? [] : await partners.search([['email', '=ilike', literal(lead.email)]], { limit: 1 })
  if (known !== undefined) return known
  const { email, phone, website, street, zip, city, country_id, latitude, longitude, company_id, user_id } = lead
  const place = { website, street, zip, city, country_id, latitude, longitude, company_id, user_id }
  const company = lead.partner_name
    ? ((await findCompany(env, lead.partner_name)) ??
      (await partners.create({
        name: lead.partner_name,
        is_company: true,
        ...place,
        ...(lead.contact_name ? {} : { email, phone }),
      })))
    : null
  if (company !== null && lead.contact_name === null) return company
  const name = lead.contact_name ?? lead.name
  const { function: position } = lead
  return partners.create({ name, parent_id: company, function: position, email, phone, ...place })
}

async function findCompany(env: Env, name: string): Promise<number | undefined> {
  const [company] = await env.model('core.partner').search(
    [
      ['is_company', '=', true],
      ['name', '=ilike', literal(name)],
    ],
    { limit: 1 },
  )
  return company
}

/** Escapes a text for a pattern, so that it matches only itself, ignoring case. */
const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&')

export const winLeads: LeadAction = async (env, leads) => {
  const [stage] = await env.model('crm.stage').search([['is_won', '=', true]], { limit: 1 })
  if (stage === undefined) throw conflict('business_rule', env.t('There is no stage for won opportunities.'))
  const unwon = ids(leads.filter((lead) => lead.outcome !== 'won'))
  const date_closed = env.now.toISOString()
  const values = { stage_id: stage, type: 'opportunity', active: true, lost_reason: null, date_closed } as const
  return env.model('crm.lead').write(unwon, values)
}

export const assignLeadsToMe: LeadAction = (env, leads) =>
  env.model('crm.lead').write(ids(leads), { user_id: env.user.id })

/** Marks leads as lost and archives them; `lost_reason` says why. */
export const loseLeads: LeadAction = async (env, leads, { lost_reason }) => {
  const won = leads.filter((lead) => lead.outcome === 'won')
  if (won.length > 0) {
    throw conflict('business_rule', env.t('{names}: already won.', { names: won.map((lead) => lead.name).join(', ') }))
  }
  const date_closed = env.now.toISOString()
  return env
    .model('crm.lead')
    .write(ids(leads), { active: false, probability: 0, date_closed, ...(lost_reason ? { lost_reason } : {}) })
}

export const restoreLeads: LeadAction = async (env, leads) => {
  for (const lead of leads) {
    const [stage] = lead.stage_id
      ? await env.model('crm.stage').read([lead.stage_id[0]], ['probability', 'is_won'])
      : []
    const probability = stage?.probability ?? null
    const reopened = stage?.is_won ? {} : { date_closed: null, lost_reason: null, probability }
    await env.model('crm.lead').write([lead.id], { active: true, ...reopened })
  }
  return true
}

/** Creates a quotation for the customer of the opportunity (and the customer if there is none) and opens it. */
export const makeQuotation: LeadAction = async (env, [lead]) => {
  if (lead === undefined) return true
  const partner_id = await convert(env, lead)
  const { id: lead_id, company_id, currency_id } = lead
  const user_id = lead.user_id ?? env.user.id
  const order = await env.model('sale.order').create({ lead_id, partner_id, user_id, company_id, currency_id })
  return openForm('sale.order', order)
}

/** Opens the only order of an opportunity, otherwise the list of orders of its customer. */
export const openOrders: LeadAction = (_env, [lead]) => {
  const [order, ...more] = lead?.order_ids ?? []
  if (order !== undefined && more.length === 0) return openForm('sale.order', order)
  return listMatching('sale.order', lead?.partner_id?.[1] ?? '')
}
