import { afterEach, describe, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { xmlidsOf } from '../../kernel/data/xmlid.ts'
import type { Env } from '../../kernel/env.ts'
import { dependencyOrder } from '../../kernel/module/graph.ts'
import { installModules, updateModules } from '../../kernel/module/install.ts'
import { purgeModule, uninstallModule } from '../../kernel/module/uninstall.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { baseTemplate, bundledTemplate } from '../support/base-database.ts'
import { createDatabase, kernelTemplate, type Template, type TestDatabase } from '../support/database.ts'
import { demoTemplate } from '../support/demo-database.ts'
import { openModules, type TestModules } from '../support/modules.ts'

/** Every addon of the program through its whole life. */

let database: TestDatabase
let modules: TestModules

async function begin(from: Template): Promise<TestModules> {
  database = await createDatabase(from)
  modules = openModules(database.db, bundledAddons)
  return modules
}
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

/** Links between records of base and records that the addons brought to its models, by external id and by name. */
const links = () =>
  linesOf(sql<{ line: string }>`
    select 'user ' || u.login || ' in ' || x.module || '.' || x.name as line from core_user_group_ids_rel r
      join core_user u on u.id = r.source_id join sys_xmlid x on x.model = 'core.group' and x.res_id = r.target_id union all
    select 'home of ' || u.login || ' ' || x.module || '.' || x.name from core_user u
      join sys_xmlid x on x.model = 'sys.action' and x.res_id = u.action_id union all
    select 'group ' || g.name || ' implies ' || x.module || '.' || x.name from core_group_implied_ids_rel r
      join core_group g on g.id = r.source_id join sys_xmlid x on x.model = 'core.group' and x.res_id = r.target_id union all
    select 'rule ' || u.name || ' of ' || x.module || '.' || x.name from sys_rule_group_ids_rel r
      join sys_rule u on u.id = r.source_id join sys_xmlid x on x.model = 'core.group' and x.res_id = r.target_id
    order by 1`)

/** Gives each addon a user with all its groups and its first action as home, and a group of the company's own that implies them. */
const linkEverything = () =>
  modules.asSystem(async (env) => {
    const find = async (model: string, module: string) =>
      (await findXmlidsOf(env, module)).filter((known) => known.model === model).map(({ res_id }) => res_id)
    const company_id = await newCompany(env)
    for (const name of order()) {
      const [groups, actions] = [await find('core.group', name), await find('sys.action', name)]
      await env.model('core.user').create({
        login: name,
        name,
        company_id,
        company_ids: [company_id],
        group_ids: groups,
        action_id: actions[0] ?? null,
      })
      await env.model('core.group').create({ name: `Own of ${name}`, implied_ids: groups })
      await env
        .model('sys.rule')
        .create({ name: `Own rule of ${name}`, model: 'core.tag', domain: '[]', group_ids: groups })
    }
  })

describe('every addon of the program', () => {
  test('is installed, updated, removed and brought back without a trace or a loss', async () => {
    const { services, catalogue } = await begin(kernelTemplate)
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

  test('has its records back when it is installed again', async () => {
    const { services, catalogue } = await begin(demoTemplate(bundledAddons.map(({ name }) => name)))
    const content = await checksums(['sale', 'crm'])
    expect(content['sale_order']).not.toMatch(/^0 /)
    for (const name of ['crm', 'sale']) await uninstallModule(services, catalogue, name)
    expect(Object.keys(await checksums(['sale', 'crm']))).toEqual([])
    await installModules(services, catalogue, ['sale', 'crm'])
    expect(await checksums(['sale', 'crm'])).toEqual(content)
  })
})

test('users, groups and rules keep their links to an addon that is removed and installed again', async () => {
  const { services, catalogue } = await begin(bundledTemplate)
  await linkEverything()
  const before = await links()
  expect(before.filter((line) => /sale\.|crm\.|project\./.test(line)).length).toBeGreaterThan(20)
  const removed = order().filter((name) => !['base', 'web'].includes(name))
  for (const name of removed.toReversed()) await uninstallModule(services, catalogue, name)
  expect((await links()).filter((line) => /sale\.|crm\.|project\./.test(line))).toEqual([])
  await sql`delete from core_user where login = 'mail'`.execute(database.db)
  await installModules(services, catalogue, removed)
  expect(await links()).toEqual(before.filter((line) => !/ mail( |$)/.test(line)))
  expect(await linesOf(sql<{ line: string }>`select xmlid as line from quarantine.link`)).toEqual([])
})

test('a purge forgets the links, too', async () => {
  const { services, catalogue } = await begin(baseTemplate)
  await installModules(services, catalogue, ['sale'])
  await modules.asSystem(async (env) => {
    const groups = (await findXmlidsOf(env, 'sale')).filter(({ model }) => model === 'core.group')
    const [company_id, group_ids] = [await newCompany(env), groups.map(({ res_id }) => res_id)]
    await env.model('core.user').create({ login: 'tom', name: 'Tom', company_id, company_ids: [company_id], group_ids })
  })
  await uninstallModule(services, catalogue, 'sale')
  await purgeModule(services, catalogue, 'sale')
  await installModules(services, catalogue, ['sale'])
  expect((await links()).filter((line) => line.startsWith('user tom'))).toEqual([])
})

async function newCompany(env: Env): Promise<number> {
  const [currency_id] = await env.model('core.currency').search([], { limit: 1 })
  return env.model('core.company').create({ name: 'Own', currency_id: currency_id! })
}

const findXmlidsOf = (env: Env, module: string) => xmlidsOf(env.tx, module)

const order = () =>
  dependencyOrder(
    modules.catalogue,
    bundledAddons.map(({ name }) => name),
  ).map(({ name }) => name)

async function missing(): Promise<readonly string[]> {
  const present = await linesOf(sql<{ line: string }>`select name as line from sys_module where state = 'installed'`)
  return order().filter((name) => !present.includes(name))
}
