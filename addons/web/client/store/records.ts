import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { createLayered, type Layered } from './layered.ts'

export type Values = Readonly<Record<string, unknown>>

/** One record, shared by everything that shows it. */
export interface RecordEntry {
  readonly model: string
  readonly id: number
  /** What the server has, and optimistic changes on top. */
  readonly values: Layered<Values>
  /** Grows whenever somebody else changed it: the row lights up for a moment. */
  readonly touched: Signal<number>
  readonly deleted: Signal<boolean>
}

/** Identity map: (model, id) is one entry for as long as anybody holds it. */
export interface RecordStore {
  get(model: string, id: number): RecordEntry
  /** An entry that is held by somebody. */
  peek(model: string, id: number): RecordEntry | undefined
  /** Takes rows of the server in. A row older than what is known is ignored; fields it does not have stay. */
  put(model: string, rows: readonly (Values & { readonly id: number })[], options?: PutOptions): readonly RecordEntry[]
  markDeleted(model: string, ids: readonly number[]): void
  /** Entries of a model that are held by somebody. */
  held(model: string): readonly RecordEntry[]
}

export interface PutOptions {
  /** Somebody else's change: entries that differ light up. */
  readonly isNews?: boolean
}

/** Values with optimistic changes; reading subscribes. */
export const valuesOf = (entry: RecordEntry): ReadonlySignal<Values> => entry.values.value

export function createRecords(): RecordStore {
  // Weak, so that leaving a view frees its records without anybody keeping books.
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
      deleted: signal(false),
    }
    const key = keyOf(model, id)
    entries.set(key, new WeakRef(entry))
    gone.register(entry, key)
    return entry
  }

  return {
    get,
    peek,
    put(model, rows, { isNews = false } = {}) {
      return rows.map((row) => {
        const entry = get(model, row.id)
        const known = entry.values.base.peek()
        if (isOlder(row, known)) return entry
        const merged = mergeRow(known, row)
        if (merged === known) return entry
        const isFirst = Object.keys(known).length === 1
        entry.values.base.value = merged
        if (isNews && !isFirst) entry.touched.value++
        return entry
      })
    },
    markDeleted(model, ids) {
      for (const id of ids) {
        const entry = peek(model, id)
        if (entry) entry.deleted.value = true
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

/** The known values with those of the row; the same object when nothing differs, so that nobody draws again. */
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
