import { requireModel } from '../access/acl.ts'
import type { Env } from '../env.ts'
import { conflict } from '../errors.ts'
import type { Field } from '../model/field.ts'
import type { Model } from '../model/registry.ts'
import { violatedReference } from '../sql.ts'
import { type SqlBool, sql } from '../sql-text.ts'
import { collectStale, recompute, type Stale } from './compute.ts'
import { explainMissing } from './read.ts'
import { allOf, columnOf, compileRule, fromTable, modelOf, rootScope } from './scope.ts'
import { write } from './write.ts'

/** Deletes records; children that cascade go through the ORM too, so their rules, events and checks apply. */
export async function unlink(env: Env, model: Model, ids: readonly number[]): Promise<true> {
  requireModel(env, model, 'unlink')
  const records = [...new Set(ids)]
  if (records.length === 0) return true
  await lockRows(env, model, records)
  for (const { deleting } of model.events) await deleting?.(env, records)
  const stale: Stale = new Map()
  await collectStale(env, model, records, 'all', stale)
  await releaseChildren(env, model, records)
  const companies = await deleteRows(env, model, records)
  await recompute(env, stale)
  env.outbox.record('record.deleted', model.name, records, null, companies)
  return true
}

/**
 * Locks the records if the rule lets the caller delete all of them. Comes before anything that hangs on them, because what
 * happens to that would tell about records the caller may not see, and because nothing new may hang itself on them meanwhile.
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

/** Answers the companies the records belonged to. */
async function deleteRows(env: Env, model: Model, ids: readonly number[]): Promise<ReadonlyMap<number, number | null>> {
  const scope = rootScope(env, model)
  const where = allOf([sql<SqlBool>`${columnOf(scope, 'id')} = any(${ids}::int[])`, compileRule(scope, 'unlink')])
  const company = model.hasCompany ? columnOf(scope, 'company_id') : sql`null::int`
  const deleted = await sql<{ id: number; company_id: number | null }>`
    with gone as (delete from ${fromTable(scope)} where ${where} returning t.id, ${company} as company_id),
      history as (delete from sys_revision using gone where model = ${model.name} and res_id = gone.id)
    select id, company_id from gone`
    .execute(env.tx)
    .catch((error) => {
      throw nameReferrer(env, model, error)
    })
  const gone = new Map(deleted.rows.map((row) => [row.id, row.company_id]))
  if (gone.size < ids.length) await explainMissing(env, model, ids, [...gone.keys()])
  return gone
}

/** A foreign key stopped the delete: says which model still refers to the records. */
function nameReferrer(env: Env, model: Model, error: unknown): unknown {
  const table = violatedReference(error)
  const referrer = table && [...env.registry.models.values()].find((other) => other.table === table)
  if (!referrer) return error
  return conflict(`${referrer.label} still refers to this ${model.label}.`, { model: referrer.name })
}

/** Records that point here: cascading ones are deleted as the caller, others let go; restricting ones stop the delete. */
async function releaseChildren(env: Env, model: Model, ids: readonly number[]): Promise<void> {
  for (const { child, field } of referringFields(env, model)) {
    if (field.relation?.kind !== 'many2one' || field.relation.ondelete === 'restrict') continue
    const children = await referringIds(env, child, field, ids)
    if (children.length === 0) continue
    if (field.relation.ondelete === 'cascade') await unlink(env, child, children)
    else await write(env.sudo(), child, children, { [field.name]: null })
  }
}

function referringFields(env: Env, model: Model): { readonly child: Model; readonly field: Field }[] {
  return [...env.registry.models.values()].flatMap((child) =>
    [...child.fields.values()]
      .filter((field) => field.relation?.target === model.name && field.column !== null && !field.system)
      .map((field) => ({ child: modelOf(env, child.name), field })),
  )
}

async function referringIds(env: Env, child: Model, field: Field, ids: readonly number[]): Promise<number[]> {
  const scope = rootScope(env, child)
  const own =
    child.name === field.relation!.target ? sql<SqlBool>`${columnOf(scope, 'id')} <> all(${ids}::int[])` : null
  const where = allOf([sql<SqlBool>`${columnOf(scope, field.column!)} = any(${ids}::int[])`, own])
  const { rows } = await sql<{ id: number }>`
    select ${columnOf(scope, 'id')} as id from ${fromTable(scope)} where ${where} order by 1`.execute(env.tx)
  return rows.map((row) => row.id)
}
