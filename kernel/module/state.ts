import type { AccessTables } from '../access/tables.ts'
import { compileRegistry } from '../model/compile-registry.ts'
import type { Epoch, KernelState } from '../services.ts'
import type { Db } from '../sql.ts'
import { loadAccess } from './access-tables.ts'
import type { Addon } from './addon.ts'
import { type Catalogue, dependencyOrder } from './graph.ts'
import { presentModules, readModules } from './module-row.ts'

/** The kernel's state with the addons it was made from. */
export interface ModuleState extends KernelState {
  /** Addons whose models are in the registry, in dependency order. */
  readonly addons: readonly Addon[]
  /** Names of those that are not switched off: only they bring routes, menus and jobs. */
  readonly active: ReadonlySet<string>
}

/** Compiles the registry of the installed addons and loads groups, access lines and rules. */
export async function loadState(db: Db, catalogue: Catalogue, epoch: Epoch): Promise<ModuleState> {
  const modules = await readModules(db)
  const present = presentModules(modules)
  const missing = present.filter((name) => !catalogue.has(name))
  if (missing.length > 0) {
    throw new Error(`Installed in the database, but not part of this program: ${missing.join(', ')}.`)
  }
  const addons = dependencyOrder(catalogue, present)
  return Object.freeze({
    epoch,
    registry: compileRegistry(addons),
    access: await loadAccessOrNone(db, epoch, present),
    addons,
    active: new Set(present.filter((name) => modules.get(name)?.state === 'installed')),
  })
}

/** Reloads only the access tables, when modules have not changed since. */
export async function reloadAccess(db: Db, state: ModuleState, epoch: Epoch): Promise<ModuleState> {
  return Object.freeze({ ...state, epoch, access: await loadAccess(db, epoch.access) })
}

/** Before base is installed there are no groups, and nobody who could be in one. */
async function loadAccessOrNone(db: Db, epoch: Epoch, present: readonly string[]): Promise<AccessTables> {
  if (present.length > 0) return loadAccess(db, epoch.access)
  return {
    epoch: epoch.access,
    groupIdByXmlid: new Map(),
    impliedGroups: new Map(),
    lines: new Map(),
    rules: new Map(),
  }
}

export async function readEpoch(db: Db): Promise<Epoch> {
  return db.selectFrom('sys_epoch').select(['modules', 'access']).executeTakeFirstOrThrow()
}
