import type { Principal } from '../env.ts'

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
