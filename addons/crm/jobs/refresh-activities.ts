import { type Env, recomputeStored } from '#kernel'

/** Updates the state of activities from planned to today to overdue, and the leads and boards that show it. */
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
