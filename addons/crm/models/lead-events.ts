import type { Env } from '#kernel'

/**
 * Updates probability and closing date after a change of stage. The lead gets the probability of the stage if the caller gave
 * none (`isMoved`) or it has none. It is closed in a won stage and reopened when it leaves that stage; lost leads stay
 * closed.
 */
export async function syncLeadsWithStage(env: Env, changed: readonly number[], isMoved: boolean): Promise<void> {
  const leads = env.model('crm.lead')
  const rows = await leads.searchRead([['id', 'in', changed]], ['stage_id', 'probability', 'date_closed', 'active'], {
    archived: 'include',
  })
  const stageIds = rows.flatMap(({ stage_id }) => (stage_id ? [stage_id[0]] : []))
  const stages = await env.model('crm.stage').read([...new Set(stageIds)], ['probability', 'is_won'])
  for (const stage of stages) {
    const here = rows.filter(({ stage_id, active }) => active && stage_id?.[0] === stage.id)
    const unsure = here.filter(({ probability }) => isMoved || stage.is_won || probability === null)
    await leads.write(idsOf(unsure), { probability: stage.probability })
    const unclosed = here.filter(({ date_closed }) => stage.is_won && date_closed === null)
    await leads.write(idsOf(unclosed), { date_closed: env.now.toISOString() })
    const reopened = here.filter(({ date_closed }) => !stage.is_won && date_closed !== null)
    await leads.write(idsOf(reopened), { date_closed: null })
  }
}

const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id)
