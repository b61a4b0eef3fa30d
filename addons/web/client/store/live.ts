import type { Bus, RecordEvent } from '../net/bus.ts'
import type { Rpc } from '../net/rpc.ts'
import type { RecordEntry, RecordStore } from './records.ts'

/** Keeps the records on screen up to date: those changed by others are read again, deleted ones are marked. */
export function followBus(bus: Bus, rpc: Rpc, records: RecordStore): () => void {
  const reread = (model: string, entries: readonly RecordEntry[]) => {
    for (const [fields, those] of byFields(entries)) {
      const ids = those.map(({ id }) => id)
      // A record that is hidden or deleted by now stays as it is until the view is loaded again.
      rpc.read(model, ids, fields.split(',')).then(
        (rows) => records.put(model, rows, { isNews: true }),
        () => undefined,
      )
    }
  }
  const stops = [
    rpc.onChanged((model, ids) => bus.expectEcho(model, ids)),
    bus.on('record.updated', (events) => {
      for (const [model, ids] of idsByModel(events)) {
        reread(
          model,
          [...ids].flatMap((id) => records.peek(model, id) ?? []),
        )
      }
    }),
    bus.on('record.deleted', (events) => {
      for (const [model, ids] of idsByModel(events)) records.markDeleted(model, [...ids])
    }),
    bus.on('model.changed', (events) => {
      for (const model of new Set(events.map((event) => event.model))) reread(model, records.held(model))
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

function idsByModel(events: readonly RecordEvent[]): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map<string, Set<number>>()
  for (const { model, id } of events) found.set(model, (found.get(model) ?? new Set<number>()).add(id))
  return found
}

/** Entries with the same loaded fields are read in one call. */
function byFields(entries: readonly RecordEntry[]): ReadonlyMap<string, readonly RecordEntry[]> {
  const found = new Map<string, RecordEntry[]>()
  for (const entry of entries) {
    const fields = Object.keys(entry.values.base.peek())
      .filter((name) => name !== 'id')
      .toSorted()
      .join(',')
    if (fields === '') continue
    const those = found.get(fields)
    if (those) those.push(entry)
    else found.set(fields, [entry])
  }
  return found
}
