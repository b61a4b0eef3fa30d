import type { Principal } from '../env.ts'
import type { Db } from '../sql/database.ts'
import { sql } from '../sql/sql.ts'

/** The user that installs modules, loads their data and runs jobs. It has no record, so it cannot sign in. */
export const SYSTEM_USER: Principal = Object.freeze({
  id: 0,
  login: 'system',
  name: 'System',
  groupIds: new Set<number>(),
  companyIds: [],
  allowedCompanyIds: [],
  lang: 'en',
  tz: 'UTC',
  scope: null,
  credentials: 'allowed',
})

/** The system user as a member of every active company; the first one is the default company of new records. */
export async function asSystemUser(db: Db): Promise<Principal> {
  const { rows } = await sql<{ id: number }>`select id from core_company where active order by sequence, id`.execute(db)
  const companyIds = rows.map((row) => row.id)
  return { ...SYSTEM_USER, companyIds, allowedCompanyIds: companyIds }
}
