import { requireModel } from '../access/acl.ts'
import type { Env } from '../env.ts'
import type { Model } from '../model/registry.ts'
import { Draft, type DraftRow } from './draft.ts'
import { type Author, applyDefaults, applyValues, EARLIER, isOutput, loadRows, SERVER } from './onchange-apply.ts'
import { modelOf } from './scope.ts'
import { requireReadable } from './targets.ts'
import type { Values } from './values.ts'

export interface OnchangeRequest {
  readonly values: Values
  /** Fields the user has just edited; none: the form of a new record opens. */
  readonly changed: readonly string[]
  /** Fields the answer may speak of; undefined: all. */
  readonly fields?: readonly string[] | undefined
  readonly id?: number | undefined
}

/** The form as the caller has it: the record from the database, the caller's values over it, defaults where it is new. */
export async function openDraft(
  env: Env,
  model: Model,
  { id, values, changed }: OnchangeRequest,
): Promise<{ readonly draft: Draft; readonly root: DraftRow }> {
  const draft = new Draft()
  requireModel(env, model, id === undefined ? 'create' : 'write')
  if (id !== undefined) await loadRows(env, draft, model, [id])
  const root = id === undefined ? draft.addNewRow(model, undefined) : draft.row(model.name, id)!
  const edited = new Set(changed)
  const caller: Author = {
    isCaller: true,
    origin: (field) => ({ known: true, fresh: edited.has(field.name) }),
    holds: false,
  }
  await applyValues(env, draft, root, values, caller)
  for (const name of edited) {
    const field = model.fields.get(name)!
    if (!isOutput(field)) draft.held.add(field, root.id)
    draft.pending.add(field, root.id)
    draft.fresh.add(field, root.id)
  }
  if (id === undefined) await applyDefaults(env, draft, root, changed.length === 0 ? SERVER : EARLIER)
  // Before anything is computed from them: a draft must not show what a link to somebody else's record would reveal.
  for (const [target, ids] of draft.linked) await requireReadable(env, modelOf(env, target), [...ids])
  return { draft, root }
}
