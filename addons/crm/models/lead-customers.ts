import { type Env, ids, type Row, sql } from '#kernel'

type Lead = Row<'crm.lead'>

/**
 * The customer of each lead, by the id of the lead: its own, the partner with the same e-mail address, or a new one. Leads with
 * the same address or company share it. A lead without company, contact and address has no customer, since its subject names none.
 * The number of statements does not depend on the number of leads.
 */
export async function customersOf(env: Env, leads: readonly Lead[]): Promise<ReadonlyMap<number, number>> {
  const customers = new Map(leads.flatMap(({ id, partner_id }) => (partner_id ? [[id, partner_id[0]] as const] : [])))
  const open = leads.filter((lead) => !customers.has(lead.id) && namesSomebody(lead))
  if (open.length === 0) return customers
  const { byEmail, companies } = await knownPartners(env, open)
  // Only the first lead with an address gets a new customer; the others share it.
  const fresh = open.filter((lead, index) => {
    const same = lead.email === null ? index : open.findIndex((other) => keyOf(other.email) === keyOf(lead.email))
    return same === index && !byEmail.has(keyOf(lead.email))
  })
  await addCompanies(env, fresh, companies)
  const companyOf = ({ partner_name }: Lead) => companies.get(keyOf(partner_name)) ?? null
  const people = fresh.filter((lead) => companyOf(lead) === null || lead.contact_name !== null)
  const created = await env.model('core.partner').createMany(
    people.map((lead) => {
      const { contact_name, email, phone, function: position } = lead
      return {
        name: (contact_name ?? email)!,
        parent_id: companyOf(lead),
        function: position,
        email,
        phone,
        ...placeOf(lead),
      }
    }),
  )
  for (const [index, { id }] of people.entries()) customers.set(id, created[index]!)
  for (const lead of fresh) {
    if (!customers.has(lead.id)) customers.set(lead.id, companyOf(lead)!)
    if (lead.email !== null) byEmail.set(keyOf(lead.email), customers.get(lead.id)!)
  }
  for (const { id, email } of open) if (!customers.has(id)) customers.set(id, byEmail.get(keyOf(email))!)
  return customers
}

const namesSomebody = ({ contact_name, partner_name, email }: Lead): boolean =>
  [contact_name, partner_name, email].some((text) => text !== null)

/** Texts that differ only in case count as equal. */
const keyOf = (text: string | null): string => text?.toLowerCase() ?? ''

function placeOf({ website, street, zip, city, country_id, latitude, longitude, company_id, user_id }: Lead) {
  return { website, street, zip, city, country_id, latitude, longitude, company_id, user_id }
}

/** Partners the caller may see, by the addresses, and companies by the company names of these leads. */
async function knownPartners(env: Env, leads: readonly Lead[]) {
  const emails = leads.flatMap(({ email }) => email ?? [])
  const names = leads.flatMap(({ partner_name }) => partner_name ?? [])
  const { rows } = await sql<{ id: number }>`
    select id from core_partner
    where lower(email) in (select lower(x) from unnest(${emails}::text[]) as x)
      or (is_company and lower(name) in (select lower(x) from unnest(${names}::text[]) as x))`.execute(env.tx)
  const partners = await env
    .model('core.partner')
    .searchRead([['id', 'in', ids(rows)]], ['name', 'email', 'is_company'])
  const [byEmail, companies] = [new Map<string, number>(), new Map<string, number>()]
  // The first in the order of partners counts.
  for (const { id, name, email, is_company } of partners.toReversed()) {
    if (email !== null) byEmail.set(keyOf(email), id)
    if (is_company) companies.set(keyOf(name), id)
  }
  return { byEmail, companies }
}

/** Creates companies that the leads name and that do not exist, and adds them to `companies`. */
async function addCompanies(env: Env, leads: readonly Lead[], companies: Map<string, number>): Promise<void> {
  const unknown = new Map<string, Lead>()
  for (const lead of leads) {
    const key = keyOf(lead.partner_name)
    if (key !== '' && !companies.has(key) && !unknown.has(key)) unknown.set(key, lead)
  }
  const created = await env.model('core.partner').createMany(
    [...unknown.values()].map((lead) => {
      const { partner_name, contact_name, email, phone } = lead
      return { name: partner_name!, is_company: true, ...placeOf(lead), ...(contact_name ? {} : { email, phone }) }
    }),
  )
  for (const [index, key] of [...unknown.keys()].entries()) companies.set(key, created[index]!)
}
