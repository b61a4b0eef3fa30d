import type { Env } from '../../../env.ts'
import type { Model } from '../../../model/registry.ts'
import { sql } from '../../../sql/sql.ts'

/** Records between two merges; merging many entries at once takes less time than merging a few at a time. */
const RECORDS = 10_000
/** New entries of a search index that wait to be merged, at the most; in kB, where PostgreSQL would merge them at 4 MB. */
const MAX_PENDING_KB = 32_768

/**
 * Merges new entries into the search indexes of a model on another connection, while the INSERTs of the import run, which would
 * otherwise have to do it. Returns a function to call with the number of records done. Later writes merge the remaining entries.
 */
export async function mergeBeside(
  { services, tx }: Env,
  { table }: Model,
  total: number,
): Promise<(done: number) => void> {
  if (total < RECORDS) return () => {}
  await sql`select set_config('gin_pending_list_limit', ${String(MAX_PENDING_KB)}, true)`.execute(tx)
  let isMerging = false
  let merged = 0
  const merge = async () => {
    try {
      await sql`
        select gin_clean_pending_list(i.indexrelid)
        from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam and a.amname = 'gin'
        where i.indrelid = ${table}::regclass`.execute(services.db)
    } catch (error) {
      services.observe({ kind: 'warning', text: `The search indexes of ${table} were not merged: ${String(error)}` })
    }
    isMerging = false
  }
  return (done) => {
    if (isMerging || done < Math.min(merged + RECORDS, total)) return
    isMerging = true
    merged = done
    const merging = merge()
    services.background?.(merging)
  }
}
