import type { Env } from '../env.ts'
import type { Model } from '../model/registry.ts'
import { columnOf, compileRule, fromTable, rootScope } from '../orm/statement/scope.ts'
import { sql } from '../sql/sql.ts'
import type { WireAccess } from '../view/wire.ts'

/** The user's access to one record: the access to its model, limited by record rules. Queries only if there is a rule. */
export async function recordAccess(env: Env, model: Model, id: number, access: WireAccess): Promise<WireAccess> {
  const scope = rootScope(env, model)
  const write = access.write ? compileRule(scope, 'write') : null
  const unlink = access.unlink ? compileRule(scope, 'unlink') : null
  if (write === null && unlink === null) return access
  const { rows } = await sql<{ write: boolean; unlink: boolean }>`
    select (${write ?? sql`true`}) is true as write, (${unlink ?? sql`true`}) is true as unlink
    from ${fromTable(scope)} where ${columnOf(scope, 'id')} = ${id}`.execute(env.tx)
  const [allowed] = rows
  return {
    ...access,
    write: access.write && allowed?.write === true,
    unlink: access.unlink && allowed?.unlink === true,
  }
}
