import { mayUseModel } from '../../access/acl.ts'
import type { Env } from '../../env.ts'
import { accessDenied } from '../../errors.ts'
import type { Model } from '../../model/registry.ts'
import { type SqlBool, sql } from '../../sql/sql.ts'
import { refused } from './refusals.ts'
import { allOf, columnOf, compileRule, fromTable, modelOf, rootScope } from './scope.ts'
import type { ParsedValues } from './values.ts'

/**
 * Throws unless the caller may read every record that the values link to. It takes a statement only for targets with a record
 * rule.
 */
export async function requireTargets(env: Env, model: Model, records: readonly ParsedValues[]): Promise<void> {
  if (env.isSudo) return
  const wanted = new Map<string, Set<number>>()
  for (const { name, relation } of model.fields.values()) {
    if (relation?.kind !== 'many2one') continue
    const ids = wanted.get(relation.target) ?? new Set()
    for (const { columns } of records) {
      const value = columns.get(name)
      if (typeof value === 'number') ids.add(value)
    }
    if (ids.size > 0) wanted.set(relation.target, ids)
  }
  for (const [target, ids] of wanted) await requireReadable(env, modelOf(env, target), [...ids])
}

/** Throws if one of the records exists but is hidden from the caller. Missing records are left to the foreign key. */
export async function requireReadable(env: Env, model: Model, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  if (!mayUseModel(env, model.name, 'read'))
    throw accessDenied(
      'model_access',
      env.t('You are not allowed to link to records of {model}.', { model: env.t(model.label) }),
    )
  const scope = rootScope(env, model)
  const rule = compileRule(scope, 'read')
  if (rule === null) return
  const { rows } = await sql<{ id: number }>`
    select ${columnOf(scope, 'id')} as id from ${fromTable(scope)}
    where ${columnOf(scope, 'id')} = any(${ids}::int[]) and (${rule}) is not true limit 1`.execute(env.tx)
  if (rows[0]) throw refused(env, model, rows[0].id)
}

/** The ids that the caller may read, in the given order. */
export async function readableIds(env: Env, model: Model, ids: readonly number[]): Promise<number[]> {
  if (!mayUseModel(env, model.name, 'read')) return []
  const scope = rootScope(env, model)
  const where = allOf([sql<SqlBool>`${columnOf(scope, 'id')} = any(${ids}::int[])`, compileRule(scope, 'read')])
  const { rows } = await sql<{ id: number }>`
    select ${columnOf(scope, 'id')} as id from ${fromTable(scope)} where ${where}`.execute(env.tx)
  const readable = new Set(rows.map((row) => row.id))
  return ids.filter((id) => readable.has(id))
}
