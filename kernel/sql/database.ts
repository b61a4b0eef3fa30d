import type { Kysely, Transaction } from 'kysely'
import type { KernelTables } from '../tables.ts'

/** A database handle: the pool, or (as a subtype) one transaction. */
export type Db = Kysely<KernelTables>
export type Tx = Transaction<KernelTables>
