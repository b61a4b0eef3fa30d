import { isMigrated } from '../kernel/schema/migrate.ts'
import type { Readiness } from '../kernel/services.ts'
import type { Db } from '../kernel/sql/database.ts'
import { kernelMigrations } from '../migrations/index.ts'

const REMEMBERED_MS = 1_000

/** Asks the database at most once a second, however often load balancers ask, and one question at a time. */
export function rememberReadiness(db: Db, clock: () => Date): () => Promise<Readiness> {
  let answer: Promise<Readiness> | undefined
  let goodUntil = 0
  return () => {
    if (answer === undefined || clock().getTime() >= goodUntil) {
      goodUntil = Number.POSITIVE_INFINITY
      answer = probeReadiness(db).finally(() => {
        goodUntil = clock().getTime() + REMEMBERED_MS
      })
    }
    return answer
  }
}

export async function probeReadiness(db: Db): Promise<Readiness> {
  try {
    const ready = await isMigrated(db, kernelMigrations)
    return { ready, reason: ready ? '' : 'The database schema does not fit this version of the service.' }
  } catch {
    return { ready: false, reason: 'The database is not available.' }
  }
}
