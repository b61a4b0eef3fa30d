import { type Env, recomputeStored } from '#kernel'

/** Moves activities on from planned to today to overdue, and with them what their leads and boards show. */
export async function refreshActivities(env: Env): Promise<void> {
  const outdated = await env
    .model('crm.activity')
    .search([
      '|',
      '&',
      ['state', '=', 'planned'],
      ['date_deadline', '<=', 'today'],
      '&',
      ['state', '=', 'today'],
      ['date_deadline', '<', 'today'],
    ])
  await recomputeStored(env, 'crm.activity', outdated, ['state'])
}
