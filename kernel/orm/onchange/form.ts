import { mayReadField } from '../../access/acl.ts'
import { asKernel, type Env } from '../../env.ts'
import type { NeedRecord } from '../../model/fields/field.ts'
import { slicesOf } from '../../slices.ts'
import { fillNeeds } from '../compute/needs.ts'
import { linkedIds, type NeedTree, needTree, shapeRecords, unsetValue } from '../compute/needs-store.ts'
import { modelOf } from '../statement/scope.ts'
import type { InputValues } from '../statement/values.ts'
import { applyServerValues, loadRows } from './apply.ts'
import { allowReadable } from './compute-draft.ts'
import type { DraftRow, FormDraft } from './draft.ts'

/** The record of the form as a handler reads it; see `Form` of a behaviour. All links are loaded, because totals need all of them. */
export async function readForm(
  env: Env,
  draft: FormDraft,
  { model, id }: DraftRow,
  needs: readonly string[],
): Promise<NeedRecord> {
  const tree = needTree(env.registry, model, needs)
  await fillNeeds(asKernel(env), draft.store, model, [id], tree)
  await allowReadable(env, draft, [id], tree)
  const isShown = (target: string, linked: number) => draft.mayShow(target, linked)
  const [record] = shapeRecords(env.registry, draft.store, model, [id], tree, isShown)
  return withoutPrivate(env, record!, tree)
}

/** The record without the values of fields that the caller may not read. */
function withoutPrivate(env: Env, record: NeedRecord, tree: NeedTree): NeedRecord {
  const seen: Record<string, unknown> = {}
  for (const [field, branch] of tree) {
    const value = record[field.name]
    const open = (each: unknown) => withoutPrivate(env, each as NeedRecord, branch)
    if (!mayReadField(env, field)) seen[field.name] = unsetValue(field)
    else if (branch.size === 0 || value === null) seen[field.name] = value
    else seen[field.name] = Array.isArray(value) ? value.map(open) : open(value)
  }
  return { ...seen, id: record.id }
}

const NONE: ReadonlyMap<number, InputValues> = new Map()

/** Values that server code gives to lines of the form; lines that the form does not have or the caller does not see are left alone. */
export async function applyToLines(
  env: Env,
  draft: FormDraft,
  root: DraftRow,
  lines: Readonly<Record<string, ReadonlyMap<number, InputValues> | undefined>>,
): Promise<void> {
  for (const [name, values = NONE] of Object.entries(lines)) {
    const field = root.model.fields.get(name)!
    const target = modelOf(env, field.relation!.target)
    const linked = new Set(linkedIds(draft.store.get(field, root.id)))
    const shown = [...values].filter(([id]) => linked.has(id) && draft.mayShow(target.name, id))
    const unread = shown.map(([id]) => id).filter((id) => draft.row(target.name, id) === undefined)
    if (unread.length > 0) await loadRows(env, draft, target, unread)
    for await (const slice of slicesOf(env, shown)) {
      for (const [id, given] of slice) {
        const row = draft.row(target.name, id)
        if (row !== undefined) await applyServerValues(env, draft, row, given)
      }
    }
  }
}
