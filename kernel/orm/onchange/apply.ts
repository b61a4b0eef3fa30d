import { requireDraft } from '../../access/acl.ts'
import type { Operation } from '../../access/tables.ts'
import { withinReach } from '../../access/within-reach.ts'
import { asKernel, type Env } from '../../env.ts'
import { invalid } from '../../errors.ts'
import type { Field } from '../../model/fields/field.ts'
import { isX2many } from '../../model/fields/kind.ts'
import type { LinkCommand } from '../../model/fields/x2many.ts'
import type { Model } from '../../model/registry.ts'
import { slicesOf } from '../../slices.ts'
import { fillNeeds } from '../compute/needs.ts'
import { linkedIds } from '../compute/needs-store.ts'
import { read } from '../record/read.ts'
import { requireCompanies } from '../statement/company.ts'
import { defaultValues } from '../statement/defaults.ts'
import { modelOf } from '../statement/scope.ts'
import type { InputValues } from '../statement/values.ts'
import { type DraftRow, type FormDraft, type Origin, sameValue } from './draft.ts'
import { parseDraftValues } from './values.ts'

/** The origin of values in a draft: the caller, within the caller's rights, or server code. */
export interface Author {
  readonly isCaller: boolean
  readonly origin: (field: Field) => Origin
  /** Whether values given for computed fields are kept instead of recomputed. */
  readonly pins: boolean
}

export const SERVER: Author = { isCaller: false, origin: () => ({ known: false, fresh: true }), pins: true }
/** Defaults the form got when it opened. */
export const EARLIER: Author = { isCaller: false, origin: () => ({ known: true, fresh: false }), pins: true }

/** The same author for the lines of a field. A computed value that the caller sends for a line is kept. */
const inLines = (author: Author, field: Field): Author => ({
  ...author,
  origin: () => author.origin(field),
  pins: true,
})

/** Values that server code gives to a record of the draft. */
export const applyServerValues = (env: Env, draft: FormDraft, row: DraftRow, values: InputValues): Promise<void> =>
  applyValues(asKernel(env), draft, row, values, SERVER)

/** Loads records of the database into the draft, with the fields the caller may read. */
export async function loadRows(env: Env, draft: FormDraft, model: Model, ids: readonly number[]): Promise<void> {
  for await (const slice of slicesOf(env, await read(env, model, ids))) {
    for (const record of slice) loadRow(draft, model, record)
  }
}

function loadRow(draft: FormDraft, model: Model, record: Readonly<Record<string, unknown>>): void {
  const row = draft.addRow(model, record['id'] as number)
  draft.allow(model.name, [row.id])
  for (const [name, value] of Object.entries(record)) {
    const field = model.fields.get(name)!
    // Links are loaded later and completely, because a total includes lines that the caller may not see.
    if (isX2many(field)) {
      draft.allow(field.relation!.target, linkedIds(value))
      draft.links.set(field, row.id, value)
    } else if (field.type.summary === null) {
      const stored = field.relation !== null && Array.isArray(value) ? value[0] : value
      draft.store.add(field, row.id, stored)
      draft.known.add(field, row.id, stored)
    }
  }
}

export async function applyValues(
  env: Env,
  draft: FormDraft,
  row: DraftRow,
  values: InputValues,
  author: Author,
): Promise<void> {
  const { plain, links } = parseDraftValues(env, row.model, values)
  const given = author.isCaller ? noteComputed(draft, row, plain) : plain
  if (author.isCaller) noteLinks(env, draft, row, given)
  for (const [field, value] of given) {
    if (author.isCaller) row.sent.add(field)
    if (author.pins) draft.pinned.add(field, row.id)
    draft.set(field, row.id, value, author.origin(field))
  }
  for (const [field, commands] of links) {
    if (!(author.isCaller && isOutput(field))) await applyCommands(env, draft, row, field, commands, author)
  }
}

/** A value that only the server sets. */
export const isOutput = (field: Field) => field.compute !== null && field.readonly

/** Records computed values that the form sends back as known to the caller; nothing is computed from them. */
function noteComputed(
  draft: FormDraft,
  { id }: DraftRow,
  plain: ReadonlyMap<Field, unknown>,
): ReadonlyMap<Field, unknown> {
  for (const [field, value] of plain) {
    if (!isOutput(field)) continue
    draft.known.set(field, id, value)
    draft.written.add(field, id)
  }
  return new Map([...plain].filter(([field]) => !isOutput(field)))
}

/** Collects the links that the caller has added, to check them; links that existed before are not checked. */
function noteLinks(env: Env, draft: FormDraft, { model, id }: DraftRow, plain: ReadonlyMap<Field, unknown>): void {
  const changed = [...plain].filter(([field, value]) => !sameValue(draft.store.get(field, id), value))
  const columns = new Map(changed.map(([field, value]) => [field.name, value]))
  requireCompanies(env, model, [{ columns, links: new Map(), inverses: new Map() }])
  for (const [field, value] of changed) if (field.relation !== null) draft.link(field.relation.target, linkedIds(value))
}

/**
 * Applies defaults to the fields of a new record that have no value. Each default is computed once per model; one that asks for a model
 * which the caller may not read is left out.
 */
