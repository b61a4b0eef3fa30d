import type { AccessTables } from '../access/tables.ts'
import type { Env } from '../env.ts'

/** Caches a result for users with the same groups and language. `make` may depend only on those, on the views and on the access tables. */
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
    // A result under this key was made by `make` of the same key, so its type fits.
    if (kept.has(whole)) return kept.get(whole) as T
    const made = make()
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(whole, made)
    return made
  }
}
