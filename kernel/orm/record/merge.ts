import { requireModel } from '../../access/acl.ts'
import type { Env } from '../../env.ts'
import { badRequest, conflict } from '../../errors.ts'
import type { Model } from '../../model/registry.ts'
import { type SqlBool, sql } from '../../sql/sql.ts'
import { allOf, columnOf, compileRule, fromTable, modelOf, rootScope } from '../statement/scope.ts'
import { readableIds } from '../statement/targets.ts'
import { storedNames } from '../statement/translations.ts'
import type { InputValues } from '../statement/values.ts'
import { displayNames } from './project.ts'
import { explainMissing, read } from './read.ts'
import { readStoredTexts } from './stored-texts.ts'

/** Record id → the version the caller's edit began with. */
export type BaseVersions = ReadonlyMap<number, number>

/** By field of the record: the versions of the lines that are edited in it. */
export type LineVersions = Readonly<Record<string, BaseVersions>>

interface FieldConflict {
  readonly base: unknown
  readonly mine: unknown
  readonly theirs: unknown
}

/**
 * Allows a write based on an older version if the same fields have not been changed since; otherwise throws CONFLICT with the
 * three values of each field. The rows stay locked, so the result is still true when the write runs.
 */
export async function requireMergeable(env: Env, model: Model, values: InputValues, base: BaseVersions): Promise<void> {
  const records = await findConflicts(env, model, () => values, base)
  if (Object.keys(records).length > 0)
    throw conflict('edit_conflict', 'Somebody else has changed the same fields.', { records })
}

/** Like `requireMergeable`, for lines that are written together with their record: CONFLICT has their fields in `lines`. */
export async function requireMergeableLines(
  env: Env,
  model: Model,
  values: InputValues,
  base: LineVersions,
): Promise<void> {
  const lines: Record<string, Record<string, unknown>> = {}
  for (const [name, versions] of Object.entries(base)) {
    const relation = model.fields.get(name)?.relation
    if (relation == null || relation.kind === 'many2one')
      throw badRequest('input_invalid', `kwargs.line_versions: ${model.name} has no lines ${name.slice(0, 80)}.`)
    const target = modelOf(env, relation.target)
    // Versions and conflicts reveal values of the lines, so the caller must be allowed to write them.
    requireModel(env, target, 'write')
    const edits = editsOf(values[name])
    const edited = new Map([...versions].filter(([id]) => edits.has(id)))
    const found = edited.size === 0 ? {} : await findConflicts(env, target, (id) => edits.get(id)!, edited)
    if (Object.keys(found).length > 0) lines[name] = found
  }
  if (Object.keys(lines).length > 0)
    throw conflict('edit_conflict', 'Somebody else has changed the same lines.', { lines })
}

/** The values that the commands write to lines, by line. */
function editsOf(commands: unknown): ReadonlyMap<number, InputValues> {
  const edits = Array.isArray(commands) ? commands.filter((each) => Array.isArray(each) && each[0] === 1) : []
  return new Map(edits.map(([, id, values]) => [id, values]))
}

async function findConflicts(
  env: Env,
  model: Model,
  valuesOf: (id: number) => InputValues,
  base: BaseVersions,
): Promise<Readonly<Record<string, unknown>>> {
  const current = await lockVersions(env, model, [...base.keys()])
  const behind = [...base].filter(([id, version]) => current.get(id) !== version)
  if (behind.length === 0) return {}
  const records: Record<string, unknown> = {}
  for (const [id, version] of behind) {
    const now = current.get(id)!
    if (version > now)
      throw conflict('version_unknown', `${model.label} ${id} never had version ${version}.`, { id, version: now })
    const replaced = await changesSince(env, model, id, version, now)
    if (replaced === null)
      throw conflict('version_unknown', 'The record has changed too much since this edit began.', { id, version: now })
    const asked = valuesOf(id)
    const stored = [...storedNames(env, model, asked)]
    const values = Object.fromEntries(stored.map(([name, column]) => [column, asked[name]]))
    const overlap = Object.keys(values).filter((name) => replaced.has(name))
    const found = await compare(env, model, id, values, overlap, replaced)
    const fields = Object.fromEntries(
      stored.flatMap(([name, column]) => (found[column] ? [[name, found[column]]] : [])),
    )
    if (Object.keys(fields).length > 0) records[id] = { version: now, fields }
  }
  return records
}

async function lockVersions(env: Env, model: Model, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const scope = rootScope(env, model)
  const where = allOf([sql<SqlBool>`${columnOf(scope, 'id')} = any(${ids}::int[])`, compileRule(scope, 'write')])
  const { rows } = await sql<{ id: number; version: number }>`
    select t.id, t.version from ${fromTable(scope)} where ${where} order by t.id for no key update of t`.execute(env.tx)
  if (rows.length < ids.length)
    await explainMissing(
      env,
      model,
      ids,
      rows.map((row) => row.id),
    )
  return new Map(rows.map((row) => [row.id, row.version]))
}

/** Field → its value at `version`; null when the history does not go back that far. */
async function changesSince(
  env: Env,
  model: Model,
  id: number,
  version: number,
  now: number,
): Promise<ReadonlyMap<string, unknown> | null> {
  const revisions = await env.tx
    .selectFrom('sys_revision')
    .select('changed')
    .where('model', '=', model.name)
    .where('res_id', '=', id)
    .where('version', '>=', version)
    .orderBy('version', 'desc')
    .execute()
  if (revisions.length !== now - version) return null
  return new Map(revisions.flatMap(({ changed }) => Object.entries(changed)))
}

async function compare(
  env: Env,
  model: Model,
  id: number,
  values: InputValues,
  names: readonly string[],
  replaced: ReadonlyMap<string, unknown>,
): Promise<Record<string, FieldConflict>> {
  const conflicts: Record<string, FieldConflict> = {}
  if (names.length === 0) return conflicts
  const [shown] = await read(env, model, [id], names)
  const theirs = { ...shown, ...(await readStoredTexts(env, model, [id], names)).get(id) }
  for (const name of names) {
    const [mine, now] = [values[name], theirs[name]]
    if (isSame(linkedId(model, name, mine), linkedId(model, name, now))) continue
    const base = await wireValue(env, model, name, replaced.get(name))
    // No conflict: the value was changed back, or only links changed that the caller may not see. Old values of large fields are not kept to tell.
    if (isSame(base, now) && model.fields.get(name)!.type.summary === null) continue
    conflicts[name] = { base, mine, theirs: now }
  }
  return conflicts
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** A many2one is written as an id or as the pair a read gave; the name in it does not count. */
const linkedId = (model: Model, name: string, value: unknown): unknown =>
  model.fields.get(name)!.relation?.kind === 'many2one' && Array.isArray(value) ? value[0] : value

/** A value from the history in the form in which a read would have returned it to the caller. */
async function wireValue(env: Env, model: Model, name: string, stored: unknown): Promise<unknown> {
  const { relation } = model.fields.get(name)!
  if (relation !== null && Array.isArray(stored)) return readableIds(env, modelOf(env, relation.target), stored)
  if (relation?.kind !== 'many2one' || typeof stored !== 'number') return stored ?? null
  const names = await displayNames(env, modelOf(env, relation.target), [stored])
  return [stored, names.get(stored) ?? null]
}
