import { mayUseModel } from '../../access/acl.ts'
import type { Operation } from '../../access/tables.ts'
import type { Env } from '../../env.ts'
import { sql } from '../../sql/sql.ts'

/** The right needed to undo each kind of change; replaced lines cannot be restored. */
const NEEDED: Readonly<Record<string, Operation>> = { created: 'unlink', updated: 'write' }

/** The imports with changes left that the caller has the right to undo. */
export async function mayUndoImports(env: Env, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number; model: string; change: string }>`
    select distinct import_id as id, model, change from sys_import_record where import_id = any(${ids}::int[])`.execute(
    env.tx,
  )
  const mine = rows.filter(({ model, change }) => {
    const operation = NEEDED[change]
    return operation !== undefined && mayUseModel(env, model, operation)
  })
  return new Set(mine.map(({ id }) => id))
}
