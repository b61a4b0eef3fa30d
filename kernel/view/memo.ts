import type { AccessTables } from '../access/tables.ts'
import type { Env } from '../env.ts'

/** What was made of views for users with the same groups and language. `make` must depend on nothing else, and on access. */
export type Memo = <T>(env: Env, key: string, make: () => T) => T

/** Groups can be combined in more ways than memory should hold. */
const MAX_KEPT = 2_000

export function createMemo(): Memo {
  const byAccess = new WeakMap<AccessTables, Map<string, unknown>>()
  return <T>(env: Env, key: string, make: () => T): T => {
    const kept = byAccess.get(env.access) ?? new Map<string, unknown>()
    byAccess.set(env.access, kept)
    const groups = [...env.user.groupIds].sort((a, b) => a - b).join()
    const whole = `${env.isSudo} ${groups} ${env.registry.closestLanguage(env.lang)} ${key}`
    // Only `make` of the same key was put there.
    if (kept.has(whole)) return kept.get(whole) as T
    const made = make()
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(whole, made)
    return made
  }
}
