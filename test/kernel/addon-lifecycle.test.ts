import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { dependencyOrder } from '../../kernel/module/graph.ts'
import { installModules, updateModules } from '../../kernel/module/install.ts'
import { uninstallModule } from '../../kernel/module/uninstall.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { createDatabase, kernelTemplate, type TestDatabase } from '../support/database.ts'
import { openModules, type TestModules } from '../support/modules.ts'

/** Every addon of the program through its whole life. */

let database: TestDatabase
let modules: TestModules

beforeEach(async () => {
  database = await createDatabase(kernelTemplate)
  modules = openModules(database.db, bundledAddons)
})
afterEach(() => database.drop())

const linesOf = async (query: ReturnType<typeof sql<{ line: string }>>) =>
  (await query.execute(database.db)).rows.map(({ line }) => line)

/**
 * Tables and columns, and what addons have brought to those of base, by external id. Sequences stay where they are: the numbers
 * of records in quarantine must not be given away again.
 */
async function inventory() {
  return {
    columns: await linesOf(sql<{ line: string }>`
      select table_name || '.' || column_name || ' ' || data_type as line from information_schema.columns
      where table_schema = 'public' order by 1`),
    indexes: await linesOf(sql<{ line: string }>`
      select indexname as line from pg_indexes where schemaname = 'public' order by 1`),
    records: await linesOf(sql<{ line: string }>`
      select model || ' ' || module || '.' || name as line from sys_xmlid
      where model in ('core.group', 'sys.view', 'sys.menu', 'sys.action', 'sys.access', 'sys.rule', 'sys.cron') order by 1`),
    counts: await linesOf(sql<{ line: string }>`
      select 'views ' || count(*) as line from sys_view union all
      select 'menus ' || count(*) from sys_menu union all
      select 'actions ' || count(*) from sys_action union all
      select 'access ' || count(*) from sys_access union all
      select 'rules ' || count(*) from sys_rule union all
      select 'models ' || count(*) from sys_model union all
      select 'fields ' || count(*) from sys_field`),
  }
}

/** Content of the tables of these addons, without what every write changes. */
async function checksums(addons: readonly string[]): Promise<Record<string, string>> {
  const tables = await linesOf(sql<{ line: string }>`
    select table_name as line from information_schema.tables where table_schema = 'public' order by 1`)
  const sums: Record<string, string> = {}
  for (const table of tables.filter((name) => addons.some((addon) => name.startsWith(`${addon}_`)))) {
    const [line] = await linesOf(sql<{ line: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(
        (to_jsonb(t) - 'write_date' - 'write_uid' - 'version')::text, '|' order by to_jsonb(t)::text)), '') as line
      from ${sql.table(table)} t`)
    sums[table] = line!
  }
  return sums
}

describe('every addon of the program', () => {
  test('is installed, updated, removed and brought back without a trace or a loss', { timeout: 240_000 }, async () => {
    const { services, catalogue } = modules
    await installModules(services, catalogue, ['base'])
    const before = new Map<string, Awaited<ReturnType<typeof inventory>>>()
    for (const name of await missing()) {
      before.set(name, await inventory())
      await installModules(services, catalogue, [name])
    }
    const full = await inventory()
    const installed = [...before.keys()]
    expect(installed.length).toBeGreaterThanOrEqual(5)

    await updateModules(services, catalogue, installed)
    expect(await inventory()).toEqual(full)

    for (const name of installed.toReversed()) {
      await uninstallModule(services, catalogue, name)
      expect([name, await inventory()]).toEqual([name, before.get(name)])
    }
    for (const name of installed) await installModules(services, catalogue, [name])
    expect(await inventory()).toEqual(full)
  })

  test('has its records back when it is installed again', { timeout: 240_000 }, async () => {
    const { services, catalogue } = modules
    for (const name of order()) await installModules(services, catalogue, [name], { demo: true })
    const content = await checksums(['sale', 'crm'])
    expect(content['sale_order']).not.toMatch(/^0 /)
    for (const name of ['crm', 'sale']) await uninstallModule(services, catalogue, name)
    expect(Object.keys(await checksums(['sale', 'crm']))).toEqual([])
    for (const name of ['sale', 'crm']) await installModules(services, catalogue, [name])
    expect(await checksums(['sale', 'crm'])).toEqual(content)
  })
})

const order = () =>
  dependencyOrder(
    modules.catalogue,
    bundledAddons.map(({ name }) => name),
  ).map(({ name }) => name)

async function missing(): Promise<readonly string[]> {
  const present = await linesOf(sql<{ line: string }>`select name as line from sys_module where state = 'installed'`)
  return order().filter((name) => !present.includes(name))
}
