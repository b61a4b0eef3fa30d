import type pg from 'pg'
import type { JsonParts } from './row-readers.ts'

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

/** A statement prepared on one connection. */
export interface PreparedStatement {
  readonly name: string
  /** Whether it was sent to be parsed. */
  isSent: boolean
  /** Whether the server has it. */
  isParsed: boolean
  /** Columns of its rows, once the server has described them. */
  columns: readonly pg.FieldDef[] | undefined
  /** How its rows were last written as JSON. */
  parts: JsonParts | undefined
}

export interface PreparedNames {
  /** The prepared statement of a text. Undefined: run it unnamed. */
  take(sql: string): PreparedStatement | undefined
  /** Names dropped since the last call; their statements can be closed on the server. */
  evicted(): readonly string[]
  /** Invalidates all names; the same texts get new ones. */
  forget(): void
}

const NONE: readonly string[] = []

/** Names of the statements prepared on one connection; the least recently used is dropped first. A name is never used twice. */
export function preparedNames(ranBefore: (sql: string) => boolean): PreparedNames {
  const names = new Map<string, PreparedStatement>()
  let gone: string[] = []
  let count = 0
  return {
    take(sql) {
      const known = names.get(sql)
      if (known !== undefined) {
        names.delete(sql)
        names.set(sql, known)
        return known
      }
      if (!ranBefore(sql)) return undefined
      const prepared = { name: `s${++count}`, isSent: false, isParsed: false, columns: undefined, parts: undefined }
      names.set(sql, prepared)
      if (names.size > PREPARED) {
        const [oldest] = names
        names.delete(oldest![0])
        gone.push(oldest![1].name)
      }
      return prepared
    },
    evicted() {
      if (gone.length === 0) return NONE
      const all = gone
      gone = []
      return all
    },
    forget() {
      names.clear()
    },
  }
}
