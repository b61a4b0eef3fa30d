import { ACCESS_COLUMNS, type AccessRow, buildAccessTables, NO_ACCESS } from '../access/load.ts'
import type { AccessTables } from '../access/tables.ts'
import { EPOCH_COLUMNS, EPOCH_SOURCE } from '../epoch.ts'
import type { Epoch } from '../services.ts'
import type { Db } from '../sql/database.ts'
import { listColumn } from '../sql/list-column.ts'
import { sql } from '../sql/sql.ts'
import { DECLARED, type Declared } from './declared.ts'
import { MODULE_ROWS, type ModuleRow, modulesByName } from './module-row.ts'

/** What the database says at one epoch. */
export interface StoredState {
  readonly epoch: Epoch
  readonly modules: ReadonlyMap<string, ModuleRow>
  readonly declared: Declared
  readonly access: AccessTables
}

/** Before base is installed there are no modules and no groups. */
export const nothingStored = (epoch: Epoch): StoredState => ({
  epoch,
  modules: new Map(),
  declared: {},
  access: buildAccessTables(NO_ACCESS, epoch.access),
})

/**
 * Modules and access with their epoch, in one statement: read in several, they could be a mixture of two states and grant what neither
 * of them grants, such as an access line without its rule. A transaction with one snapshot would not do: a table that is written anew
 * by a change of its columns looks empty to older snapshots, and without its rules a model is open. A statement takes its snapshot
 * when it has locked its tables, so that none of them is written anew meanwhile.
 */
export async function readStoredState(db: Db): Promise<StoredState> {
  type Row = Epoch & AccessRow & { module_rows: readonly ModuleRow[]; declared: Declared | null }
  const { rows } = await sql<Row>`
    select ${EPOCH_COLUMNS}, ${listColumn(MODULE_ROWS)} as module_rows, ${DECLARED} as declared, ${ACCESS_COLUMNS}
    from ${EPOCH_SOURCE}`.execute(db)
  const { modules, access, views, module_rows, declared, ...found } = rows[0]!
  return {
    epoch: { modules, access, views },
    modules: modulesByName(module_rows),
    declared: declared ?? {},
    access: buildAccessTables(found, access),
  }
}
