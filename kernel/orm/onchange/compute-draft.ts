import { isRelated } from '../../domain/relation.ts'
import { asKernel, type Env } from '../../env.ts'
import type { Field } from '../../model/fields/field.ts'
import { isReadCompute } from '../../model/fields/kind.ts'
import type { Model } from '../../model/registry.ts'
import { filterInSlices, slicesOf } from '../../slices.ts'
import { computeOnRead } from '../compute/compute.ts'
import { computeTree, fillNeeds } from '../compute/needs.ts'
import { type IsShown, linkedIds, type NeedTree, unsetValue } from '../compute/needs-store.ts'
import { computeEnv, computeValues } from '../compute/value.ts'
import { modelOf } from '../statement/scope.ts'
import { readableIds } from '../statement/targets.ts'
import type { DraftRow, FormDraft, Marks } from './draft.ts'

/**
 * Computes every value that depends on the pending changes of a draft, in the form's record and its lines, dependencies
 * first. Returns the fields of the form's record that have changed since the last call.
 */
export async function computeDraft(
  env: Env,
  draft: FormDraft,
  root: DraftRow,
  checkTime: () => void,
): Promise<readonly Field[]> {
  for (const field of computedFields(env, draft)) {
    const model = modelOf(env, field.model)
    const paths = field.compute!.needs.map((need) => pathFields(env, model, need))
    await addDependentLines(env, draft, model, paths)
    const rows = draft.rowsOf(model.name)
    for (const path of paths) await loadLinks(env, draft, rows, path)
    const dirty = await filterInSlices(env, rows, (row) => isDirty(draft, row, field, paths))
    if (dirty.length === 0) continue
    checkTime()
    await computeRows(
      env,
      draft,
      model,
      field,
      dirty.map((row) => row.id),
    )
  }
  for (const name of draft.models()) for (const row of draft.rowsOf(name)) row.isBlank = false
  const changed = draft.fresh.fieldsOf(root)
  draft.pending.clear()
  draft.fresh.clear()
  return changed
}

/** Computed fields of every model that has records in the draft, or may get some through one2many fields. */
function computedFields(env: Env, draft: FormDraft): readonly Field[] {
  const models = new Set(draft.models())
  for (const name of draft.models()) {
    for (const { relation } of modelOf(env, name).fields.values()) {
      if (relation?.kind === 'one2many') models.add(relation.target)
    }
  }
  const rank = (field: Field) => env.registry.computeOrder.get(`${field.model}.${field.name}`) ?? 0
  return [...models]
    .flatMap((name) => [...modelOf(env, name).fields.values()].filter((field) => field.compute !== null))
    .sort((a, b) => rank(a) - rank(b))
}

function pathFields(env: Env, model: Model, need: string): readonly Field[] {
  const fields: Field[] = []
  let at = model
  for (const name of need.split('.')) {
    const field = at.fields.get(name)!
    fields.push(field)
    if (field.relation !== null) at = modelOf(env, field.relation.target)
  }
  return fields
}

/** Adds lines to the draft that depend on a change of the record above them: a new currency affects each line of an order. */
async function addDependentLines(
  env: Env,
  draft: FormDraft,
  model: Model,
  paths: readonly (readonly Field[])[],
): Promise<void> {
  for (const [up, needed] of paths) {
    if (up === undefined || needed === undefined || up.relation?.kind !== 'many2one') continue
    for (const owner of draft.rowsOf(up.relation.target)) {
      if (owner.id < 0 || !draft.pending.has(needed, owner.id)) continue
      for (const lines of owner.model.fields.values()) {
        const { relation } = lines
        if (relation?.kind !== 'one2many' || relation.target !== model.name || relation.inverse !== up.name) continue
        await fillNeeds(asKernel(env), draft.store, owner.model, [owner.id], leaf(lines))
        for (const id of linkedIds(draft.store.get(lines, owner.id))) {
          draft.addRow(model, id)
          draft.store.add(up, id, owner.id)
        }
      }
    }
  }
}

const leaf = (field: Field): NeedTree => new Map([[field, new Map()]])

/** Loads the links from these records to others of the draft, one statement per path step for all of them. */
async function loadLinks(env: Env, draft: FormDraft, rows: readonly DraftRow[], path: readonly Field[]): Promise<void> {
  let ids = rows.map((row) => row.id)
  for (const field of path) {
    const target = field.relation?.target
    // Only records of the draft can change, so links to models without draft records are not followed.
    if (target === undefined || ids.length === 0 || draft.rowsOf(target).length === 0) return
    await fillNeeds(asKernel(env), draft.store, modelOf(env, field.model), ids, leaf(field))
    ids = targetRows(draft, field, target, ids)
  }
}

function targetRows(draft: FormDraft, field: Field, target: string, ids: readonly number[]): number[] {
  const linked = new Set(ids.flatMap((id) => linkedIds(draft.store.get(field, id))))
  return [...linked].filter((id) => draft.row(target, id) !== undefined)
}

