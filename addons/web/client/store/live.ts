import type { Bus } from '../net/bus.ts'
import { CallError } from '../net/errors.ts'
import type { Row, Rpc } from '../net/rpc.ts'
import { noteLoss } from './loss.ts'
import { type RecordEntry, type RecordStore, writerOf } from './records.ts'

/**
 * Keeps the records on screen up to date: those that changed are read again, deleted ones are marked. Changes that are not
 * listed one by one are up to the views, which load again what they show.
 */
export function followBus(bus: Bus, rpc: Rpc, records: RecordStore, userId: number): () => void {
  const take = (model: string, rows: readonly Row[]) => {
    // Only what others changed is highlighted.
    const isOthers = (row: Row) => writerOf(row)?.[0] !== userId
    records.put(model, rows.filter(isOthers), { isRemote: true })
    records.put(
      model,
      rows.filter((row) => !isOthers(row)),
    )
  }

  async function reread(model: string, ids: readonly number[], fields: readonly string[]): Promise<void> {
    try {
      take(model, await rpc.read(model, ids, fields))
      // A hidden record that can be read again is shown again.
      for (const id of ids) {
        const entry = records.peek(model, id)
        if (entry?.deleted.peek() === 'hidden') entry.deleted.value = false
      }
    } catch (error) {
      // One record that is hidden or deleted by now fails the whole call: the others are found by halves.
      const isPartial = error instanceof CallError && (error.code === 'NOT_FOUND' || error.code === 'ACCESS_DENIED')
      if (ids.length < 2) for (const id of ids) noteLoss(records.peek(model, id), error)
      if (!isPartial || ids.length < 2) return
      const half = Math.ceil(ids.length / 2)
      await Promise.all([reread(model, ids.slice(0, half), fields), reread(model, ids.slice(half), fields)])
    }
  }

  const stops = [
    bus.on('record.updated', (events) => {
      const entries = new Set(events.flatMap(({ model, id }) => records.peek(model, id) ?? []))
      for (const [key, those] of byFields([...entries])) {
        const [model = '', ...fields] = key.split(',')
        const ids = those.map(({ id }) => id)
        void reread(model, ids, [...new Set([...fields, 'write_uid'])])
      }
    }),
    bus.on('record.hidden', (events) => {
      for (const { model, id } of events) records.markDeleted(model, [id], 'hidden')
    }),
    bus.on('record.deleted', (events) => {
      for (const { model, id, by } of events) records.markDeleted(model, [id], by)
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Entries of the same model with the same loaded fields are read in one call. */
function byFields(entries: readonly RecordEntry[]): ReadonlyMap<string, readonly RecordEntry[]> {
  const found = new Map<string, RecordEntry[]>()
  for (const entry of entries) {
    const fields = Object.keys(entry.values.base.peek()).filter((name) => name !== 'id')
    if (fields.length === 0) continue
    const key = [entry.model, ...fields.toSorted()].join()
    found.set(key, [...(found.get(key) ?? []), entry])
  }
  return found
}
