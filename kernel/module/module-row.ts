import { conflict } from '../errors.ts'
import type { Db } from '../sql/database.ts'
import { sql } from '../sql/sql.ts'
import type { Addon } from './addon.ts'
import type { Catalogue } from './graph.ts'

export type ModuleStatus = 'uninstalled' | 'installed' | 'inactive'

export interface ModuleRow {
  readonly name: string
  readonly version: string
  readonly state: ModuleStatus
}

/** What the database says about each module; empty before base is installed. */
export async function readModules(db: Db): Promise<ReadonlyMap<string, ModuleRow>> {
  const { rows: found } = await sql<{ there: boolean }>`select to_regclass('sys_module') is not null as there`.execute(
    db,
  )
  if (!found[0]?.there) return new Map()
  return modulesByName((await MODULE_ROWS.execute(db)).rows)
}

export const MODULE_ROWS = sql<ModuleRow>`select name, version, state from sys_module`

export const modulesByName = (rows: readonly ModuleRow[]): ReadonlyMap<string, ModuleRow> =>
  new Map(rows.map((row) => [row.name, row]))

/** Names of the modules whose models exist: installed ones, also while switched off. */
export const presentModules = (modules: ReadonlyMap<string, ModuleRow>): string[] =>
  [...modules.values()].filter((row) => row.state !== 'uninstalled').map((row) => row.name)

/** Names of the modules that are switched on. */
export const activeModules = (modules: ReadonlyMap<string, ModuleRow>): string[] =>
  presentModules(modules).filter((name) => modules.get(name)?.state === 'installed')

/** The row of a module whose models exist; refuses the others. */
export function requirePresent(modules: ReadonlyMap<string, ModuleRow>, name: string): ModuleRow {
  const row = modules.get(name)
  if (row === undefined || row.state === 'uninstalled')
    throw conflict('module_state', `Module ${name} is not installed.`)
  return row
}

/**
 * Keeps one row per addon of the catalogue, and sets state and version of the modules in `changed`. Addons of other programs on this
 * database keep theirs. Rows that are right are not even locked: a start that changes nothing need not wait for the disk.
 */
export async function saveModules(db: Db, catalogue: Catalogue, changed: readonly ModuleRow[]): Promise<void> {
  const rows = JSON.stringify([...catalogue.values()].map(describe))
  await sql`
    insert into sys_module (name, version, summary, application, depends, state)
    select r.name, r.version, r.summary, r.application, r.depends, 'uninstalled'
    from json_to_recordset(${rows}::json)
      as r(name text, version text, summary text, application boolean, depends text)
    where not exists (
      select from sys_module m where m.name = r.name and (m.state <> 'uninstalled' or m.version = r.version)
        and (m.summary, m.application, m.depends) is not distinct from (r.summary, r.application, r.depends))
    on conflict (name) do update set
      summary = excluded.summary, application = excluded.application, depends = excluded.depends,
      version = case sys_module.state when 'uninstalled' then excluded.version else sys_module.version end`.execute(db)
  if (changed.length === 0) return
  await sql`
    update sys_module m set state = r.state, version = r.version
    from json_to_recordset(${JSON.stringify(changed)}::json) as r(name text, version text, state text)
    where r.name = m.name`.execute(db)
}

const describe = ({ name, version, summary, application, depends }: Addon) => ({
  name,
  version,
  summary,
  application,
  depends: depends.length === 0 ? null : depends.join(','),
})
