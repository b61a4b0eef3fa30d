import { mayReadField, mayWriteField } from '../../access/acl.ts'
import { withinReach } from '../../access/within-reach.ts'
import type { Env } from '../../env.ts'
import { accessDenied, badRequest, unavailable } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import type { OnchangeResult } from '../../model/behavior.ts'
import type { Field } from '../../model/fields/field.ts'
import { isX2many } from '../../model/fields/kind.ts'
import type { Model } from '../../model/registry.ts'
import { linkedIds, unsetValue } from '../compute/needs-store.ts'
import type { ProjectedRecord } from '../record/project.ts'
import { answerDraft } from './answer.ts'
import { applyServerValues } from './apply.ts'
import { computeDraft } from './compute-draft.ts'
import { type DraftRow, type FormDraft, sameValue } from './draft.ts'
import { applyToLines, readForm } from './form.ts'
import { type OnchangeRequest, openDraft } from './open.ts'

type Warning = NonNullable<OnchangeResult['warnings']>[number]
type Domains = Readonly<Record<string, readonly unknown[]>>

export interface OnchangeOutcome {
  /** Only what differs from the caller's draft; x2many as commands. */
  readonly value: ProjectedRecord
  readonly warnings: readonly Warning[]
  readonly domains?: Domains
}

/** Handlers are addon code that works on values from the caller, so the time is checked before each of them. */
const TIME_MS = 5_000

/**
 * What a form should change after an edit: defaults of a new record, computed values of the record and its lines, and the
 * results of the onchange handlers. It uses the caller's rights, works in memory, and needs only a read-only transaction.
 */
export async function onchange(env: Env, model: Model, request: OnchangeRequest): Promise<OnchangeOutcome> {
  const wanted = requestedFields(model, request.fields)
  requireEditable(env, model, request.changed)
  const checkTime = timeLimit(env)
  const { draft, root } = await openDraft(env, model, request)
  const form = { read: (needs: readonly string[]) => readForm(env, draft, root, needs) }
  const waiting = new Set(firstFields(draft, root, request))
  const handled = new Set<Field>()
  const warnings: Warning[] = []
  let domains: Domains = {}
  for (;;) {
    for (const field of await computeDraft(env, draft, root, checkTime)) waiting.add(field)
    // Each field is handled once, so handlers that set each other's fields cannot loop.
    const field = [...waiting].find((candidate) => model.onchange.has(candidate.name) && !handled.has(candidate))
    if (field === undefined) break
    handled.add(field)
    for (const handler of model.onchange.get(field.name)!) {
      checkTime()
      const handle = () => handler(env, visibleDraft(env, draft, root), form)
      // A handler that reads a model the caller may not read throws for an edited field; for any other field it is skipped.
      const result = await (request.changed.includes(field.name) ? handle() : withinReach(handle))
      warnings.push(...(result?.warnings ?? []))
      domains = { ...domains, ...result?.domains }
      if (result?.value) await applyServerValues(env, draft, root, result.value)
      if (result?.lines) await applyToLines(env, draft, root, result.lines)
    }
  }
  const value = await answerDraft(env, draft, root, wanted)
  const shown = warnings.map((warning) => hideField(env, model, warning))
  const allowed = Object.entries(domains).filter(([name]) => isReadable(env, model, name))
  return { value, warnings: shown, ...(allowed.length > 0 ? { domains: Object.fromEntries(allowed) } : {}) }
}

function requestedFields(model: Model, names: readonly string[] | undefined): (field: Field) => boolean {
  if (names === undefined) return () => true
  knownFields(model, names)
  const wanted = new Set(names)
  return (field) => wanted.has(field.name)
}

function requireEditable(env: Env, model: Model, names: readonly string[]): void {
  for (const field of knownFields(model, names)) {
    if (!mayWriteField(env, field))
      throw accessDenied('field_access', `You are not allowed to use the field ${field.name}.`)
  }
}

function knownFields(model: Model, names: readonly string[]): readonly Field[] {
  if (names.length > LIMITS.fields)
    throw badRequest('limit_exceeded', `At most ${LIMITS.fields} fields can be named at once.`)
  return names.map((name) => {
    const field = model.fields.get(name)
    if (field !== undefined) return field
    throw badRequest('field_unknown', `${model.name} has no field ${name.slice(0, 80)}.`, { field: name.slice(0, 80) })
  })
}

function timeLimit(env: Env): () => void {
  const { clock } = env.services
  const end = clock().getTime() + TIME_MS
  return () => {
    if (clock().getTime() > end) throw unavailable('timed_out', 'The form took too long to compute.', 5)
  }
}

/** The fields whose handlers run first: the edited ones, or, when a new form opens, every field that has a value. */
function firstFields(
  draft: FormDraft,
  { model, id }: DraftRow,
  { changed, id: recordId }: OnchangeRequest,
): readonly Field[] {
  if (changed.length > 0 || recordId !== undefined) return changed.map((name) => model.fields.get(name)!)
  return [...model.fields.values()].filter((field) => !sameValue(draft.store.get(field, id), unsetValue(field)))
}

/**
 * The record as a handler sees it: stored values, null where the caller may not read the field, or where a large value
 * (binary) was not sent. Unsaved lines have negative ids.
 */
function visibleDraft(env: Env, draft: FormDraft, root: DraftRow): Readonly<Record<string, unknown>> {
  const seen: Record<string, unknown> = {}
  for (const field of root.model.fields.values()) {
    if (!mayReadField(env, field)) seen[field.name] = unsetValue(field)
    else seen[field.name] = isX2many(field) ? visibleLinks(draft, root, field) : draft.store.get(field, root.id)
  }
  return Object.freeze({ ...seen, id: root.id > 0 ? root.id : null })
}

function visibleLinks(draft: FormDraft, { id }: DraftRow, field: Field): readonly number[] {
  if (!draft.store.has(field, id)) return linkedIds(draft.links.get(field, id))
  return linkedIds(draft.store.get(field, id)).filter((linked) => draft.mayShow(field.relation!.target, linked))
}

function isReadable(env: Env, model: Model, name: string): boolean {
  const field = model.fields.get(name)
  return field !== undefined && mayReadField(env, field)
}

function hideField(env: Env, model: Model, { field, ...warning }: Warning): Warning {
  return field !== undefined && isReadable(env, model, field) ? { field, ...warning } : warning
}
