import type { Env } from '../../env.ts'
import type { Model } from '../../model/registry.ts'
import { allOf, columnOf, compileRule, fromTable, rootScope } from '../../orm/statement/scope.ts'
import { type SqlBool, sql } from '../../sql/sql.ts'
import { ownExternalId } from '../cell/external-id.ts'

/** The external id of each of the records that the caller may read; one without a stored id gets its own (`cell/external-id.ts`). */
export async function externalIds(
  env: Env,
  model: Model,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const scope = rootScope(env, model)
  const id = columnOf(scope, 'id')
  const { rows } = await sql<{ id: number; xmlid: string | null }>`
    select ${id} as id, (select x.module || '.' || x.name from sys_xmlid x
      where x.model = ${model.name} and x.res_id = ${id} order by x.id limit 1) as xmlid
    from ${fromTable(scope)}
    where ${allOf([sql<SqlBool>`${id} = any(${ids}::int[])`, compileRule(scope, 'read')])}`.execute(env.tx)
  return new Map(rows.map((row) => [row.id, row.xmlid ?? ownExternalId(model, row.id)]))
}
