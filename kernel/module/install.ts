import type { AuditActor } from '../audit.ts'
import type { Env } from '../env.ts'
import { conflict } from '../errors.ts'
import type { Registry } from '../model/registry.ts'
import { recompute, type Stale } from '../orm/compute/compute.ts'
import { desiredSchema } from '../schema/columns.ts'
import type { SchemaPlan } from '../schema/plan.ts'
import { planSync, type SyncOptions, syncSchema } from '../schema/sync.ts'
import type { Services } from '../services.ts'
import type { Db } from '../sql/database.ts'
import { sql } from '../sql/sql.ts'
import { requireValidViews } from '../view/check/validate.ts'
import type { Addon } from './addon.ts'
import { migrateAddon, requireUnchangedMigrations } from './addon-migrations.ts'
import { changeModules, compileAddons, type ModuleChange, publishModuleChange, withSystemEnv } from './change.ts'
import { saveDeclared } from './declared.ts'
import { lackingDemo, loadDemo } from './demo.ts'
import { describeModels } from './describe-models.ts'
import { type Catalogue, dependencyOrder, findAddon, installClosure } from './graph.ts'
import { loadFiles } from './load-files.ts'
import { refuseMissing } from './missing.ts'
import { type ModuleStatus, presentModules, readModules, saveModules } from './module-row.ts'
import { restoreQuarantined } from './quarantine.ts'
import { restoreLinks } from './quarantine-links.ts'
import { requireSequences } from './require-sequences.ts'
import { warnOfHidden } from './warn-of-hidden.ts'

/** Options of a change of modules. */
export interface ModuleChangeOptions extends SyncOptions {
  readonly by?: AuditActor
  /** Called before each module is loaded, to show the progress. */
  readonly onProgress?: (progress: InstallProgress) => Promise<void>
}

export interface InstallOptions extends ModuleChangeOptions {
  /** Also load demo records, including those of dependencies that have none yet. */
  readonly demo?: boolean
}

export interface InstallProgress {
  /** The module that is being loaded now. */
  readonly module: string
  readonly done: number
  readonly total: number
}

export interface ModuleResult {
  /** The installed or updated modules, in order, with their dependencies and modules that were installed automatically. */
  readonly modules: readonly string[]
  readonly plan: SchemaPlan | null
}

export interface UpgradeResult extends ModuleResult {
  /** That of all modules, if nothing had to be changed. */
  readonly registry?: Registry
}

export interface InstallResult extends ModuleResult {
  /** Modules that were installed before and got their demo records now. */
  readonly examples: readonly string[]
}

/** Installs modules with everything they need. Modules that are installed already are not changed. */
export function installModules(
  services: Services,
  catalogue: Catalogue,
  names: readonly string[],
  options: InstallOptions = {},
): Promise<InstallResult> {
  return changeModules(services, catalogue, (change) => install(change, names, options), options.by)
}

/** Installs modules as part of a larger change. */
export async function install(
  change: ModuleChange,
  names: readonly string[],
  options: InstallOptions,
): Promise<InstallResult> {
  const { catalogue, tx } = change
  const present = presentModules(change.modules)
  const addons = installClosure(catalogue, present, names)
  const fresh = addons.filter((addon) => !present.includes(addon.name))
  const concerned = dependencyOrder(catalogue, [...names, ...fresh.map((addon) => addon.name)])
  const older = concerned.filter((addon) => !fresh.includes(addon))
  const lacking = options.demo ? await lackingDemo(tx, older) : []
  if (fresh.length + lacking.length === 0) return { modules: [], plan: null, examples: [] }
  const registry = compileAddons(addons)
  await restoreQuarantined(tx, registry)
  const plan = await prepare(change, registry, fresh, 'installed', options)
  for (const addon of lacking) await loadDemo(change, registry, addon)
  for (const [done, addon] of fresh.entries()) {
    await options.onProgress?.({ module: addon.name, done, total: fresh.length })
    await loadFiles(change, registry, addon)
    if (options.demo) await loadDemo(change, registry, addon)
    await withSystemEnv(change, registry, async (env) => addon.hooks.installed?.(env))
  }
  const installed = fresh.map((addon) => addon.name)
  await restoreLinks(tx, installed, registry)
  await withSystemEnv(change, registry, (env) => requireValidViews(env, fresh))
  await requireSequences(tx, registry, installed)
  await warnOfHidden(change, registry, installed)
  await publishModuleChange(
    change,
    registry,
    installed.map((name) => [name, 'installed']),
  )
  return { modules: installed, plan, examples: lacking.map((addon) => addon.name) }
}

