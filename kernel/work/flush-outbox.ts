import type { Env } from '../env.ts'
import { EVENTS_PER_MODEL } from '../outbox.ts'
import { type QueryTraits, sql } from '../sql/sql.ts'
import { publishTracked } from './tracking.ts'

/**
 * Writes all collected events and returns whether there were any. The changed rows are locked by now, so event ids of a record are in
 * commit order. With `isLast` they are committed in the same round trip.
 */
export async function flushOutbox(env: Env, traits: Pick<QueryTraits, 'isLast'> = {}): Promise<boolean> {
  await publishTracked(env)
  const { outbox, user } = env
  // Events name the user, since the last writer of a deleted record can no longer be read from it.
  const by = user.id > 0 && { by: [user.id, user.name] }
  for (const [model, changes] of outbox.changes) {
    const isVague = outbox.isVague(model)
    if (changes.size > EVENTS_PER_MODEL || (isVague && changes.size > 0)) outbox.publish('model.changed', { model })
    if (changes.size <= EVENTS_PER_MODEL) {
      for (const [id, { channel, fields, before }] of changes)
        outbox.publish(
          channel,
          { model, id, ...(fields && { fields: [...fields] }), ...(channel === 'record.deleted' && by) },
          {},
          isVague ? null : before,
        )
    }
  }
  const messages = outbox.messages.splice(0)
  outbox.clear()
  if (messages.length === 0) return false
  const rows = sql`json_to_recordset(${JSON.stringify(messages)}::json)
    as m(channel text, payload jsonb, user_id int, company_id int, before jsonb)`
  await sql`insert into sys_outbox (channel, payload, user_id, company_id, before)
    select m.channel, m.payload, m.user_id, m.company_id, m.before from ${rows}`.execute(env.tx, traits)
  return true
}
