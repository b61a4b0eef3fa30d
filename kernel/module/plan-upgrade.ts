import type { SchemaPlan } from '../schema/plan.ts'
import { planSync } from '../schema/sync.ts'
import type { Db } from '../sql/database.ts'
import { pendingMigrations, requireUnchangedMigrations } from './addon-migrations.ts'
import { compileAddons } from './change.ts'
import { type Catalogue, dependencyOrder } from './graph.ts'
import { refuseMissing } from './missing.ts'
import { presentModules, readModules } from './module-row.ts'
import { refuseNewer } from './newer.ts'

export interface ModuleUpgrade {
  readonly name: string
  readonly from: string
  readonly to: string
  /** Migrations that would run before the schema is synchronised, and may change its plan. */
  readonly migrations: readonly string[]
}

export interface UpgradePlan {
  readonly modules: readonly ModuleUpgrade[]
  readonly schema: SchemaPlan
}

/** What the start of this program would do to the modules of a database, without doing it. Null for one that has none yet. */
export async function planUpgrade(db: Db, catalogue: Catalogue): Promise<UpgradePlan | null> {
  const modules = await readModules(db)
  refuseMissing(modules, catalogue)
  refuseNewer(modules, catalogue)
  const addons = dependencyOrder(catalogue, presentModules(modules))
  if (addons.length === 0) return null
  await requireUnchangedMigrations(db, addons)
  const outdated = addons.filter(({ name, version }) => modules.get(name)?.version !== version)
  return {
    modules: await Promise.all(
      outdated.map(async (addon) => ({
        name: addon.name,
        from: modules.get(addon.name)!.version,
        to: addon.version,
        migrations: await pendingMigrations(db, addon),
      })),
    ),
    schema: await planSync(db, compileAddons(addons)),
  }
}
