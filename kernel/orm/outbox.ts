import type { Env } from '../env.ts'
import type { Model } from '../model/registry.ts'
import { sql } from '../sql-text.ts'

/** Beyond this many records of one model in a transaction, one `model.changed` stands for all of them. */
const RECORDS_PER_MODEL = 100

export type RecordChannel = 'record.created' | 'record.updated' | 'record.deleted'

interface Message {
  readonly channel: string
  readonly payload: Readonly<Record<string, unknown>>
}

interface RecordChange {
  readonly channel: RecordChannel
  /** Written fields; null when the whole record is concerned. */
  readonly fields: Set<string> | null
}

/** What a transaction has to tell, kept until just before its commit so that it is written in one statement. */
export class Outbox {
  readonly messages: Message[] = []
  readonly changes = new Map<string, Map<number, RecordChange>>()

  record(channel: RecordChannel, model: string, ids: readonly number[], fields: Iterable<string> | null): void {
    const known = this.changes.get(model) ?? new Map<number, RecordChange>()
    this.changes.set(model, known)
    for (const id of ids) {
      const before = known.get(id)
      // A record made and changed in one transaction is, to everyone else, a new record.
      if (before?.channel === 'record.created' && channel === 'record.updated') continue
      const names = fields === null ? null : new Set([...(before?.fields ?? []), ...fields])
      known.set(id, { channel, fields: names })
    }
  }
}

export function recordUpdated(env: Env, model: Model, ids: readonly number[], fields: Iterable<string>): void {
  env.outbox.record('record.updated', model.name, ids, fields)
}

/** Writes everything that was collected; the rows it speaks of are locked by now, so ids rise in commit order. */
export async function flushOutbox(env: Env): Promise<void> {
  const messages = [...env.outbox.messages]
  for (const [model, changes] of env.outbox.changes) {
    if (changes.size > RECORDS_PER_MODEL) messages.push({ channel: 'model.changed', payload: { model } })
    else {
      for (const [id, { channel, fields }] of changes) {
        messages.push({ channel, payload: fields === null ? { model, id } : { model, id, fields: [...fields] } })
      }
    }
  }
  env.outbox.messages.length = 0
  env.outbox.changes.clear()
  if (messages.length === 0) return
  const rows = sql`json_to_recordset(${JSON.stringify(messages)}::json) as m(channel text, payload jsonb)`
  await sql`insert into sys_outbox (channel, payload) select m.channel, m.payload from ${rows}`.execute(env.tx)
}
