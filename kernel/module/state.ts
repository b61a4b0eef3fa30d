import { EPOCH_COLUMNS, EPOCH_SOURCE } from '../epoch.ts'
import { compileRegistry } from '../model/compile-registry.ts'
import type { Registry } from '../model/registry.ts'
import { readLargeTables } from '../schema/large-tables.ts'
import type { Epoch, KernelState } from '../services.ts'
import type { Db } from '../sql/database.ts'
import { sql } from '../sql/sql.ts'
import { twiceIfEnded } from '../sql/transaction.ts'
import { buildViewTables, NO_VIEWS } from '../view/build-tables.ts'
import { loadViewTables } from '../view/load.ts'
import type { Addon } from './addon.ts'
import { compareProgram, programOf, type Unfit } from './declared.ts'
import { type Catalogue, dependencyOrder } from './graph.ts'
import { presentModules } from './module-row.ts'
import { nothingStored, readStoredState, type StoredState } from './stored-state.ts'

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

/**
 * The state that the database is at now, made from the one `before` as far as that still holds: views alone may have changed, or access
 * without modules. Epoch, modules and access are of one moment; sizes and indexes of tables grant nothing and may be newer, and so
 * may views, which are loaded when first needed, all at one moment. `compiled` is taken as the registry if it is that of the modules
 * that are installed.
 */
export async function loadState(
  db: Db,
  catalogue: Catalogue,
  before: ModuleState | null,
  compiled?: Registry,
): Promise<ModuleState> {
  const { hasModules, ...seen } = await readStart(db)
  if (before !== null && before.epoch.modules === seen.modules && before.epoch.access === seen.access)
    return Object.freeze({ ...before, epoch: seen, views: viewsAt(db, seen, before.registry, before) })
  const stored = hasModules ? await twiceIfEnded(() => readStoredState(db)) : nothingStored(seen)
  const { epoch, access } = stored
  const program = before?.epoch.modules === epoch.modules ? before : fitProgram(catalogue, stored, compiled)
  const large = await readLargeTables(db)
  return Object.freeze({ ...program, epoch, access, large, views: viewsAt(db, epoch, program.registry, before) })
}

interface Start extends Epoch {
  /** The tables of base exist; if not, they did not at this epoch either. */
  readonly hasModules: boolean
}

async function readStart(db: Db): Promise<Start> {
  const { rows } = await sql<Start>`
    select ${EPOCH_COLUMNS}, to_regclass('sys_module') is not null as "hasModules" from ${EPOCH_SOURCE}`.execute(db)
  return rows[0]!
}

/** The addons of the program that are installed, and their registry. */
function fitProgram(catalogue: Catalogue, { modules, declared }: StoredState, compiled?: Registry) {
  const unfit = compareProgram(modules, declared, programOf(catalogue))
  const present = presentModules(modules).filter((name) => !unfit.missing.includes(name))
  const addons = dependencyOrder(catalogue, present)
  const active = new Set(present.filter((name) => modules.get(name)?.state === 'installed'))
  const isCompiled = compiled?.addons.join() === addons.map(({ name }) => name).join()
  return { registry: compiled && isCompiled ? compiled : compileRegistry(addons), addons, active, ...unfit }
}

/** The views of `before` if they are of this epoch and registry, otherwise those that are loaded when first needed. */
function viewsAt(db: Db, epoch: Epoch, registry: Registry, before: ModuleState | null): ModuleState['views'] {
  if (before?.registry === registry && before.epoch.views === epoch.views) return before.views
  if (registry.addons.length === 0) return async () => buildViewTables(registry, epoch.views, NO_VIEWS)
  return lazily(() => loadViewTables(db, registry))
}

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
