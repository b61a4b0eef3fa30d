import type { AuditActor } from '../audit.ts'
import { forgetXmlids, type KnownXmlid, type Xmlid, xmlidsOf } from '../data/xmlid.ts'
import { conflict } from '../errors.ts'
import type { Registry } from '../model/registry.ts'
import { deleteParam } from '../param.ts'
import { desiredSchema } from '../schema/columns.ts'
import type { SchemaSpec } from '../schema/spec.ts'
import { syncSchema } from '../schema/sync.ts'
import type { Services } from '../services.ts'
import type { Db } from '../sql/database.ts'
import { sql } from '../sql/sql.ts'
import { migrationsKey } from './addon-migrations.ts'
import { changeModules, compileAddons, type ModuleChange, publishModuleChange, withSystemEnv } from './change.ts'
import { saveDeclared } from './declared.ts'
import { describeModels } from './describe-models.ts'
import { type Catalogue, dependencyOrder, dependentsOf, findAddon, refuseDependents } from './graph.ts'
import { forgetLoaded, loadedKey, removeRecords } from './load-data.ts'
import { refuseMissing } from './missing.ts'
import { type ModuleRow, presentModules, readModules, requirePresent, saveModules } from './module-row.ts'
import { purgeQuarantine, type QuarantineItem, quarantineLoss, type SchemaLoss, schemaLoss } from './quarantine.ts'
import { forgetLinks, quarantineLinks } from './quarantine-links.ts'

export interface UninstallPreview {
  /** Installed modules that depend on this one; if there are any, it cannot be uninstalled. */
  readonly dependents: readonly string[]
  readonly tables: readonly { readonly table: string; readonly rows: number }[]
  readonly columns: readonly { readonly table: string; readonly column: string; readonly rows: number }[]
  /** Records of other modules' models that came with this one, by model. */
  readonly records: Readonly<Record<string, number>>
}

export interface UninstallResult {
  readonly quarantined: readonly QuarantineItem[]
  readonly removed: readonly Xmlid[]
}

/** What an uninstall would remove. Reads only. */
export async function previewUninstall(db: Db, catalogue: Catalogue, name: string): Promise<UninstallPreview> {
  const modules = await readModules(db)
  refuseMissing(modules, catalogue)
  const { loss, after } = changeOf(catalogue, modules, name)
  const tables: { table: string; rows: number }[] = []
  for (const table of loss.tables) tables.push({ table: table.name, rows: await countSet(db, table.name) })
  const columns: { table: string; column: string; rows: number }[] = []
  for (const { table, column } of loss.columns) {
    columns.push({ table, column, rows: await countSet(db, table, column) })
  }
  const records: Record<string, number> = {}
  for (const { model } of await xmlidsOf(db, name)) if (after.model(model)) records[model] = (records[model] ?? 0) + 1
  return { dependents: dependentsOf(catalogue, name, presentModules(modules)), tables, columns, records }
}

/**
 * Models whose records are kept for quarantined rows although no field links to them: number sequences continue after a
 * reinstall.
 */
export const COUNTING: ReadonlySet<string> = new Set(['sys.sequence'])

/**
 * Removes a module: its records in other modules' models go, its tables and columns move to the schema `quarantine`, from
 * where a later install brings them back, as it does the links of other records to its own. Records that its quarantined rows
 * refer to are kept.
 */
export function uninstallModule(
  services: Services,
  catalogue: Catalogue,
  name: string,
  by?: AuditActor,
): Promise<UninstallResult> {
  const work = async (change: ModuleChange) => {
    const { tx, modules } = change
    const { addon, before, after, loss, schema } = changeOf(catalogue, modules, name)
    refuseDependents(catalogue, name, presentModules(modules))
    await withSystemEnv(change, before, async (env) => addon.hooks.uninstalling?.(env))
    const records = (await xmlidsOf(tx, name)).filter((record) => after.model(record.model))
    const needed = await neededIds(tx, loss, schema, after, records)
    const quarantined = await quarantineLoss(tx, name, loss)
    await syncSchema(tx, after)
    const stays = ({ model, res_id }: KnownXmlid) =>
      needed.get(model)?.has(res_id) || (quarantined.length > 0 && COUNTING.has(model))
    const leaving = records.filter((record) => !stays(record))
    await quarantineLinks(tx, name, after, leaving)
    const removed = await withSystemEnv(change, after, (env) => removeRecords(env, leaving))
    await forgetLoaded(tx, name, new Set(removed))
    await saveModules(tx, catalogue, [{ name, version: addon.version, state: 'uninstalled' }])
    await saveDeclared(tx, catalogue, after.addons)
    await describeModels(tx, after)
    await publishModuleChange(change, after, [[name, 'uninstalled']])
    return { quarantined, removed }
  }
  return changeModules(services, catalogue, work, by)
}

