import { mayReadField, mayUseModel } from '../access/acl.ts'
import type { Env } from '../env.ts'
import type { Model } from '../model/registry.ts'
import { couldRead } from '../orm/record/rule-values.ts'
import { filterInSlices, slicesOf } from '../slices.ts'
import type { LoggedEvent, Payload } from './follow-outbox.ts'
import { groupPeers, type Peers } from './peers.ts'
import { isAway, type ReadableIds, readableIdsByEnv } from './readable-ids.ts'
import { isVisible, visibleUsers } from './visible-users.ts'

/** An event in the form in which some readers get it. */
export interface Delivery {
  readonly channel: string
  readonly payload: Payload
  readonly readers: readonly Env[]
}

/** What an event is about: a record, or with id null its model. */
interface Subject {
  readonly model: Model
  readonly id: number | null
}

/** Whether a reader may see the subject of an event, or loses sight of it by an update. */
interface Sight {
  sees(reader: Env, event: LoggedEvent): boolean
  loses(reader: Env, event: LoggedEvent): boolean
}

/**
 * Who gets which of these events, in their order. An event about a record reaches those who may read the record, or could before it was
 * deleted, and names only fields they may read; an update of other fields is not delivered. Readers who may no longer read a record after
 * an update get `record.hidden` instead, which reveals nothing else.
 */
export async function deliveriesOf(
  readers: readonly Env[],
  events: readonly LoggedEvent[],
): Promise<readonly Delivery[]> {
  const [first] = readers
  if (first === undefined) return []
  const known = events.filter((event) => subjectOf(first, event) !== undefined)
  const deliveries: Delivery[][] = known.map(() => [])
  for (const peers of groupPeers(readers)) {
    const found: (readonly Delivery[])[] = []
    try {
      const sight = await lookAt(peers, known)
      const users = await visibleUsers(
        peers,
        known.flatMap((event) => authorOf(event) ?? []),
      )
      for await (const slice of slicesOf(first, known))
        for (const event of slice)
          found.push([...deliver(peers, event, sight, users), ...takeAway(peers, event, sight)])
    } catch (error) {
      if (isAway(error)) throw error
      // The rules of these readers fail, for example because one has become invalid: they get no events, and other readers need not wait.
      first.services.observe({ kind: 'failure', requestId: first.requestId, error })
      continue
    }
    for (const [at, those] of found.entries()) deliveries[at]!.push(...those)
  }
  return deliveries.flat()
}

/** Null: the event is about no record. Undefined: about a model that is not installed any more. */
function subjectOf({ registry }: Env, { payload }: LoggedEvent): Subject | null | undefined {
  const { model: name, id } = payload
  if (typeof name !== 'string') return null
  const model = registry.model(name)
  return model && { model, id: typeof id === 'number' ? id : null }
}

/** Readers who may not see the user who did it get the event without the name. */
function deliver(peers: Peers, event: LoggedEvent, { sees }: Sight, users: ReadableIds): readonly Delivery[] {
  const payload = payloadFor(peers[0], event)
  if (payload === null) return []
  const { channel } = event
  const readers = peers.filter((reader) => isMeant(reader, event) && sees(reader, event))
  const { by, ...unsigned } = payload
  const knows = (reader: Env) => by === undefined || isVisible(users, reader, authorOf(event) ?? 0)
  const deliveries = [
    { channel, payload, readers: readers.filter(knows) },
    { channel, payload: unsigned, readers: readers.filter((reader) => !knows(reader)) },
  ]
  return deliveries.filter((delivery) => delivery.readers.length > 0)
}

function takeAway(peers: Peers, event: LoggedEvent, { loses }: Sight): readonly Delivery[] {
  if (event.channel !== 'record.updated' || event.before === null) return []
  const readers = peers.filter((reader) => isMeant(reader, event) && loses(reader, event))
  const { model, id } = event.payload
  return readers.length === 0 ? [] : [{ channel: 'record.hidden', payload: { model, id }, readers }]
}

