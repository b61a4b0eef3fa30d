import { behavior, defineModel, type FieldsOf, field, sumMoney } from '#kernel'
import { companyCurrency } from '../../base/models/core-company.ts'

export const crmTeam = defineModel('crm.team', {
  label: 'Sales Team',
  order: 'sequence, name',
  expandGroups: true,
  handOver: { user_id: { label: 'Teams led' } },
  fields: {
    name: field.char({ required: true, size: 100 }),
    sequence: field.integer({ required: true, default: 10 }),
    user_id: field.many2one('core.user', { label: 'Team Leader' }),
    member_ids: field.many2many('core.user', { label: 'Members' }),
    company_id: field.many2one('core.company', { index: true, default: (env) => env.user.companyIds[0] ?? null }),
    currency_id: field.many2one('core.currency', { required: true, default: companyCurrency }),
    target: field.monetary({ label: 'Yearly Target', help: 'Revenue the team wants to win in a year.' }),
    lead_ids: field.one2many('crm.lead', 'team_id', { label: 'Leads' }),
    open_count: field.integer({ label: 'Open Opportunities', compute: 'read' }),
    pipeline_revenue: field.monetary({
      compute: 'read',
      help: 'Expected revenue of the open opportunities in the currency of the team.',
    }),
    won_revenue: field.monetary({ compute: 'read', help: 'Won in this calendar year.' }),
    target_progress: field.float({ label: 'Target Reached (%)', compute: 'read', digits: [12, 2] }),
    color: field.integer({ default: 0, help: 'Index into the palette of the client.' }),
    active: field.boolean({ default: true }),
  },
  constraints: {
    target_positive: { check: 'target >= 0', fields: ['target'], message: 'A target is not negative.' },
  },
})

declare module '#kernel' {
  interface Models {
    'crm.team': CrmTeam
  }
  interface CrmTeam extends FieldsOf<typeof crmTeam> {}
}

export const crmTeamBehavior = behavior('crm.team', {
  computes: {
    open_count: {
      needs: ['lead_ids.type', 'lead_ids.outcome', 'lead_ids.active'],
      run: (_env, rows) => new Map(rows.map((row) => [row.id, row.lead_ids.filter(isOpenOpportunity).length])),
    },
    pipeline_revenue: {
      needs: [
        'currency_id',
        'lead_ids.type',
        'lead_ids.outcome',
        'lead_ids.active',
        'lead_ids.currency_id',
        'lead_ids.expected_revenue',
      ],
      run: (_env, rows) => new Map(rows.map((row) => [row.id, revenueOf(row, row.lead_ids.filter(isOpenOpportunity))])),
    },
    won_revenue: {
      needs: [
        'currency_id',
        'lead_ids.outcome',
        'lead_ids.date_closed',
        'lead_ids.currency_id',
        'lead_ids.expected_revenue',
      ],
      run: (env, rows) => {
        const year = env.now.toISOString().slice(0, 4)
        const isThisYear = ({ outcome, date_closed }: Closing) => outcome === 'won' && !!date_closed?.startsWith(year)
        return new Map(rows.map((row) => [row.id, revenueOf(row, row.lead_ids.filter(isThisYear))]))
      },
    },
    target_progress: {
      needs: ['target', 'won_revenue'],
      run: (_env, rows) =>
        new Map(rows.map(({ id, target, won_revenue }) => [id, target ? ((won_revenue ?? 0) / target) * 100 : null])),
    },
  },
})

interface Closing {
  readonly outcome: string | null
  readonly date_closed: string | null
}

interface Prospect {
  readonly type: string
  readonly outcome: string | null
  readonly active: boolean
}

const isOpenOpportunity = ({ type, outcome, active }: Prospect) =>
  active && type === 'opportunity' && outcome === 'open'

interface Revenue {
  readonly currency_id: number | null
  readonly expected_revenue: number | null
}

/** Leads in another currency than the team's are not added up. */
const revenueOf = (team: { readonly currency_id: number | null }, leads: readonly Revenue[]) =>
  sumMoney(leads.filter((lead) => lead.currency_id === team.currency_id).map((lead) => lead.expected_revenue))
