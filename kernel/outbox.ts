import type { RecordValues } from './domain/evaluate.ts'
import type { Env } from './env.ts'
import { LIMITS } from './limits.ts'
import type { Model } from './model/registry.ts'
import type { Observation } from './observation.ts'

/** If a transaction changes more records of a model than this, one `model.changed` event replaces their own. */
export const EVENTS_PER_MODEL = 100

export type RecordChannel = 'record.created' | 'record.updated' | 'record.deleted'

/**
 * Limits an event to one user or company; empty: all users. In any case, users who may not read the named record do not get it.
 */
export interface Audience {
  readonly userId?: number
  readonly companyId?: number | null
}

interface Message {
  readonly channel: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly user_id: number | null
  readonly company_id: number | null
  /** The former values of a record that rules read. */
  readonly before: RecordValues | null
}

interface RecordChange {
  readonly channel: RecordChannel
  /** Written fields; null for a created or deleted record. */
  readonly fields: Set<string> | null
  /** The former values that rules read, for a deleted record or after a change of such values; otherwise null. */
  readonly before: RecordValues | null
}

interface Mark {
  readonly messages: number
  readonly observations: number
  readonly former: number
}

/** The events of a transaction, collected in memory and written to `sys_outbox` with one statement just before the commit. */
export class Outbox {
  readonly messages: Message[] = []
  /** Reported to the host after the commit. */
  readonly observations: Observation[] = []
  readonly changes = new Map<string, Map<number, RecordChange>>()
  /** Whether this repeats the answer of an earlier transaction, whose process may have been killed before it raised its fences. */
  repeatsAnother = false
  /** Model → record → tracked field → its value before this transaction. */
  readonly replaced = new Map<string, Map<number, Readonly<Record<string, unknown>>>>()
  /** Models for which the former values that rules read are not kept. */
  private readonly vague = new Set<string>()
  /** Model → characters of the former values kept of its records. */
  private readonly remembered = new Map<string, number>()
  /** Functions that restore the state before each change since the outermost mark. */
  private readonly former: (() => void)[] = []
  private marks = 0

  /** Begins a part that can be undone; end it with `unmark`. Its cost depends only on what the part collects. */
  mark(): Mark {
    this.marks++
    return {
      messages: this.messages.length,
      observations: this.observations.length,
      former: this.former.length,
    }
  }

  /** Drops what was collected since the mark. */
  undo(mark: Mark): void {
    this.messages.length = mark.messages
    this.observations.length = mark.observations
    for (const putBack of this.former.splice(mark.former).toReversed()) putBack()
  }

  unmark(): void {
    if (--this.marks === 0) this.former.length = 0
  }

  private collect<T>(collected: Map<number, T>, id: number, value: T): void {
    const former = collected.get(id)
    if (this.marks > 0)
      this.former.push(() => (former === undefined ? collected.delete(id) : collected.set(id, former)))
    collected.set(id, value)
  }

  /** Whether the changes of a model, and of these records too, are few enough to be named one by one. */
  names(model: string, ids: readonly number[]): boolean {
    const known = this.changes.get(model)
    if (ids.length > EVENTS_PER_MODEL || known === undefined) return ids.length <= EVENTS_PER_MODEL
    return known.size + ids.filter((id) => !known.has(id)).length <= EVENTS_PER_MODEL
  }

  /** Whether there is room for `chars` more characters of former values; if so, they are counted. */
  holds(model: string, chars: number): boolean {
    const all = (this.remembered.get(model) ?? 0) + chars
    if (all > LIMITS.rememberedChars) return false
    this.remembered.set(model, all)
    return true
  }

  /** Stops keeping former values of a model: one `model.changed` event replaces those of its records. */
  blur(model: string): void {
    if (this.vague.has(model)) return
    this.vague.add(model)
    if (this.marks > 0) this.former.push(() => this.vague.delete(model))
  }

  isVague(model: string): boolean {
    return this.vague.has(model)
  }

  /** Empties the outbox after all events were written. */
  clear(): void {
    this.changes.clear()
    this.vague.clear()
    this.remembered.clear()
  }

  publish(
    channel: string,
    payload: Message['payload'],
    { userId, companyId }: Audience = {},
    before: RecordValues | null = null,
  ): void {
    this.messages.push({ channel, payload, user_id: userId ?? null, company_id: companyId ?? null, before })
  }

  /**
   * Collects the values that tracked fields had before this transaction: of several changes, those before the first one are kept. Created records
   * are skipped.
   */
  keep(model: string, id: number, values: Readonly<Record<string, unknown>>): void {
    if (this.changes.get(model)?.get(id)?.channel === 'record.created') return
    const known = this.replaced.get(model) ?? new Map<number, Readonly<Record<string, unknown>>>()
    this.replaced.set(model, known)
    this.collect(known, id, { ...values, ...known.get(id) })
  }

  record(
    channel: RecordChannel,
    model: string,
    ids: readonly number[],
    fields: Iterable<string> | null,
    before?: ReadonlyMap<number, RecordValues>,
  ): void {
    const known = this.changes.get(model) ?? new Map<number, RecordChange>()
    this.changes.set(model, known)
    for (const id of ids) {
      const earlier = known.get(id)
      // A record created and updated in one transaction is only reported as created.
      if (earlier?.channel === 'record.created' && channel === 'record.updated') continue
      const names = fields === null ? null : new Set([...(earlier?.fields ?? []), ...fields])
      this.collect(known, id, { channel, fields: names, before: earlier?.before ?? before?.get(id) ?? null })
    }
  }
}

export function recordUpdated(env: Env, model: Model, ids: readonly number[], fields: Iterable<string>): void {
  env.outbox.record('record.updated', model.name, ids, fields)
}
