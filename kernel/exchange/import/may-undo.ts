import { mayUseModel } from '../../access/acl.ts'
import type { Operation } from '../../access/tables.ts'
import type { Env } from '../../env.ts'

/** The right needed to undo each kind of change; replaced lines cannot be restored. */
const NEEDED: Readonly<Record<string, Operation>> = { created: 'unlink', updated: 'write' }

/** The imports with changes left that the caller has the right to undo. */
export async function mayUndoImports(env: Env, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await env.tx
    .selectFrom('sys_import_record')
    .select(['import_id as id', 'model', 'change'])
    .distinct()
    .where((row) => row('import_id', '=', row.fn.any(row.val(ids))))
    .execute()
  const mine = rows.filter(({ model, change }) => {
    const operation = NEEDED[change]
    return operation !== undefined && mayUseModel(env, model, operation)
  })
  return new Set(mine.map(({ id }) => id))
}
