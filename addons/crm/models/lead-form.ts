import { behavior } from '#kernel'

/** Fields that a lead copies from its customer; they have the same names. */
const SHARED = [
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

/** Values that the form of a lead fills in while it is edited. */
export const crmLeadForm = behavior('crm.lead', {
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
})
