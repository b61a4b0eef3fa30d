import { type Action, behavior, extendModel, type FieldsOf, field } from '#kernel'
import { listMatching } from '../../sale/models/list-matching.ts'

/** A customer knows the leads it came with. */
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

const openLeads: Action<'core.partner'> = (_env, [partner]) => listMatching('crm.lead', partner?.name ?? '')

export const corePartnerLeadBehavior = behavior('core.partner', {
  computes: {
    /** Counts what the reader may see, so it is asked for and not added up from the links. */
    opportunity_count: {
      needs: [],
      async run(env, partners) {
        const counts = new Map(partners.map(({ id }) => [id, 0]))
        const leads = await env.model('crm.lead').searchRead(
          [
            ['partner_id', 'in', [...counts.keys()]],
            ['type', '=', 'opportunity'],
            ['outcome', '=', 'open'],
          ],
          ['partner_id'],
        )
        for (const { partner_id } of leads) counts.set(partner_id![0], (counts.get(partner_id![0]) ?? 0) + 1)
        return counts
      },
    },
  },
  actions: { action_view_leads: openLeads },
})
