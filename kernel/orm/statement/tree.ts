import type { Env } from '../../env.ts'
import { invalid } from '../../errors.ts'
import type { Model } from '../../model/registry.ts'
import { sql } from '../../sql/sql.ts'

/**
 * Throws if a record would become its own ancestor. One statement, and only when the parent field was written. New records
 * are not checked: nothing points at them yet, and linking children to them is a write of the children.
 */
export async function refuseCycles(
  env: Env,
  model: Model,
  ids: readonly number[],
  changed: ReadonlySet<string>,
): Promise<void> {
  const parent = model.parentField === null ? undefined : model.fields.get(model.parentField)
  if (parent?.column == null || !changed.has(parent.name)) return
  const table = sql.table(model.table)
  const above = sql.ref(`t.${parent.column}`)
  const { rows } = await sql`
    with recursive up(id, above) as (
      select t.id, ${above} from ${table} as t where t.id = any(${[...ids]}::int[])
      union select up.id, ${above} from up join ${table} as t on t.id = up.above
    ) select id from up where id = above limit 1`.execute(env.tx)
  if (rows.length > 0) throw invalid('tree_loop', { [parent.name]: env.t('A record cannot lie below itself.') })
}
