import type { Field } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'
import { NeedStore } from '../compute/needs-store.ts'

/** A record of a form that is being edited: the form's own, or a line of it. */
export interface DraftRow {
  readonly model: Model
  /** Below zero for a record that is not in the database. */
  readonly id: number
  /** What the caller calls a record that is not in the database. */
  readonly ref: unknown
  /** Fields whose value the caller sent. */
  readonly sent: Set<Field>
  /** No compute has run for it yet, so every one has to. */
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
  /** The caller has it already, so an answer need not repeat it. */
  readonly known: boolean
  /** The very change this is about, rather than an edit made before it. */
  readonly fresh: boolean
}

/** The records of one form in memory, over those of the database; nothing of it is ever written. */
export class FormDraft {
  /** Values as they are now. */
  readonly store = new NeedStore()
  /** Values as the caller has them: sent, or stored and not sent. */
  readonly known = new NeedStore()
  /** Values that may differ from the known ones. */
  readonly written = new Marks()
  /** Changes whose consequences have not been computed yet, and among them the fresh ones. */
  readonly pending = new Marks()
  readonly fresh = new Marks()
  /** Computed values that somebody set on purpose; a compute leaves them alone. */
  readonly held = new Marks()
  /** Records of the database that the answer may speak of, by model, and the links the caller sees in the database. */
  readonly readable = new Map<string, Set<number>>()
  readonly links = new NeedStore()
  /** Records of the database that the caller links to, by model: to be readable, or the draft is refused. */
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

  /** Takes a record of the database into the draft. */
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

  /** Whether the answer may speak of the record: it is in the draft alone, or the caller may read it. */
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
