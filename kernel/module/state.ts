import { loadAccess } from '../access/load.ts'
import type { AccessTables } from '../access/tables.ts'
import { compileRegistry } from '../model/compile-registry.ts'
import type { Registry } from '../model/registry.ts'
import { readLargeTables } from '../schema/large-tables.ts'
import type { Epoch, KernelState } from '../services.ts'
import type { Db } from '../sql/database.ts'
import { buildViewTables, NO_VIEWS } from '../view/build-tables.ts'
import { loadViewTables } from '../view/load.ts'
import type { Addon } from './addon.ts'
import { compareProgram, programOf, type Unfit } from './declared.ts'
import { type Catalogue, dependencyOrder } from './graph.ts'
import { presentModules, readModules } from './module-row.ts'

/**
 * The kernel's state with the addons it was made from. If addons are missing from the program, the others are served as if the missing
 * ones were switched off.
 */
export interface ModuleState extends KernelState, Unfit {
  /** Addons whose models are in the registry, in dependency order. */
  readonly addons: readonly Addon[]
  /** Names of the addons that are not switched off: only those have routes, menus and jobs. */
  readonly active: ReadonlySet<string>
}

/** Compiles the registry of the installed addons and loads groups, access lines and rules; views are loaded when first needed. */
export async function loadState(db: Db, catalogue: Catalogue, epoch: Epoch): Promise<ModuleState> {
  const modules = await readModules(db)
  const unfit = await compareProgram(db, modules, programOf(catalogue))
  const present = presentModules(modules).filter((name) => !unfit.missing.includes(name))
  const addons = dependencyOrder(catalogue, present)
  const registry = compileRegistry(addons)
  return Object.freeze({
    epoch,
    registry,
    access: await loadAccessOrNone(db, epoch, present),
    large: await readLargeTables(db),
    views:
      present.length > 0 ? viewsOf(db, registry, epoch) : async () => buildViewTables(registry, epoch.views, NO_VIEWS),
    addons,
    ...unfit,
    active: new Set(present.filter((name) => modules.get(name)?.state === 'installed')),
  })
}

/** Brings access and views up to date, each only if it has changed, when modules have not. */
export async function reloadTables(db: Db, state: ModuleState, epoch: Epoch): Promise<ModuleState> {
  const isSame = state.epoch.access === epoch.access
  const access = isSame ? state.access : await loadAccess(db, epoch.access)
  const large = isSame ? state.large : await readLargeTables(db)
  const views = state.epoch.views === epoch.views ? state.views : viewsOf(db, state.registry, epoch)
  return Object.freeze({ ...state, epoch, access, ...(large && { large }), views })
}

const viewsOf = (db: Db, registry: Registry, epoch: Epoch) => lazily(() => loadViewTables(db, registry, epoch.views))

/**
 * Runs `load` on the first call and caches its result. Concurrent calls share one load; after a failure the next call tries
 * again.
 */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let held: Promise<T> | null = null
  return () => {
    held ??= load().catch((error: unknown) => {
      held = null
      throw error
    })
    return held
  }
}

/** Before base is installed the tables of groups do not exist. */
async function loadAccessOrNone(db: Db, epoch: Epoch, present: readonly string[]): Promise<AccessTables> {
  if (present.length > 0) return loadAccess(db, epoch.access)
  return {
    epoch: epoch.access,
    groupIdByXmlid: new Map(),
    impliedGroups: new Map(),
    ruleData: {},
    lines: new Map(),
    rules: new Map(),
  }
}
