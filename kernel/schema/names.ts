import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { identifier } from '../sql/ddl.ts'

export type NameSuffix = 'fkey' | 'key' | 'check' | 'idx' | 'trgm' | 'order' | 'sort' | 'column'

const MAX_BYTES = 63
const HASH_CHARS = 8

/** Name of a constraint or index, the same on every machine. PostgreSQL keeps 63 bytes, so a long one ends in a hash. */
export function objectName(table: string, part: string, suffix: NameSuffix): string {
  const name = `${table}_${part}_${suffix}`
  if (name.length <= MAX_BYTES) return name
  const hash = bytesToHex(sha256(utf8ToBytes(name))).slice(0, HASH_CHARS)
  return `${name.slice(0, MAX_BYTES - HASH_CHARS - suffix.length - 2)}_${hash}_${suffix}`
}

/** `("a", "b")` */
export const columnList = (columns: readonly string[]): string =>
  `(${columns.map((name) => identifier(name).text).join(', ')})`
