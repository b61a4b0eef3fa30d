/** Statements kept prepared on one connection. A plan takes 10–100 KB of server memory. */
const PREPARED = 300
/** Texts remembered as "seen once" before the memory starts over. */
const SEEN = 2_000

/** Remembers texts that ran before, so that one-off statements never take a name. Shared by a pool's connections. */
export function rememberTexts(): (sql: string) => boolean {
  const seen = new Set<string>()
  return (sql) => {
    if (seen.has(sql)) return true
    if (seen.size >= SEEN) seen.clear()
    seen.add(sql)
    return false
  }
}

export interface PreparedNames {
  /** Name to run this text under, and the name that has to make room for it. Undefined: run it unnamed. */
  take(sql: string): { readonly name: string; readonly evicted?: string } | undefined
  /** Names given so far are void; the same texts get new ones. */
  forget(): void
}

/** Names of the statements prepared on one connection; the least recently used gives way. A name is never used twice. */
export function preparedNames(ranBefore: (sql: string) => boolean): PreparedNames {
  const names = new Map<string, string>()
  let count = 0
  return {
    take(sql) {
      const known = names.get(sql)
      if (known !== undefined) {
        names.delete(sql)
        names.set(sql, known)
        return { name: known }
      }
      if (!ranBefore(sql)) return undefined
      const name = `s${++count}`
      names.set(sql, name)
      if (names.size <= PREPARED) return { name }
      const [oldest = ['', '']] = names
      names.delete(oldest[0])
      return { name, evicted: oldest[1] }
    },
    forget() {
      names.clear()
    },
  }
}
