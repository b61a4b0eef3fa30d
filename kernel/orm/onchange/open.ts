import { requireDraft } from '../../access/acl.ts'
import type { Env } from '../../env.ts'
import { badRequest } from '../../errors.ts'
import { isRecordId } from '../../model/fields/field.ts'
import { isX2many } from '../../model/fields/kind.ts'
import type { Model } from '../../model/registry.ts'
import { missing } from '../statement/refusals.ts'
import { modelOf } from '../statement/scope.ts'
import { requireReadable } from '../statement/targets.ts'
import type { InputValues } from '../statement/values.ts'
import { type Author, applyDefaults, applyValues, EARLIER, isOutput, loadRows, SERVER } from './apply.ts'
import { type DraftRow, FormDraft } from './draft.ts'

export interface OnchangeRequest {
  readonly values: InputValues
  /** Fields the user has just edited; empty when the form of a new record opens. */
  readonly changed: readonly string[]
  /** Fields that the answer may contain; undefined: all. */
  readonly fields?: readonly string[] | undefined
  readonly id?: number | undefined
  /** For a line that is edited inside another form: that form. */
  readonly parent?: ParentForm | undefined
}

/** The form that a line belongs to, with the values entered there. Its x2many fields are ignored. */
export interface ParentForm {
  /** The many2one of the line that leads to it. */
  readonly field: string
  readonly id?: number | undefined
  readonly values: InputValues
}

/** The form as the caller has it: the stored record with the caller's values, or defaults for a new record. */
export async function openDraft(
  env: Env,
  model: Model,
  { id, values, changed, parent }: OnchangeRequest,
): Promise<{ readonly draft: FormDraft; readonly root: DraftRow }> {
  const draft = new FormDraft()
  requireDraft(env, model, id === undefined ? 'create' : 'write')
  if (id !== undefined) await loadRows(env, draft, model, [id])
  const root = id === undefined ? draft.addNewRow(model, undefined) : draft.row(model.name, id)!
  const edited = new Set(changed)
  const caller: Author = {
    isCaller: true,
    origin: (field) => ({ known: true, fresh: edited.has(field.name) }),
    pins: false,
  }
  await applyValues(env, draft, root, values, caller)
  if (parent !== undefined) await openParent(env, draft, root, parent)
  for (const name of edited) {
    const field = model.fields.get(name)!
    if (!isOutput(field)) draft.pinned.add(field, root.id)
    draft.pending.add(field, root.id)
    draft.fresh.add(field, root.id)
  }
  if (id === undefined) await applyDefaults(env, draft, root, changed.length === 0 ? SERVER : EARLIER)
  // Links are checked before anything is computed, so that a link to a hidden record cannot reveal its values.
  for (const [target, ids] of draft.linked) await requireReadable(env, modelOf(env, target), [...ids])
  return { draft, root }
}

/** Adds the form around a line to the draft, so that the line is computed from the values entered there. */
async function openParent(
  env: Env,
  draft: FormDraft,
  root: DraftRow,
  { field: name, id, values }: ParentForm,
): Promise<void> {
  const link = root.model.fields.get(name)
  if (link?.relation?.kind !== 'many2one')
    throw badRequest('field_unsuitable', `${root.model.name} has no many2one ${name.slice(0, 80)}.`)
  const model = modelOf(env, link.relation.target)
  requireDraft(env, model, id === undefined ? 'create' : 'write')
  if (id !== undefined && !isRecordId(id)) throw missing(env, model, id)
  if (id !== undefined) await loadRows(env, draft, model, [id])
  const owner = id === undefined ? draft.addNewRow(model, undefined) : draft.row(model.name, id)!
  const plain = Object.entries(values).filter(([key]) => !isManyLink(model, key))
  const typed: Author = { isCaller: true, origin: () => ({ known: true, fresh: false }), pins: false }
  await applyValues(env, draft, owner, Object.fromEntries(plain), typed)
  if (id === undefined) await applyDefaults(env, draft, owner, EARLIER)
  draft.set(link, root.id, owner.id, { known: true, fresh: false })
}

const isManyLink = (model: Model, name: string): boolean => {
  const field = model.fields.get(name)
  return field !== undefined && isX2many(field)
}
