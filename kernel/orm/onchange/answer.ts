import { mayReadField, mayUseModel } from '../../access/acl.ts'
import type { Env } from '../../env.ts'
import type { Field } from '../../model/fields/field.ts'
import { isX2many } from '../../model/fields/kind.ts'
import { wireValue } from '../../model/fields/wire.ts'
import { slicesOf } from '../../slices.ts'
import { linkedIds } from '../compute/needs-store.ts'
import { displayNames, type ProjectedRecord } from '../record/project.ts'
import { modelOf } from '../statement/scope.ts'
import { type DraftRow, type FormDraft, sameValue } from './draft.ts'

type WireCommand = readonly [0 | 1, unknown, ProjectedRecord] | readonly [3 | 4, unknown]

/** The values of the draft that differ from what the caller has, in wire form and without what the caller may not read. */
export async function answerDraft(
  env: Env,
  draft: FormDraft,
  root: DraftRow,
  wanted: (field: Field) => boolean,
): Promise<ProjectedRecord> {
  const names: View['names'] = new Map()
  const targets = new Map<string, Set<number>>()
  await collectTargets({ env, draft, names, visited: new Set() }, root, wanted, targets)
  for (const [target, ids] of targets) {
    names.set(target, await displayNames(env, modelOf(env, target), [...ids]))
  }
  return wireChanges({ env, draft, names, visited: new Set() }, root, wanted)
}

interface View {
  readonly env: Env
  readonly draft: FormDraft
  /** Model → id → display name, of the many2one values in the answer. */
  readonly names: Map<string, ReadonlyMap<number, string>>
  /** Records already in the answer. Each appears once, because records of a draft may link each other in a cycle. */
  readonly visited: Set<DraftRow>
}

const anyField = () => true

/** Records that the answer will name. */
async function collectTargets(
  view: View,
  row: DraftRow,
  wanted: (field: Field) => boolean,
  targets: Map<string, Set<number>>,
): Promise<void> {
  if (view.visited.has(row)) return
  view.visited.add(row)
  for (const [field, value] of changedValues(view, row, wanted)) {
    const target = field.relation?.target
    if (target !== undefined && typeof value === 'number') {
      targets.set(target, (targets.get(target) ?? new Set()).add(value))
    }
  }
  for (const field of linkFields(view, row, wanted)) {
    for await (const slice of slicesOf(view.env, shownLines(view, row, field)))
      for (const line of slice) await collectTargets(view, line, anyField, targets)
  }
}

async function wireChanges(view: View, row: DraftRow, wanted: (field: Field) => boolean): Promise<ProjectedRecord> {
  const record: ProjectedRecord = {}
  if (view.visited.has(row)) return record
  view.visited.add(row)
  for (const [field, value] of changedValues(view, row, wanted)) {
    const name = view.names.get(field.relation?.target ?? '')?.get(value as number)
    record[field.name] = wireValue({ [field.name]: value, [`${field.name}:name`]: name }, field)
  }
  for (const field of linkFields(view, row, wanted)) {
    const commands = await wireCommands(view, row, field)
    if (commands.length > 0) record[field.name] = commands
  }
  return record
}

const mayShow = ({ env }: View, field: Field) => !field.system && mayReadField(env, field)

/** Plain values that differ from the caller's. A line's link to an unsaved record is left out. */
function changedValues(view: View, row: DraftRow, wanted: (field: Field) => boolean) {
  return [...row.model.fields.values()].flatMap((field): readonly (readonly [Field, unknown])[] => {
    const { draft } = view
    if (isX2many(field) || !draft.written.has(field, row.id)) return []
    if (!wanted(field) || !mayShow(view, field)) return []
    const value = draft.store.get(field, row.id)
    if (sameValue(value, draft.known.get(field, row.id))) return []
    return field.relation !== null && typeof value === 'number' && value < 0 ? [] : [[field, value]]
  })
}

function linkFields(view: View, row: DraftRow, wanted: (field: Field) => boolean): readonly Field[] {
  return [...row.model.fields.values()].filter(
    (field) =>
      isX2many(field) &&
      view.draft.store.has(field, row.id) &&
      wanted(field) &&
      mayShow(view, field) &&
      mayUseModel(view.env, field.relation!.target, 'read'),
  )
}

/** Links as the caller has them and as the draft has them, without records the caller may not see. */
function linksOf({ draft }: View, row: DraftRow, field: Field) {
  const shown = (ids: readonly number[]) => ids.filter((id) => draft.mayShow(field.relation!.target, id))
  const now = linkedIds(draft.store.get(field, row.id))
  const isUntouched = row.id > 0 && !draft.known.has(field, row.id)
  return { now: shown(now), before: shown(isUntouched ? now : linkedIds(draft.known.get(field, row.id))) }
}

const shownLines = (view: View, row: DraftRow, field: Field): readonly DraftRow[] =>
  linksOf(view, row, field).now.flatMap((id) => view.draft.row(field.relation!.target, id) ?? [])

async function wireCommands(view: View, row: DraftRow, field: Field): Promise<readonly WireCommand[]> {
  const target = field.relation!.target
  const { now, before } = linksOf(view, row, field)
  const name = (id: number) => (id > 0 ? id : (view.draft.row(target, id)?.ref ?? `new:${-id}`))
  const [left, had] = [new Set(now), new Set(before)]
  const commands = before.filter((id) => !left.has(id)).map((id): WireCommand => [3, name(id)])
  for await (const slice of slicesOf(view.env, now)) {
    for (const id of slice) {
      const line = view.draft.row(target, id)
      const changes = line === undefined ? {} : await wireChanges(view, line, anyField)
      const [isNew, isChanged] = [!had.has(id), Object.keys(changes).length > 0]
      if (id < 0 && (isNew || isChanged)) commands.push([0, name(id), changes])
      if (id > 0 && isNew) commands.push([4, id])
      if (id > 0 && isChanged) commands.push([1, id, changes])
    }
  }
  return commands
}
