import { requireModel } from '../../access/acl.ts'
import type { Operation } from '../../access/tables.ts'
import type { Env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { type SqlBool, sql } from '../../sql/sql.ts'
import { allOf, columnOf, compileRule, fromTable, modelOf, rootScope } from '../statement/scope.ts'
import { explainMissing } from './read.ts'

interface RequireOptions {
  readonly keep?: boolean
}

/** `requireRecords` for one record. */
export const requireRecord = (
  env: Env,
  name: string,
  id: number,
  operations: readonly Operation[],
  options: RequireOptions = {},
): Promise<void> => requireRecords(env, name, [id], operations, options)

/**
 * Throws NOT_FOUND or ACCESS_DENIED unless the caller may perform all the operations on every record. `keep` locks the rows, so
 * that they cannot be deleted before the transaction ends.
 */
export async function requireRecords(
  env: Env,
  name: string,
  ids: readonly number[],
  operations: readonly Operation[],
  { keep = false }: RequireOptions = {},
): Promise<void> {
  const model = modelOf(env, name)
  for (const operation of operations) requireModel(env, model, operation)
  const scope = rootScope(env, model)
  const rules = operations.map((operation) => compileRule(scope, operation))
  const where = allOf([sql<SqlBool>`${columnOf(scope, 'id')} = any(${ids}::int[])`, ...rules])
  const { rows } = await sql<{ id: number }>`
    select t.id from ${fromTable(scope)} where ${where} order by t.id ${keep ? sql`for key share of t` : sql``}`.execute(
    env.tx,
  )
  const found = rows.map((row) => row.id)
  if (found.length < new Set(ids).size) await explainMissing(env, model, ids, found)
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
