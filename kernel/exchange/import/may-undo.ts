import { mayUseModel } from '../../access/acl.ts'
import type { Operation } from '../../access/tables.ts'
import type { Env } from '../../env.ts'
import { sql } from '../../sql/sql.ts'

/** What it takes to undo a change of an import; nothing brings back lines that were replaced. */
const NEEDED: Readonly<Record<string, Operation>> = { created: 'unlink', updated: 'write' }

/** Those of the imports of which there is something left to undo that the caller has the right to. */
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
