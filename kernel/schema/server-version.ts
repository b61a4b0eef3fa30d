import type { Db } from '../sql/database.ts'
import { sql } from '../sql/sql.ts'

/** Major version of the server, such as 18. */
export async function readServerMajor(db: Db): Promise<number> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`.execute(db)
  return Math.floor(Number(rows[0]!.version) / 10_000)
}
