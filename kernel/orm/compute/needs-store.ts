import type { Field, NeedRecord } from '../../model/fields/field.ts'
import { isX2many } from '../../model/fields/kind.ts'
import type { Model, Registry } from '../../model/registry.ts'

/** Stored values by field and record id: what a batch of computes has loaded, or what a draft holds over the database. */
export class NeedStore {
  readonly #values = new Map<Field, Map<number, unknown>>()

  set(field: Field, id: number, value: unknown): void {
    const values = this.#values.get(field)
    if (values === undefined) this.#values.set(field, new Map([[id, value]]))
    else values.set(id, value)
  }

  /** Adds a value unless there is one already: values of a draft take precedence over the database. */
  add(field: Field, id: number, value: unknown): void {
    if (!this.has(field, id)) this.set(field, id, value)
  }

  has(field: Field, id: number): boolean {
    return this.#values.get(field)?.has(id) === true
  }

  get(field: Field, id: number): unknown {
    return this.#values.get(field)?.get(id) ?? unsetValue(field)
  }

  /** The ids for which some field has no value yet. */
  missing(fields: readonly Field[], ids: readonly number[]): number[] {
    return ids.filter((id) => fields.some((field) => !this.has(field, id)))
  }
}

/** A boolean is never unset, and links are a list that may be empty. */
export const unsetValue = (field: Field): unknown =>
  isX2many(field) ? [] : field.type.comparison === 'boolean' ? false : null

/** Ids a relational value points at. */
export const linkedIds = (value: unknown): readonly number[] =>
  Array.isArray(value) ? value : typeof value === 'number' ? [value] : []

/** Need paths as a tree of fields; a leaf has no branches. */
export type NeedTree = ReadonlyMap<Field, NeedTree>
type GrowingTree = Map<Field, GrowingTree>

/** Paths are valid: they were checked when the registry was compiled. */
export function needTree(registry: Registry, model: Model, needs: Iterable<string>): NeedTree {
  const root: GrowingTree = new Map()
  for (const need of needs) {
    let tree = root
    let at: Model | undefined = model
    for (const name of need.split('.')) {
      const field: Field | undefined = at?.fields.get(name)
      if (field === undefined) throw new Error(`${model.name} cannot need ${need}`)
      const branch = tree.get(field) ?? new Map()
      tree.set(field, branch)
      tree = branch
      at = field.relation === null ? undefined : registry.model(field.relation.target)
    }
  }
  return root
}

/** The records that exist, in the order of `ids`, with the branches of the tree as nested records. */
export function shapeRecords(
  registry: Registry,
  store: NeedStore,
  model: Model,
  ids: readonly number[],
  tree: NeedTree,
  isShown: IsShown = () => true,
): NeedRecord[] {
  const own = model.fields.get('id')!
  return ids.filter((id) => store.has(own, id)).map((id) => shapeRecord(registry, store, id, tree, isShown))
}

/** Whether a compute may see a linked record. */
export type IsShown = (model: string, id: number) => boolean

function shapeRecord(registry: Registry, store: NeedStore, id: number, tree: NeedTree, isShown: IsShown): NeedRecord {
  const record: Record<string, unknown> = {}
  for (const [field, branch] of tree) {
    const value = store.get(field, id)
    const shown = isX2many(field) ? linkedIds(value).filter((to) => isShown(field.relation!.target, to)) : value
    record[field.name] = branch.size === 0 ? shown : shapeTargets(registry, store, field, shown, branch, isShown)
  }
  return { ...record, id }
}

function shapeTargets(
  registry: Registry,
  store: NeedStore,
  field: Field,
  value: unknown,
  branch: NeedTree,
  isShown: IsShown,
): unknown {
  const target = registry.model(field.relation!.target)!
  const ids = linkedIds(value).filter((id) => isShown(target.name, id))
  const records = shapeRecords(registry, store, target, ids, branch, isShown)
  return isX2many(field) ? records : (records[0] ?? null)
}
