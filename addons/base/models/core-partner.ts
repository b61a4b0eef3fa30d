import { behavior, defineModel, type FieldsOf, field, ids as idsOf } from '#kernel'
import { coordinates } from './coordinates.ts'
import { KEEPERS, keepersOf, ownerGuard } from './partner-owner.ts'

export const corePartner = defineModel('core.partner', {
  label: 'Contact',
  order: 'name',
  searchFields: ['name', 'ref', 'email'],
  aboutFields: ['parent_id', 'city'],
  mixins: [coordinates],
  fields: {
    name: field.char({ required: true, size: 200, index: true, tracking: true }),
    ref: field.char({ label: 'Reference', size: 64, index: true }),
    is_company: field.boolean({ label: 'Is a Company' }),
    parent_id: field.many2one('core.partner', { label: 'Company of the Contact', index: true }),
    child_ids: field.one2many('core.partner', 'parent_id', { label: 'Contacts' }),
    function: field.char({ label: 'Job Position', size: 100 }),
    email: field.char({ label: 'E-mail', size: 254, tracking: true }),
    phone: field.char({ size: 64, tracking: true }),
    mobile: field.char({ size: 64 }),
    website: field.char({ size: 500 }),
    vat: field.char({ label: 'Tax ID', size: 32 }),
    street: field.char({ size: 200 }),
    street2: field.char({ label: 'Street, Second Line', size: 200 }),
    city: field.char({ size: 100 }),
    zip: field.char({ label: 'Postal Code', size: 24 }),
    country_id: field.many2one('core.country', { ondelete: 'restrict' }),
    lang: field.char({ label: 'Language', size: 16 }),
    tag_ids: field.many2many('core.tag', { label: 'Tags' }),
    user_id: field.many2one('core.user', { label: 'Salesperson', tracking: true }),
    company_id: field.many2one('core.company', { index: true }),
    image: field.image(),
    note: field.html(),
    active: field.boolean({ default: true }),
    account_ids: field.one2many('core.user', 'partner_id', { label: 'User Accounts', readonly: true }),
    own_company_ids: field.one2many('core.company', 'partner_id', {
      label: 'Companies of the Service',
      readonly: true,
    }),
    kept_by: field.selection(KEEPERS, { label: 'Kept By', compute: 'read', help: 'Who alone may change it.' }),
  },
})

declare module '#kernel' {
  interface Models {
    'core.partner': CorePartner
  }
  interface CorePartner extends FieldsOf<typeof corePartner> {}
}

export const corePartnerBehavior = behavior('core.partner', {
  computes: { kept_by: { needs: [], run: (env, partners) => keepersOf(env, idsOf(partners)) } },
  events: { guard: ownerGuard },
})
