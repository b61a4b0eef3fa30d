import type { Catalogue } from '../kernel/module/graph.ts'
import { describeMissing, missingModules } from '../kernel/module/missing.ts'
import { readModules } from '../kernel/module/module-row.ts'
import { isMigrated } from '../kernel/schema/migrate.ts'
import type { Readiness } from '../kernel/services.ts'
import type { Db } from '../kernel/sql/database.ts'
import { kernelMigrations } from '../migrations/index.ts'

const REMEMBERED_MS = 1_000

/** Asks the database at most once a second, however often load balancers ask, and one question at a time. */
export function rememberReadiness(db: Db, clock: () => Date, catalogue?: Catalogue): () => Promise<Readiness> {
  let answer: Promise<Readiness> | undefined
  let goodUntil = 0
  return () => {
    if (answer === undefined || clock().getTime() >= goodUntil) {
      goodUntil = Number.POSITIVE_INFINITY
      answer = probeReadiness(db, catalogue).finally(() => {
        goodUntil = clock().getTime() + REMEMBERED_MS
      })
    }
    return answer
  }
}

/** `catalogue`: what the program has; a process that lacks an installed module should get no requests. */
export async function probeReadiness(db: Db, catalogue?: Catalogue): Promise<Readiness> {
  try {
    if (!(await isMigrated(db, kernelMigrations)))
      return notReady('The database schema does not fit this version of the service.')
    const missing = catalogue ? missingModules(await readModules(db), catalogue) : []
    return missing.length > 0 ? notReady(describeMissing(missing)) : { ready: true, reason: '' }
  } catch {
    return notReady('The database is not available.')
  }
}

const notReady = (reason: string): Readiness => ({ ready: false, reason })
