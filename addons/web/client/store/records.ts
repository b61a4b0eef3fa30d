import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { createLayered, type Layered } from './layered.ts'

export type Values = Readonly<Record<string, unknown>>

/** One record, shared by everything that shows it. */
export interface RecordEntry {
  readonly model: string
  readonly id: number
  /** The values on the server, with optimistic changes on top. */
  readonly values: Layered<Values>
  /** Increases whenever another user changed the record, which highlights its row for a moment. */
  readonly touched: Signal<number>
  /** Whether it is deleted, and by which user if known; or hidden, because this user may no longer read it. */
  readonly deleted: Signal<Loss>
}

export type Writer = readonly [id: number, name: string]

export type Loss = boolean | Writer | 'hidden'

/** Identity map: one entry per model and id, kept as long as anything refers to it. */
export interface RecordStore {
  get(model: string, id: number): RecordEntry
  /** An entry, if something refers to it. */
  peek(model: string, id: number): RecordEntry | undefined
  /** Stores rows from the server. A row older than the stored one is ignored; fields it lacks are kept. */
  put(model: string, rows: readonly (Values & { readonly id: number })[], options?: PutOptions): readonly RecordEntry[]
  markDeleted(model: string, ids: readonly number[], by?: Loss): void
  /** The entries of a model that something refers to. */
  held(model: string): readonly RecordEntry[]
}

export interface PutOptions {
  /** Stores a change made by another user; entries that differ are highlighted. */
  readonly isRemote?: boolean
}

/** Values with optimistic changes; reading subscribes. */
export const valuesOf = (entry: RecordEntry): ReadonlySignal<Values> => entry.values.value

/** Who changed the record last, as `[id, name]`; undefined if that is not known. */
export const writerOf = (values: Values): Writer | undefined => {
  const writer = values['write_uid']
  return Array.isArray(writer) ? [Number(writer[0]), String(writer[1])] : undefined
}

export function createRecords(): RecordStore {
  // Weak references, so that records are freed when no view shows them.
  const entries = new Map<string, WeakRef<RecordEntry>>()
  const gone = new FinalizationRegistry<string>((key) => {
    if (entries.get(key)?.deref() === undefined) entries.delete(key)
  })

  const peek = (model: string, id: number) => entries.get(keyOf(model, id))?.deref()

  function get(model: string, id: number): RecordEntry {
    const known = peek(model, id)
    if (known) return known
    const entry: RecordEntry = {
      model,
      id,
      values: createLayered<Values>({ id }),
      touched: signal(0),
      deleted: signal<Loss>(false),
    }
    const key = keyOf(model, id)
    entries.set(key, new WeakRef(entry))
    gone.register(entry, key)
    return entry
  }

  return {
    get,
    peek,
    put(model, rows, { isRemote = false } = {}) {
      return rows.map((row) => {
        const entry = get(model, row.id)
        const known = entry.values.base.peek()
        if (isOlder(row, known)) return entry
        const merged = mergeRow(known, row)
        if (merged === known) return entry
        const isFirst = Object.keys(known).length === 1
        batch(() => {
          entry.values.base.value = merged
          if (isRemote && !isFirst) entry.touched.value++
        })
        return entry
      })
    },
    markDeleted(model, ids, by) {
      for (const id of ids) {
        const entry = peek(model, id)
        // A record that was deleted on this page is already marked.
        if (entry && !entry.deleted.peek()) entry.deleted.value = by ?? true
      }
    },
    held(model) {
      const prefix = `${model}/`
      return [...entries].flatMap(([key, ref]) => (key.startsWith(prefix) ? (ref.deref() ?? []) : []))
    },
  }
}

const keyOf = (model: string, id: number): string => `${model}/${id}`

const isOlder = (row: Values, known: Values): boolean =>
  typeof row['version'] === 'number' && typeof known['version'] === 'number' && row['version'] < known['version']

/** The stored values merged with the row's; the same object if nothing differs, so that nothing is drawn again. */
function mergeRow(known: Values, row: Values): Values {
  const changed = Object.keys(row).filter((field) => !sameValue(known[field], row[field]))
  return changed.length === 0 ? known : { ...known, ...row }
}

/** Equality of values as they are on the wire: texts, numbers, pairs, lists of ids, JSON. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  // Objects of JSON: own keys only.
  return keys.every((key) => Object.hasOwn(b, key) && sameValue((a as Values)[key], (b as Values)[key]))
}
