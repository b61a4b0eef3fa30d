import type { Field } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'
import { NeedStore } from '../compute/needs-store.ts'

/** A record of a form that is being edited: the form's own, or a line of it. */
export interface DraftRow {
  readonly model: Model
  /** Below zero for a record that is not in the database. */
  readonly id: number
  /** The caller's own reference for an unsaved record. */
  readonly ref: unknown
  /** Fields whose value the caller sent. */
  readonly sent: Set<Field>
  /** No compute has run for the record yet, so every computed field needs a value. */
  isBlank: boolean
}

/** A set of values, each named by field and record. */
export class Marks {
  readonly #ids = new Map<Field, Set<number>>()

  add(field: Field, id: number): void {
    const ids = this.#ids.get(field)
    if (ids === undefined) this.#ids.set(field, new Set([id]))
    else ids.add(id)
  }

  has(field: Field, id: number): boolean {
    return this.#ids.get(field)?.has(id) === true
  }

  /** The fields marked for this record. */
  fieldsOf({ model, id }: DraftRow): Field[] {
    return [...this.#ids].filter(([field, ids]) => field.model === model.name && ids.has(id)).map(([field]) => field)
  }

  clear(): void {
    this.#ids.clear()
  }
}

/** How a value came into the draft. */
export interface Origin {
  /** The caller has the value already, so the answer need not repeat it. */
  readonly known: boolean
  /** The value was changed by this request, not by an earlier edit. */
  readonly fresh: boolean
}

/**
 * The records of one form in memory, with the values of the caller in front of those of the database. Nothing of it is
 * written.
 */
export class FormDraft {
  /** Values as they are now. */
  readonly store = new NeedStore()
  /** Values as the caller has them: those sent, otherwise those stored. */
  readonly known = new NeedStore()
  /** Values that may differ from the known ones. */
  readonly written = new Marks()
  /** Changes whose dependent values have not been computed yet; `fresh` are those made by this request. */
  readonly pending = new Marks()
  readonly fresh = new Marks()
  /** Computed values that were set explicitly; computes do not replace them. */
  readonly pinned = new Marks()
  /** Records of the database that the answer may name, by model; `links` are the stored links that the caller may see. */
  readonly readable = new Map<string, Set<number>>()
  readonly links = new NeedStore()
  /** Records of the database that the caller links to, by model. The caller must be allowed to read them. */
  readonly linked = new Map<string, Set<number>>()
  readonly defaults = new Map<Field, unknown>()
  readonly #rows = new Map<string, Map<number, DraftRow>>()
  #lastId = 0

  rowsOf(model: string): readonly DraftRow[] {
    return [...(this.#rows.get(model)?.values() ?? [])]
  }

  row(model: string, id: number): DraftRow | undefined {
    return this.#rows.get(model)?.get(id)
  }

  models(): readonly string[] {
    return [...this.#rows.keys()]
  }

  /** Adds a record of the database to the draft. */
  addRow(model: Model, id: number): DraftRow {
    return this.row(model.name, id) ?? this.#keep({ model, id, ref: undefined, sent: new Set(), isBlank: false })
  }

  addNewRow(model: Model, ref: unknown): DraftRow {
    this.#lastId -= 1
    const row = this.#keep({ model, id: this.#lastId, ref, sent: new Set(), isBlank: true })
    this.store.set(model.fields.get('id')!, row.id, row.id)
    return row
  }

  set(field: Field, id: number, value: unknown, origin: Origin): void {
    const differs = !this.store.has(field, id) || !sameValue(this.store.get(field, id), value)
    if (origin.known) this.known.set(field, id, value)
    this.written.add(field, id)
    if (!differs) return
    this.store.set(field, id, value)
    this.pending.add(field, id)
    if (origin.fresh) this.fresh.add(field, id)
  }

  /** Whether the answer may name the record: it is unsaved, or the caller may read it. */
  mayShow(model: string, id: number): boolean {
    return id < 0 || this.readable.get(model)?.has(id) === true
  }

  allow(model: string, ids: Iterable<number>): void {
    addAll(this.readable, model, ids)
  }

  link(model: string, ids: Iterable<number>): void {
    addAll(this.linked, model, ids)
  }

  #keep(row: DraftRow): DraftRow {
    const rows = this.#rows.get(row.model.name) ?? new Map<number, DraftRow>()
    this.#rows.set(row.model.name, rows.set(row.id, row))
    return row
  }
}

function addAll(sets: Map<string, Set<number>>, key: string, ids: Iterable<number>): void {
  const known = sets.get(key) ?? new Set<number>()
  sets.set(key, known)
  for (const id of ids) known.add(id)
}

export const sameValue = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)
