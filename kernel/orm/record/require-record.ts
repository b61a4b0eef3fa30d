import { requireModel } from '../../access/acl.ts'
import type { Operation } from '../../access/tables.ts'
import type { Env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { type SqlBool, sql } from '../../sql/sql.ts'
import { allOf, columnOf, compileRule, fromTable, modelOf, rootScope } from '../statement/scope.ts'
import { explainMissing } from './read.ts'

/**
 * Throws NOT_FOUND or ACCESS_DENIED unless the caller may perform all the operations on the record. `keep` locks the row, so
 * that nobody deletes it before the transaction ends.
 */
export async function requireRecord(
  env: Env,
  name: string,
  id: number,
  operations: readonly Operation[],
  { keep = false }: { readonly keep?: boolean } = {},
): Promise<void> {
  const model = modelOf(env, name)
  for (const operation of operations) requireModel(env, model, operation)
  const scope = rootScope(env, model)
  const rules = operations.map((operation) => compileRule(scope, operation))
  const where = allOf([sql<SqlBool>`${columnOf(scope, 'id')} = ${id}`, ...rules])
  const { rows } = await sql<{ id: number }>`
    select t.id from ${fromTable(scope)} where ${where} ${keep ? sql`for key share of t` : sql``}`.execute(env.tx)
  if (rows.length === 0) await explainMissing(env, model, [id], [])
}

/** The same check as a boolean. */
export async function mayReachRecord(
  env: Env,
  name: string,
  id: number,
  operations: readonly Operation[],
): Promise<boolean> {
  try {
    await requireRecord(env, name, id, operations)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
