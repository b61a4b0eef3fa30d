import { type Action, behavior, type Domain, extendModel, type FieldsOf, field, ids } from '#kernel'
import { listWhere } from '../../base/models/redirect.ts'

/** Adds the leads of a customer. */
export const corePartnerLead = extendModel('core.partner', {
  fields: {
    lead_ids: field.one2many('crm.lead', 'partner_id', { label: 'Leads', groups: 'crm.group_user' }),
    opportunity_count: field.integer({
      label: 'Open Opportunities',
      compute: 'read',
      groups: 'crm.group_user',
    }),
  },
})

declare module '#kernel' {
  interface CorePartner extends FieldsOf<typeof corePartnerLead> {}
}

const openOf = (partners: readonly number[]): Domain<'crm.lead'> => [
  ['partner_id', 'in', partners],
  ['type', '=', 'opportunity'],
  ['outcome', '=', 'open'],
]

const openLeads: Action<'core.partner'> = (_env, [partner]) =>
  partner && listWhere('crm.lead', partner.name, openOf([partner.id]))

export const corePartnerLeadBehavior = behavior('core.partner', {
  computes: {
    /** Counts only leads the user may see, so it is queried and not computed from the links. */
    opportunity_count: {
      needs: [],
      async run(env, partners) {
        const counts = await env.model('crm.lead').countBy('partner_id', openOf(ids(partners)))
        return new Map(partners.map(({ id }) => [id, counts.get(id) ?? 0]))
      },
    },
  },
  actions: { action_view_leads: openLeads },
  actionGroups: { action_view_leads: 'crm.group_user' },
})
