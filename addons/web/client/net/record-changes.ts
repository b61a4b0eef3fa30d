import type { Bus, RecordEvent } from './bus.ts'

export interface RecordChange extends RecordEvent {
  /** A record that may no longer be read counts as deleted. */
  readonly kind: 'created' | 'updated' | 'deleted'
  readonly isHidden?: boolean
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
        changes.set(key, joined(changes.get(key), { ...event, ...kindOf(kind), isOwn }))
      }
    }
    if (isAll || changes.size > MAX_CHANGES) listener(null)
    else if (changes.size > 0) listener([...changes.values()])
  })
}

const kindOf = (kind = ''): Pick<RecordChange, 'kind' | 'isHidden'> =>
  kind === 'hidden' ? { kind: 'deleted', isHidden: true } : { kind: kind as RecordChange['kind'] }

/** Several changes to one record as one. */
function joined(before: RecordChange | undefined, now: RecordChange): RecordChange {
  if (!before) return now
  return {
    ...now,
    // A record that was out of sight may come back.
    kind: now.kind === 'updated' && !before.isHidden ? before.kind : now.kind,
    isOwn: before.isOwn && now.isOwn,
    ...(before.fields && now.fields && { fields: [...before.fields, ...now.fields] }),
  }
}
