import type { Env } from '../env.ts'
import { sql } from '../sql/sql.ts'
import { publishTracked } from './tracking.ts'

/** If a transaction changes more records of a model than this, one `model.changed` event replaces their own. */
const RECORDS_PER_MODEL = 100

/** Writes all collected events. The rows they are about are locked by now, so event ids of a record are in commit order. */
export async function flushOutbox(env: Env): Promise<void> {
  await publishTracked(env)
  const { outbox } = env
  for (const [model, changes] of outbox.changes) {
    if (changes.size > RECORDS_PER_MODEL) outbox.publish('model.changed', { model })
    else {
      for (const [id, { channel, fields, companyId }] of changes)
        outbox.publish(channel, fields === null ? { model, id } : { model, id, fields: [...fields] }, { companyId })
    }
  }
  const messages = outbox.messages.splice(0)
  outbox.changes.clear()
  if (messages.length === 0) return
  const rows = sql`json_to_recordset(${JSON.stringify(messages)}::json)
    as m(channel text, payload jsonb, user_id int, company_id int)`
  await sql`insert into sys_outbox (channel, payload, user_id, company_id)
    select m.channel, m.payload, m.user_id, m.company_id from ${rows}`.execute(env.tx)
}