/** Whether a value has to be computed: no compute has run for the record yet, or one of its need paths leads to a change. */
function isDirty(draft: FormDraft, row: DraftRow, field: Field, paths: readonly (readonly Field[])[]): boolean {
  if (draft.pinned.has(field, row.id)) return false
  // A value that the caller may set and has set is kept until one of the fields it depends on changes again.
  const isKept = row.sent.has(field) && !field.readonly
  if (row.isBlank && !isKept) return true
  return paths.some((path) => leadsOverChange(draft, isKept ? draft.fresh : draft.pending, row, path))
}

function leadsOverChange(draft: FormDraft, marks: Marks, row: DraftRow, path: readonly Field[]): boolean {
  let ids = [row.id]
  for (const field of path) {
    if (ids.some((id) => marks.has(field, id))) return true
    if (field.relation === null) return false
    ids = targetRows(draft, field, field.relation.target, ids)
  }
  return false
}

async function computeRows(
  env: Env,
  draft: FormDraft,
  model: Model,
  field: Field,
  ids: readonly number[],
): Promise<void> {
  const { store } = draft
  await rememberStored(env, draft, model, field, ids)
  const tree = computeTree(env, model, [field])
  const actor = computeEnv(env, field)
  await fillNeeds(actor, store, model, ids, tree)
  const complete = await filterInSlices(env, ids, (id) => isComplete(env, draft, model, id, tree))
  const shown = isRelated(field) ? await withoutHidden(env, draft, field, complete) : complete
  // Stored computes of the same draft may have loaded links that the caller does not see.
  if (actor === env) await allowReadable(env, draft, shown, tree)
  const isShown: IsShown = (target, id) => actor !== env || draft.mayShow(target, id)
  const values = await computeValues(env, store, model, field, shown, isShown)
  for await (const slice of slicesOf(env, ids)) {
    for (const id of slice) draft.set(field, id, values.get(id) ?? unsetValue(field), { known: false, fresh: true })
  }
}

/** Finds out which of the records that the tree leads to the caller may read. */
export async function allowReadable(env: Env, draft: FormDraft, ids: readonly number[], tree: NeedTree): Promise<void> {
  for (const [field, branch] of tree) {
    if (field.relation === null) continue
    const { target } = field.relation
    const linked = [...new Set(ids.flatMap((id) => linkedIds(draft.store.get(field, id))))]
    const unknown = linked.filter((id) => !draft.mayShow(target, id))
    if (unknown.length > 0) draft.allow(target, await readableIds(env, modelOf(env, target), unknown))
    await allowReadable(
      env,
      draft,
      linked.filter((id) => draft.mayShow(target, id)),
      branch,
    )
  }
}

/**
 * The records where the caller may read every step of a related field's path; for the others the value is unset, as in a
 * read.
 */
async function withoutHidden(
  env: Env,
  draft: FormDraft,
  field: Field,
  ids: readonly number[],
): Promise<readonly number[]> {
  let reached = new Map(ids.map((id) => [id, id]))
  for (const step of shownPath(env, field).slice(0, -1)) {
    const target = step.relation!.target
    await fillNeeds(asKernel(env), draft.store, modelOf(env, step.model), [...reached.values()], leaf(step))
    const links = [...reached].flatMap(([id, at]) =>
      linkedIds(draft.store.get(step, at)).map((to) => [id, to] as const),
    )
    const unknown = links.map(([, to]) => to).filter((to) => !draft.mayShow(target, to))
    if (unknown.length > 0) draft.allow(target, await readableIds(env, modelOf(env, target), unknown))
    reached = new Map(links.filter(([, to]) => draft.mayShow(target, to)))
  }
  return [...reached.keys()]
}

/** The path of a related field, with steps that are related themselves replaced by theirs. */
const shownPath = (env: Env, field: Field): readonly Field[] =>
  pathFields(env, modelOf(env, field.model), field.related!.join('.')).flatMap((step) =>
    isRelated(step) ? shownPath(env, step) : [step],
  )

/** Loads the stored value, which is what the caller has. */
async function rememberStored(
  env: Env,
  draft: FormDraft,
  model: Model,
  field: Field,
  ids: readonly number[],
): Promise<void> {
  const unknown = draft.known.missing([field], ids).filter((id) => id > 0)
  if (unknown.length === 0) return
  if (isReadCompute(field)) {
    const values = (await computeOnRead(env, model, [field], unknown)).get(field.name)!
    for (const [id, value] of values) draft.known.set(field, id, value)
    return
  }
  await fillNeeds(asKernel(env), draft.store, model, unknown, leaf(field))
  for (const id of unknown) draft.known.set(field, id, draft.store.get(field, id))
}

/**
 * Whether all required fields that the compute needs have a value. In an incomplete form they may be missing, and the compute
 * does not run.
 */
function isComplete(env: Env, draft: FormDraft, model: Model, id: number, tree: NeedTree): boolean {
  if (draft.row(model.name, id) === undefined) return true
  for (const [field, branch] of tree) {
    const value = draft.store.get(field, id)
    if (value === null && field.required) return false
    if (branch.size === 0) continue
    const target = modelOf(env, field.relation!.target)
    if (!linkedIds(value).every((linked) => isComplete(env, draft, target, linked, branch))) return false
  }
  return true
}
