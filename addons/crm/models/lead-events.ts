import { byId, type Env } from '#kernel'

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
  const stages = byId(await env.model('crm.stage').read([...new Set(stageIds)], ['probability', 'is_won']))
  const synced = rows.map(({ id, stage_id, active, probability, date_closed }) => {
    const stage = active ? stages.get(stage_id?.[0] ?? 0) : undefined
    if (stage === undefined) return [id, {}] as const
    const isUnsure = isMoved || stage.is_won || probability === null
    const isOther = stage.is_won === (date_closed === null)
    return [
      id,
      {
        ...(isUnsure ? { probability: stage.probability } : {}),
        ...(isOther ? { date_closed: stage.is_won ? env.now.toISOString() : null } : {}),
      },
    ] as const
  })
  await leads.writeEach(new Map(synced.filter(([, values]) => Object.keys(values).length > 0)))
}
