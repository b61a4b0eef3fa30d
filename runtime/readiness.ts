import { compareProgram, type Program, programOf, readDeclared, tellUnfit } from '../kernel/module/declared.ts'
import type { Catalogue } from '../kernel/module/graph.ts'
import { readModules } from '../kernel/module/module-row.ts'
import { isMigrated } from '../kernel/schema/migrate.ts'
import type { Readiness } from '../kernel/services.ts'
import type { Db } from '../kernel/sql/database.ts'
import { kernelMigrations } from '../migrations/index.ts'

const REMEMBERED_MS = 1_000

/** Checks the database at most once a second and one at a time, however often load balancers ask. */
export function rememberReadiness(db: Db, clock: () => Date, catalogue?: Catalogue): () => Promise<Readiness> {
  let answer: Promise<Readiness> | undefined
  let goodUntil = 0
  let program: Program | undefined
  return () => {
    if (answer === undefined || clock().getTime() >= goodUntil) {
      goodUntil = Number.POSITIVE_INFINITY
      program ??= catalogue && programOf(catalogue)
      answer = probeReadiness(db, program).finally(() => {
        goodUntil = clock().getTime() + REMEMBERED_MS
      })
    }
    return answer
  }
}

/**
 * The readiness on workerd, where an event cannot await a promise of another one: events share a remembered answer for as long as it is
 * good, and without one each of them asks the database.
 */
export function shareReadiness(program: Program): (db: Db, clock: () => Date) => Promise<Readiness> {
  let held: { readonly answer: Readiness; readonly goodUntil: number } | undefined
  return async (db, clock) => {
    if (held && clock().getTime() < held.goodUntil) return held.answer
    const answer = await probeReadiness(db, program)
    held = { answer, goodUntil: clock().getTime() + REMEMBERED_MS }
    return answer
  }
}

/** A process that lacks an installed module, or has other code of it, should get no requests. */
export async function probeReadiness(db: Db, program?: Program): Promise<Readiness> {
  try {
    if (!(await isMigrated(db, kernelMigrations)))
      return notReady('The database schema does not fit this version of the service.')
    const reason = program ? tellUnfit(compareProgram(await readModules(db), await readDeclared(db), program)) : null
    return reason === null ? { ready: true, reason: '' } : notReady(reason)
  } catch {
    return notReady('The database is not available.')
  }
}

const notReady = (reason: string): Readiness => ({ ready: false, reason })