/** Deletes for good what an uninstalled module left behind: its rows in quarantine, and the records kept for them. */
export function purgeModule(
  services: Services,
  catalogue: Catalogue,
  name: string,
): Promise<readonly QuarantineItem[]> {
  return changeModules(services, catalogue, async (change) => {
    const { tx, modules } = change
    findAddon(catalogue, name)
    const present = presentModules(modules)
    if (present.includes(name)) throw conflict('module_state', `Module ${name} is installed.`)
    const items = await purgeQuarantine(tx, name)
    await forgetLinks(tx, [name])
    const registry = compileAddons(dependencyOrder(catalogue, present))
    const [kept, gone] = split(await xmlidsOf(tx, name), (record) => registry.model(record.model) !== undefined)
    await withSystemEnv(change, registry, (env) => removeRecords(env, kept))
    await forgetXmlids(
      tx,
      gone.map((record) => record.xmlid),
    )
    await deleteParam(tx, migrationsKey(name))
    await deleteParam(tx, loadedKey(name))
    return items
  })
}

const split = <T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] => [
  items.filter(test),
  items.filter((item) => !test(item)),
]

/** Every installation needs them: users and rights, and the pages they sign in with. */
const PERMANENT: ReadonlySet<string> = new Set(['base', 'web'])

/** What the registry and the tables are before and after an uninstall. */
export function changeOf(catalogue: Catalogue, modules: ReadonlyMap<string, ModuleRow>, name: string) {
  const addon = findAddon(catalogue, name)
  const present = presentModules(modules)
  requirePresent(modules, name)
  if (PERMANENT.has(name)) throw conflict('module_state', `Module ${name} cannot be uninstalled.`)
  const leaving = new Set([name, ...dependentsOf(catalogue, name, present)])
  const before = compileAddons(dependencyOrder(catalogue, present))
  const after = compileAddons(
    dependencyOrder(
      catalogue,
      present.filter((other) => !leaving.has(other)),
    ),
  )
  const schema = desiredSchema(before, { trigrams: false })
  return { addon, before, after, schema, loss: schemaLoss(schema, desiredSchema(after, { trigrams: false })) }
}

/** Records that rows going to quarantine link to, by model: without them those rows could not come back. */
async function neededIds(
  tx: Db,
  loss: SchemaLoss,
  schema: SchemaSpec,
  after: Registry,
  records: readonly KnownXmlid[],
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const goingColumns = new Set(loss.columns.map(({ table, column }) => `${table}.${column}`))
  const goingTables = new Set(loss.tables.map((table) => table.name))
  const links = [...schema.values()].flatMap((table) =>
    [...table.constraints.values()].flatMap(({ kind, columns: [column], target }) =>
      kind === 'foreign' && column && (goingTables.has(table.name) || goingColumns.has(`${table.name}.${column}`))
        ? [{ table: table.name, column, target: target! }]
        : [],
    ),
  )
  const needed = new Map<string, Set<number>>()
  for (const model of new Set(records.map((record) => record.model))) {
    const ids = records.filter((record) => record.model === model).map((record) => record.res_id)
    const found = new Set<number>()
    for (const { table, column } of links.filter((link) => link.target === after.model(model)?.table)) {
      const { rows } = await sql<{ id: number }>`select distinct ${sql.ref(column)} as id from ${sql.table(table)}
        where ${sql.ref(column)} = any(${ids}::int[])`.execute(tx)
      for (const { id } of rows) found.add(id)
    }
    needed.set(model, found)
  }
  return needed
}

/** Rows of a table, or its values of one column. */
export async function countSet(db: Db, table: string, column?: string): Promise<number> {
  const what = column === undefined ? sql`*` : sql.ref(column)
  const { rows } = await sql<{ rows: number }>`select count(${what})::int as rows from ${sql.table(table)}`.execute(db)
  return rows[0]?.rows ?? 0
}
