import { behavior, defineModel, type Env, type FieldsOf, field, requireCredentialRight } from '#kernel'

export const coreCompany = defineModel('core.company', {
  label: 'Company',
  order: 'sequence, name',
  fields: {
    name: field.char({ required: true, size: 200, unique: true }),
    sequence: field.integer({ default: 10 }),
    parent_id: field.many2one('core.company', { label: 'Parent Company', ondelete: 'restrict' }),
    child_ids: field.one2many('core.company', 'parent_id', { label: 'Branches' }),
    partner_id: field.many2one('core.partner', {
      label: 'Contact',
      ondelete: 'restrict',
      copy: false,
      checkCompany: false,
      help: 'Holds the address; made with the company when none is given.',
    }),
    currency_id: field.many2one('core.currency', { required: true }),
    email: field.char({ label: 'E-mail', related: 'partner_id.email' }),
    phone: field.char({ related: 'partner_id.phone' }),
    website: field.char({ related: 'partner_id.website' }),
    street: field.char({ related: 'partner_id.street' }),
    city: field.char({ related: 'partner_id.city' }),
    zip: field.char({ label: 'Postal Code', related: 'partner_id.zip' }),
    country_id: field.many2one('core.country', { related: 'partner_id.country_id' }),
    vat: field.char({ label: 'Tax ID', related: 'partner_id.vat' }),
    company_registry: field.char({ label: 'Company Registry', size: 64 }),
    logo: field.image(),
    user_ids: field.many2many('core.user', {
      label: 'Users',
      groups: 'base.group_system',
      relationTable: { table: 'core_user_company_ids_rel', left: 'target_id', right: 'source_id' },
    }),
    active: field.boolean({ default: true }),
  },
})

declare module '#kernel' {
  interface Models {
    'core.company': CoreCompany
  }
  interface CoreCompany extends FieldsOf<typeof coreCompany> {}
}

/** First bytes, in base64, of the pictures that a letter can show. */
const PRINTABLE = ['iVBORw0KGgo', '/9j/']

export const coreCompanyBehavior = behavior('core.company', {
  checks: [
    {
      needs: ['logo'],
      check: (env, { logo }) =>
        logo === null || PRINTABLE.some((start) => logo.startsWith(start))
          ? undefined
          : { logo: env.t('Must be a PNG or JPEG picture: letters cannot show others.') },
    },
  ],
  events: {
    async created(env, ids) {
      await requireRightForMembers(env, ids)
      await addMaker(env, ids)
      await addPartners(env.sudo('a new company gets its partner', { beyondScope: true }), ids)
    },
    async updated(env, ids, changed) {
      if (changed.has('user_ids')) requireCredentialRight(env)
      if (changed.has('name'))
        await renamePartners(env.sudo('the partner of a company has its name', { beyondScope: true }), ids)
    },
  },
})

/** Users of a company see its records, so adding users needs the right to change credentials; a new company without users does not. */
async function requireRightForMembers(env: Env, ids: readonly number[]): Promise<void> {
  const companies = env
    .sudo('asks only whether the new companies have users', { beyondScope: true })
    .model('core.company')
  const withUsers = await companies.count([
    ['id', 'in', ids],
    ['user_ids', '!=', null],
  ])
  if (withUsers > 0) requireCredentialRight(env)
}

/** Adds the creator of a company to it: only its users can manage it. The service itself belongs to no company. */
async function addMaker(env: Env, ids: readonly number[]): Promise<void> {
  if (env.isSudo) return
  await env
    .sudo('whoever makes a company belongs to it', { beyondScope: true })
    .model('core.user')
    .write([env.user.id], { company_ids: ids.map((id) => [4, id] as const) })
}

async function addPartners(env: Env, ids: readonly number[]): Promise<void> {
  const companies = await env.model('core.company').read(ids, ['name', 'partner_id'])
  const alone = companies.filter(({ partner_id }) => partner_id === null)
  const partners = await env.model('core.partner').createMany(alone.map(({ name }) => ({ name, is_company: true })))
  await env.model('core.company').writeEach(new Map(alone.map(({ id }, i) => [id, { partner_id: partners[i]! }])))
}

async function renamePartners(env: Env, ids: readonly number[]): Promise<void> {
  const companies = await env.model('core.company').read(ids, ['name', 'partner_id'])
  const partners = companies.flatMap(({ name, partner_id }) => (partner_id ? [[partner_id[0], { name }] as const] : []))
  await env.model('core.partner').writeEach(new Map(partners))
}

/** Currency of the company the caller works in, for defaults of amounts. */
export async function companyCurrency(env: Env): Promise<number | null> {
  const [current] = env.user.companyIds
  if (current === undefined) return null
  const [company] = await env
    .sudo('a default of the company the caller works in', { beyondScope: true })
    .model('core.company')
    .read([current], ['currency_id'])
  return company?.currency_id[0] ?? null
}