export async function applyDefaults(env: Env, draft: FormDraft, row: DraftRow, author: Author): Promise<void> {
  const fields = [...row.model.fields.values()]
  const unset = fields.filter((field) => !draft.store.has(field, row.id))
  const missing = unset.filter((field) => !draft.defaults.has(field)).map((field) => field.name)
  for (const name of missing) {
    const found = await withinReach(() => defaultValues(env, row.model, [name]))
    draft.defaults.set(row.model.fields.get(name)!, found?.[name])
  }
  const values = Object.fromEntries(unset.map((field) => [field.name, draft.defaults.get(field)]))
  const derived = unset.filter(({ defaultFrom }) => defaultFrom !== undefined)
  if (derived.length > 0) {
    const given = { ...Object.fromEntries(fields.map((each) => [each.name, draft.store.get(each, row.id)])), ...values }
    for (const { name, defaultFrom } of derived) values[name] = defaultFrom?.(given) ?? values[name]
  }
  await applyValues(asKernel(env), draft, row, values, author)
}

/** The operation that a command performs on a linked record; other commands only change the list. */
const OPERATIONS: Readonly<Partial<Record<LinkCommand[0], Operation>>> = { 0: 'create', 1: 'write', 2: 'unlink' }

async function applyCommands(
  env: Env,
  draft: FormDraft,
  row: DraftRow,
  field: Field,
  commands: readonly LinkCommand[],
  author: Author,
): Promise<void> {
  const target = modelOf(env, field.relation!.target)
  const before = await currentLinks(env, draft, row, field)
  // Commands of the caller do not affect links the caller may not see; a write does the same.
  const hidden = author.isCaller ? before.filter((id) => !draft.mayShow(target.name, id)) : []
  let list: readonly number[] = before.filter((id) => !hidden.includes(id))
  await requireCommands(env, draft, field, target, list, commands, author)
  const lines = inLines(author, field)
  for await (const slice of slicesOf(env, commands)) {
    for (const command of slice) {
      if (command[0] === 0) list = [...list, (await addLine(env, draft, row, field, command, lines)).id]
      else if (command[0] === 1) await applyValues(env, draft, draft.row(target.name, command[1])!, command[2], lines)
      else list = editList(list, command)
    }
  }
  list = [...hidden, ...list]
  const known = new Set(before)
  for (const id of list) if (!known.has(id)) joinLine(draft, row, field, target, id, author)
  // Keeps the caller's list before server code changes it.
  if (!author.origin(field).known && row.id > 0) draft.known.add(field, row.id, before)
  if (author.isCaller) row.sent.add(field)
  draft.set(field, row.id, list, author.origin(field))
}

function editList(list: readonly number[], command: LinkCommand): readonly number[] {
  switch (command[0]) {
    case 4:
      return list.includes(command[1]) ? list : [...list, command[1]]
    case 5:
      return []
    case 6:
      return [...new Set(command[2])]
    default:
      return list.filter((id) => id !== command[1])
  }
}

async function currentLinks(env: Env, draft: FormDraft, row: DraftRow, field: Field): Promise<readonly number[]> {
  await fillNeeds(asKernel(env), draft.store, row.model, [row.id], new Map([[field, new Map()]]))
  return linkedIds(draft.store.get(field, row.id))
}

/**
 * Checks that the caller may perform the commands on the target model and on these records. Loads edited records into the
 * draft.
 */
async function requireCommands(
  env: Env,
  draft: FormDraft,
  field: Field,
  target: Model,
  linked: readonly number[],
  commands: readonly LinkCommand[],
  author: Author,
): Promise<void> {
  const edited: number[] = []
  const joining: number[] = []
  for (const command of commands) {
    const operation = OPERATIONS[command[0]]
    if (operation !== undefined) requireDraft(env, target, operation)
    if (command[0] === 1) edited.push(command[1])
    if (command[0] === 4) joining.push(command[1])
    if (command[0] === 6) joining.push(...command[2])
  }
  const strange = edited.find((id) => !linked.includes(id) && !joining.includes(id))
  if (strange !== undefined)
    throw invalid('line_not_linked', { [field.name]: `Record ${strange} is not linked to this one.` })
  const fresh = joining.filter((id) => !linked.includes(id))
  if (author.isCaller) draft.link(target.name, fresh)
  draft.allow(target.name, fresh)
  const unread = edited.filter((id) => draft.row(target.name, id) === undefined)
  if (unread.length > 0) await loadRows(env, draft, target, [...new Set(unread)])
}

async function addLine(
  env: Env,
  draft: FormDraft,
  owner: DraftRow,
  field: Field,
  [, ref, values]: Extract<LinkCommand, readonly [0, ...unknown[]]>,
  author: Author,
): Promise<DraftRow> {
  const target = modelOf(env, field.relation!.target)
  const line = draft.addNewRow(target, author.isCaller ? ref : undefined)
  linkBack(draft, owner, field, target, line.id)
  await applyValues(env, draft, line, values, author)
  linkBack(draft, owner, field, target, line.id)
  await applyDefaults(env, draft, line, SERVER)
  return line
}

function joinLine(draft: FormDraft, owner: DraftRow, field: Field, target: Model, id: number, author: Author): void {
  if (id < 0) return
  draft.addRow(target, id)
  linkBack(draft, owner, field, target, id, author.origin(field))
}

/** Sets the many2one of a line to the record it belongs to, whatever value was sent for it. */
function linkBack(
  draft: FormDraft,
  owner: DraftRow,
  field: Field,
  target: Model,
  id: number,
  origin: Origin = { known: true, fresh: true },
): void {
  if (field.relation?.kind !== 'one2many') return
  draft.set(target.fields.get(field.relation.inverse)!, id, owner.id, { ...origin, known: true })
}
