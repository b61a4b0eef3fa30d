import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { readParam, writeParam } from '../param.ts'
import type { Db } from '../sql/database.ts'
import { sql } from '../sql/sql.ts'
import type { Addon } from './addon.ts'
import type { Catalogue } from './graph.ts'
import { describeMissing, missingModules } from './missing.ts'
import { type ModuleRow, presentModules } from './module-row.ts'

/** Version and declarations of each module in a program. */
export type Program = ReadonlyMap<string, { readonly version: string; readonly declared: string }>

export const programOf = (catalogue: Catalogue): Program =>
  new Map(
    [...catalogue].map(([name, addon]) => [name, { version: addon.version, declared: fingerprintOf(addon) }] as const),
  )

/** Keys whose values do not affect the tables: texts for users and defaults of new records. Functions are left out as well. */
const FREE: ReadonlySet<string> = new Set(['label', 'help', 'message', 'default'])

/** A hash of the declarations of models, which does not depend on how the program was built. */
function fingerprintOf({ models }: Addon): string {
  const text = JSON.stringify(models, (key, value) => (FREE.has(key) ? undefined : value))
  return bytesToHex(sha256(utf8ToBytes(text))).slice(0, 16)
}

/** Fingerprints of the declarations for which the tables were last synchronised, by module. */
export type Declared = Readonly<Record<string, string>>

const KEY = 'declared'

export const readDeclared = (db: Db): Promise<Declared> => readParam<Declared>(db, KEY, {})

/** The same as a column; null if it was never written. */
export const DECLARED = sql<Declared | null>`(select value from sys_param where key = ${KEY})`

/** Stores the fingerprints of the declarations that the tables match now; returns whether they have changed. */
export async function saveDeclared(tx: Db, catalogue: Catalogue, names: readonly string[]): Promise<boolean> {
  const before = await readDeclared(tx)
  const after = Object.fromEntries(names.map((name) => [name, fingerprintOf(catalogue.get(name)!)]))
  const isSame = Object.keys(before).length === names.length && names.every((name) => before[name] === after[name])
  if (!isSame) await writeParam(tx, KEY, after)
  return !isSame
}

/** How a program differs from the one that changed the modules last. */
export interface Unfit {
  readonly missing: readonly string[]
  /** Modules of another version, or with other declarations. */
  readonly other: readonly string[]
}

export function compareProgram(modules: ReadonlyMap<string, ModuleRow>, declared: Declared, program: Program): Unfit {
  const other = presentModules(modules).filter((name) => {
    const ours = program.get(name)
    return (
      ours !== undefined &&
      (ours.version !== modules.get(name)!.version || ours.declared !== (declared[name] ?? ours.declared))
    )
  })
  return { missing: missingModules(modules, program), other }
}

/** What the operator has to do, in one line; null if the program fits. */
export function describeUnfit({ missing, other }: Unfit): string | null {
  const sentences = [
    ...(missing.length > 0 ? [describeMissing(missing)] : []),
    ...(other.length > 0 ? [describeOther(other)] : []),
  ]
  return sentences.length > 0 ? sentences.join(' ') : null
}

/** Like `describeUnfit`, without names, for callers who may not know which modules are installed; the log has the names. */
export function tellUnfit({ missing, other }: Unfit): string | null {
  if (missing.length > 0)
    return 'The database has a module that this program lacks. The log names it and says what to do.'
  if (other.length > 0)
    return 'This process has other code of a module than what is installed. The log names it and says what to do.'
  return null
}

const describeOther = (names: readonly string[]): string =>
  `This process has other code of the ${names.length === 1 ? 'module' : 'modules'} ${names.join(', ')} than what is installed. Restart it; ` +
  `if its code is the newer one, run: svc module update ${names.join(' ')}`
