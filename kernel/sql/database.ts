import type { Kysely, Transaction } from 'kysely'
import type { KernelTables } from '../tables.ts'

/** A database handle: the pool, or (as a subtype) one transaction. */
export type Db = Kysely<KernelTables>
export type Tx = Transaction<KernelTables>

/** Model tables: their names and columns come from the registry at run time. */
export interface DynamicTables {
  [table: string]: Record<string, unknown>
}

/** The same handle for model tables. A cast, because the types of those tables exist only at run time. */
export const dynamic = (db: Db): Kysely<DynamicTables> => db as unknown as Kysely<DynamicTables>