/** The user who is named in an event as the one who did it. */
const authorOf = ({ payload: { by } }: LoggedEvent): number | null => (Array.isArray(by) ? Number(by[0]) : null)

const isMeant = ({ user }: Env, { userId, companyId }: LoggedEvent): boolean =>
  (userId === null || userId === user.id) && (companyId === null || user.companyIds.includes(companyId))

/** The event as readers with these rights may see it; null if they may see none of it. */
function payloadFor(reader: Env, event: LoggedEvent): Payload | null {
  const subject = subjectOf(reader, event)
  if (!subject) return event.payload
  const { model } = subject
  if (!mayUseModel(reader, model.name, 'read')) return null
  const { fields } = event.payload
  if (!Array.isArray(fields)) return event.payload
  const readable = fields.filter((name: string) => {
    const field = model.fields.get(name)
    return field !== undefined && mayReadField(reader, field)
  })
  return readable.length === 0 ? null : { ...event.payload, fields: readable }
}

/** Evaluates the rules for all records of the events at once, so that each event is then decided from memory. */
async function lookAt(peers: Peers, events: readonly LoggedEvent[]): Promise<Sight> {
  const [reader] = peers
  const gone = new Map<string, LoggedEvent>()
  for (const event of events) if (event.channel === 'record.deleted') gone.set(recordKey(event), event)
  const found = new Map<string, ReadableIds>()
  for (const [model, ids] of idsByModel(reader, events, gone))
    found.set(model.name, await readableIdsByEnv(peers, model, ids))
  const readsNow = (other: Env, { model, id }: Subject) => {
    const ids = found.get(model.name)?.get(other)
    return id === null || ids === null || (ids?.has(id) ?? false)
  }
  const could = await formerReaders(peers, events, readsNow)
  const sees: Sight['sees'] = (other, event) => {
    const subject = subjectOf(other, event)
    if (!subject || subject.id === null) return true
    const deletion = gone.get(recordKey(event))
    return deletion ? could.get(deletion)!.has(other) : readsNow(other, subject)
  }
  return { sees, loses: (other, event) => !sees(other, event) && (could.get(event)?.has(other) ?? false) }
}

/**
 * The readers who could read the records before they were deleted or changed. Evaluating a rule over the remembered values may take long,
 * so other requests get their turn after a few readers of one event.
 */
async function formerReaders(
  peers: Peers,
  events: readonly LoggedEvent[],
  readsNow: (reader: Env, subject: Subject) => boolean,
): Promise<ReadonlyMap<LoggedEvent, ReadonlySet<Env>>> {
  const [first] = peers
  const could = new Map<LoggedEvent, ReadonlySet<Env>>()
  const asked = events.filter(({ channel, before }) => channel === 'record.deleted' || before !== null)
  for await (const slice of slicesOf(first, asked, 1))
    for (const event of slice) {
      const subject = subjectOf(first, event)
      const isGone = event.channel === 'record.deleted'
      const couldOnce = (reader: Env) =>
        !!subject &&
        mayUseModel(reader, subject.model.name, 'read') &&
        (isGone || !readsNow(reader, subject)) &&
        couldRead(reader, subject.model, event.before)
      could.set(event, new Set(await filterInSlices(first, peers, couldOnce)))
    }
  return could
}

const recordKey = ({ payload }: LoggedEvent): string => `${String(payload['model'])}/${String(payload['id'])}`

function idsByModel(
  reader: Env,
  events: readonly LoggedEvent[],
  gone: ReadonlyMap<string, LoggedEvent>,
): ReadonlyMap<Model, readonly number[]> {
  const ids = new Map<Model, Set<number>>()
  for (const event of events) {
    const subject = subjectOf(reader, event)
    if (!subject || subject.id === null || gone.has(recordKey(event))) continue
    if (payloadFor(reader, event) === null && event.before === null) continue
    ids.set(subject.model, (ids.get(subject.model) ?? new Set<number>()).add(subject.id))
  }
  return new Map([...ids].map(([model, those]) => [model, [...those]]))
}
