import type { Principal } from '../env.ts'
import type { Db } from '../sql/database.ts'
import { sql } from '../sql/sql.ts'

/** The service itself: who installs modules, loads their data and runs their jobs. No record, so nobody can sign in as it. */
export const SYSTEM_USER: Principal = Object.freeze({
  id: 0,
  login: 'system',
  name: 'System',
  groupIds: new Set<number>(),
  companyIds: [],
  allowedCompanyIds: [],
  lang: 'en',
  tz: 'UTC',
})

/** The same, at home in every company; the first is the one records get that name none. */
export async function asSystemUser(db: Db): Promise<Principal> {
  const { rows } = await sql<{ id: number }>`select id from core_company where active order by sequence, id`.execute(db)
  const companyIds = rows.map((row) => row.id)
  return { ...SYSTEM_USER, companyIds, allowedCompanyIds: companyIds }
}