/** Brings installed modules to the version this program has: migrations, schema, data files, hooks. */
export function updateModules(
  services: Services,
  catalogue: Catalogue,
  names: readonly string[],
  options: ModuleChangeOptions = {},
): Promise<ModuleResult> {
  const work = async (change: ModuleChange) => {
    const result = await update(change, names, options)
    const registry = compileAddons(dependencyOrder(catalogue, presentModules(change.modules)))
    // Not checked at start-up, which must not fail because an administrator has deleted a sequence.
    await requireSequences(change.tx, registry, names)
    return result
  }
  return changeModules(services, catalogue, work, options.by)
}

/**
 * Updates every module whose version is not the program's, and brings the schema in line where declarations changed without a
 * new version. Runs at start-up, before the first request.
 */
export function upgradeModules(services: Services, catalogue: Catalogue): Promise<UpgradeResult> {
  return changeModules(services, catalogue, async (change) => {
    const outdated = presentModules(change.modules).filter(
      (name) => catalogue.get(name)?.version !== change.modules.get(name)?.version,
    )
    if (outdated.length > 0) return update(change, outdated, {})
    const addons = dependencyOrder(catalogue, presentModules(change.modules))
    if (addons.length === 0) return { modules: [], plan: null }
    await requireUnchangedMigrations(change.tx, addons)
    const registry = compileAddons(addons)
    const plan = await planSync(change.tx, registry)
    if (plan.steps.length === 0) {
      await saveModules(change.tx, catalogue, [])
      await describeModels(change.tx, registry)
      if (await saveDeclared(change.tx, catalogue, registry.addons)) await publishModuleChange(change, registry, [])
      return { modules: [], plan, registry }
    }
    const done = await prepare(change, registry, [], 'installed', {})
    await publishModuleChange(change, registry, [])
    return { modules: [], plan: done }
  })
}

async function update(
  change: ModuleChange,
  names: readonly string[],
  options: ModuleChangeOptions,
): Promise<ModuleResult> {
  const { catalogue, modules } = change
  const present = presentModules(modules)
  for (const name of names) findAddon(catalogue, name)
  const absent = names.filter((name) => !present.includes(name))
  if (absent.length > 0) throw conflict('module_state', `Not installed: ${absent.join(', ')}.`)
  const wanted = new Set(names)
  const addons = dependencyOrder(catalogue, present)
  const chosen = addons.filter((addon) => wanted.has(addon.name))
  const registry = compileAddons(addons)
  const plan = await prepare(change, registry, chosen, null, options)
  for (const [done, addon] of chosen.entries()) {
    await options.onProgress?.({ module: addon.name, done, total: chosen.length })
    await loadFiles(change, registry, addon)
    const from = modules.get(addon.name)?.version ?? addon.version
    await withSystemEnv(change, registry, async (env) => addon.hooks.updated?.(env, from))
  }
  await withSystemEnv(change, registry, (env) => requireValidViews(env, chosen))
  await publishModuleChange(
    change,
    registry,
    chosen.map((addon) => [addon.name, 'updated']),
  )
  return { modules: chosen.map((addon) => addon.name), plan }
}

/** Migrations, schema, and the rows that describe modules and models. `status` null keeps the state each module has. */
async function prepare(
  change: ModuleChange,
  registry: Registry,
  chosen: readonly Addon[],
  status: ModuleStatus | null,
  options: SyncOptions,
): Promise<SchemaPlan> {
  const { tx, catalogue, modules } = change
  for (const addon of chosen) await migrateAddon(tx, addon)
  const plan = await syncSchema(tx, registry, options)
  const rowOf = ({ name, version }: Addon) => ({
    name,
    version,
    state: status ?? modules.get(name)?.state ?? 'installed',
  })
  await saveModules(tx, catalogue, chosen.map(rowOf))
  await saveDeclared(tx, catalogue, registry.addons)
  await describeModels(tx, registry)
  await withSystemEnv(change, registry, (env) => computeNewColumns(env, plan))
  return plan
}

/** Computes new stored fields of tables that have rows. */
async function computeNewColumns(env: Env, plan: SchemaPlan): Promise<void> {
  const schema = desiredSchema(env.registry, { trigrams: false })
  const stale: Stale = new Map()
  for (const step of plan.steps) {
    const field = step.kind === 'add column' ? schema.get(step.table)?.columns.get(step.target!)?.field : undefined
    if (!field?.compute?.stored) continue
    const { rows } = await sql<{ id: number }>`select id from ${sql.table(step.table)}`.execute(env.tx)
    const fields = stale.get(field.model) ?? new Map<string, Set<number>>()
    stale.set(field.model, fields.set(field.name, new Set(rows.map((row) => row.id))))
  }
  if (stale.size > 0) await recompute(env, stale)
}

/** What installing or updating would do to the schema, without doing it; names that are installed already count as updates. */
export async function planModules(db: Db, catalogue: Catalogue, names: readonly string[]): Promise<SchemaPlan> {
  const modules = await readModules(db)
  refuseMissing(modules, catalogue)
  const present = presentModules(modules)
  return planSync(db, compileAddons(installClosure(catalogue, present, names)))
}
