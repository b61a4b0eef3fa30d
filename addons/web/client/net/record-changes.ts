import type { Bus, RecordEvent } from './bus.ts'

export interface RecordChange extends RecordEvent {
  readonly kind: 'created' | 'updated' | 'deleted'
  /** Whether this client made the change. */
  readonly isOwn: boolean
}

/** With more changes at once it is cheaper to load everything again. */
const MAX_CHANGES = 200

/** Calls the listener with the changes of one moment to records of these models; with null if anything may have changed. */
export function onRecordChanges(
  bus: Bus,
  models: readonly string[],
  listener: (changes: readonly RecordChange[] | null) => void,
): () => void {
  return bus.listen((messages) => {
    const changes = new Map<string, RecordChange>()
    let isAll = false
    for (const { channel, payload, isOwn = false } of messages) {
      const [about, kind] = channel.split('.')
      // All of these channels name a model by contract, except `resync`, which is about everything.
      if (channel === 'resync') isAll = true
      else if ((about !== 'record' && about !== 'model') || !models.includes((payload as RecordEvent).model)) continue
      else if (about === 'model') isAll = true
      else {
        const event = payload as RecordEvent
        const key = `${event.model}/${event.id}`
        changes.set(key, joined(changes.get(key), { ...event, kind: kind as RecordChange['kind'], isOwn }))
      }
    }
    if (isAll || changes.size > MAX_CHANGES) listener(null)
    else if (changes.size > 0) listener([...changes.values()])
  })
}

/** Several changes to one record as one. */
function joined(before: RecordChange | undefined, now: RecordChange): RecordChange {
  if (!before) return now
  return {
    ...now,
    kind: now.kind === 'updated' ? before.kind : now.kind,
    isOwn: before.isOwn && now.isOwn,
    ...(before.fields && now.fields && { fields: [...before.fields, ...now.fields] }),
  }
}
