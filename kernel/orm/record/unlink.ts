import { requireModel } from '../../access/acl.ts'
import type { RecordValues } from '../../domain/evaluate.ts'
import { asKernel, type Env } from '../../env.ts'
import { conflict } from '../../errors.ts'
import type { Field } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'
import { violatedReference } from '../../sql/pg-error.ts'
import { type SqlBool, sql } from '../../sql/sql.ts'
import { collectStale, recompute, type Stale } from '../compute/compute.ts'
import { allOf, columnOf, compileRule, fromTable, modelOf, rootScope } from '../statement/scope.ts'
import { explainMissing } from './read.ts'
import { readForRules } from './rule-values.ts'
import { write } from './write.ts'

/** The records that one call deletes. */
type DeleteSet = Map<Model, Set<number>>

/** Deletes records. Children with `ondelete: cascade` are deleted by the ORM too, so their rules, events and checks apply. */
export async function unlink(env: Env, model: Model, ids: readonly number[]): Promise<true> {
  const deletes: DeleteSet = new Map()
  const stale: Stale = new Map()
  await collectDeletes(env, model, [...new Set(ids)], null, deletes, stale)
  if (deletes.size === 0) return true
  const before = await valuesForRules(env, deletes)
  await deleteRows(env, model, deletes)
  await recompute(env, stale)
  for (const [child, gone] of [...deletes].toReversed()) {
    env.outbox.record('record.deleted', child.name, [...gone], null, before.get(child))
  }
  return true
}

/**
 * Prepares records and their cascading children for the delete and collects them. Records collected before are skipped,
 * because links may form a cycle.
 */
async function collectDeletes(
  env: Env,
  model: Model,
  ids: readonly number[],
  owner: string | null,
  deletes: DeleteSet,
  stale: Stale,
): Promise<void> {
  requireModel(env, model, 'unlink')
  if (ids.length === 0) return
  await lockRows(env, model, ids)
  for (const { deleting } of model.events) await deleting?.(env, ids, owner)
  await collectStale(env, model, ids, 'all', stale)
  deletes.set(model, new Set([...(deletes.get(model) ?? []), ...ids]))
  await releaseChildren(env, model, ids, deletes, stale)
}

/**
 * Locks the records if the rules let the caller delete all of them. This runs before any child is touched: errors about
 * children must not reveal records the caller may not see, and no new child may be linked meanwhile.
 */
async function lockRows(env: Env, model: Model, ids: readonly number[]): Promise<void> {
  const scope = rootScope(env, model)
  const rule = compileRule(scope, 'unlink')
  if (rule === null && !model.events.some((event) => event.deleting)) return
  const where = allOf([sql<SqlBool>`${columnOf(scope, 'id')} = any(${ids}::int[])`, rule])
  const { rows } = await sql<{ id: number }>`
    select t.id from ${fromTable(scope)} where ${where} order by t.id for update of t`.execute(env.tx)
  if (rows.length === ids.length) return
  await explainMissing(
    env,
    model,
    ids,
    rows.map((row) => row.id),
  )
}

/** The values of the records that rules read, for the events of their deletion. */
async function valuesForRules(
  env: Env,
  deletes: DeleteSet,
): Promise<ReadonlyMap<Model, ReadonlyMap<number, RecordValues>>> {
  const values = new Map<Model, ReadonlyMap<number, RecordValues>>()
  for (const [model, ids] of deletes) values.set(model, await readForRules(env, model, [...ids]))
  return values
}

/**
 * Deletes the records of all models in one statement. PostgreSQL runs its own cascades at the end of the statement, when no
 * child is left that the ORM has not seen.
 */
async function deleteRows(env: Env, model: Model, deletes: DeleteSet): Promise<void> {
  const models = [...deletes.keys()].toReversed()
  const statements = models.map((each, index) => {
    const scope = rootScope(env, each)
    const ids = [...deletes.get(each)!]
    const where = allOf([sql<SqlBool>`${columnOf(scope, 'id')} = any(${ids}::int[])`, compileRule(scope, 'unlink')])
    const gone = sql.table(`gone_${index}`)
    return sql`${gone} as (delete from ${fromTable(scope)} where ${where} returning t.id),
      ${sql.table(`history_${index}`)} as (
        delete from sys_revision using ${gone} as gone where model = ${each.name} and res_id = gone.id)`
  })
  const results = models.map((_, index) => sql`select ${index}::int as model, * from ${sql.table(`gone_${index}`)}`)
  const { rows } = await sql<{ model: number; id: number }>`
    with ${sql.join(statements)} ${sql.join(results, sql` union all `)}`
    .execute(env.tx)
    .catch((error) => {
      throw nameReferrer(env, model, deletes, error)
    })
  for (const [each, ids] of deletes) {
    const deleted = rows.filter((row) => models[row.model] === each).map((row) => row.id)
    if (deleted.length < ids.size) await explainMissing(env, each, [...ids], deleted)
  }
}

/** The error for a delete that a foreign key stopped: names the model that still refers to the records. */
function nameReferrer(env: Env, model: Model, deletes: DeleteSet, error: unknown): unknown {
  const table = violatedReference(error)
  const referrer = table && [...env.registry.models.values()].find((other) => other.table === table)
  if (!referrer) return error
  const targets = new Set([...referrer.fields.values()].map((field) => field.relation?.target))
  const { label } = [...deletes.keys()].find(({ name }) => targets.has(name)) ?? model
  const words = { referrer: env.t(referrer.label), model: env.t(label) }
  return conflict('record_in_use', env.t('{referrer} still refers to this {model}.', words), { model: referrer.name })
}

/**
 * Handles records that refer to these, by `ondelete`: `cascade` deletes them with the caller's rights, `set null` clears the
 * field, `restrict` stops the delete.
 */
async function releaseChildren(
  env: Env,
  model: Model,
  ids: readonly number[],
  deletes: DeleteSet,
  stale: Stale,
): Promise<void> {
  for (const { child, field } of referringFields(env, model)) {
    if (field.relation?.kind !== 'many2one' || field.relation.ondelete === 'restrict') continue
    const children = await referringIds(env, child, field, ids, [...(deletes.get(child) ?? [])])
    if (children.length === 0) continue
    if (field.relation.ondelete === 'cascade') await collectDeletes(env, child, children, model.name, deletes, stale)
    else await write(asKernel(env), child, children, { [field.name]: null })
  }
}

function referringFields(env: Env, model: Model): { readonly child: Model; readonly field: Field }[] {
  return [...env.registry.models.values()].flatMap((child) =>
    [...child.fields.values()]
      .filter((field) => field.relation?.target === model.name && field.column !== null && !field.system)
      .map((field) => ({ child: modelOf(env, child.name), field })),
  )
}

async function referringIds(
  env: Env,
  child: Model,
  field: Field,
  ids: readonly number[],
  except: readonly number[],
): Promise<number[]> {
  const scope = rootScope(env, child)
  const id = columnOf(scope, 'id')
  const others = except.length > 0 ? sql<SqlBool>`${id} <> all(${except}::int[])` : null
  const where = allOf([sql<SqlBool>`${columnOf(scope, field.column!)} = any(${ids}::int[])`, others])
  const { rows } = await sql<{ id: number }>`
    select ${id} as id from ${fromTable(scope)} where ${where} order by 1`.execute(env.tx)
  return rows.map((row) => row.id)
}
