import { beforeEach, describe, expect, test } from 'vitest'
import { field } from '#kernel'
import base from '../../addons/base/addon.ts'
import { activateModule, deactivateModule } from '../../kernel/module/activate.ts'
import { type Addon, defineAddon } from '../../kernel/module/addon.ts'
import { compileAddons } from '../../kernel/module/change.ts'
import { installModules, planModules, updateModules, upgradeModules } from '../../kernel/module/install.ts'
import { loadState } from '../../kernel/module/state.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { connectDatabase } from '../../runtime/postgres/database.ts'
import { SHOP_DATA, shop, shopItem, shopPartner } from '../support/addons/shop.ts'
import { baseTemplate } from '../support/base-database.ts'
import { createDatabase, PATIENCE_MS, type TestDatabase } from '../support/database.ts'
import { openModules } from '../support/modules.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await createDatabase(baseTemplate)
  return () => database.drop()
})

const open = (...addons: Addon[]) => openModules(database.db, [base, ...addons])

async function install(addon: Addon, options = {}) {
  const modules = open(addon)
  const result = await installModules(modules.services, modules.catalogue, [addon.name], options)
  return { ...modules, result }
}

async function update(addon: Addon) {
  const modules = open(addon)
  await updateModules(modules.services, modules.catalogue, [addon.name])
  return modules
}

const query = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(database.db)).rows
const stateOf = async (name: string) =>
  (await query(`select state from sys_module where name = '${name}'`))[0]?.['state']
const prices = () => query('select name, price::float as price from shop_item order by name')

describe('installing', () => {
  test('creates schema, records, access, menus and the description of the models, and notifies every process', async () => {
    const { holder, result } = await install(shop())
    expect(result.modules).toEqual(['shop'])
    expect(await stateOf('shop')).toBe('installed')
    const { registry, access, active } = await holder.latest()
    expect([...active]).toEqual(['base', 'shop'])
    expect(registry.model('shop.item')?.fields.has('price')).toBe(true)
    expect(access.lines.get('shop.item')).toMatchObject([{ allows: { read: true, unlink: false } }])
    expect(await query('select name, alternative_id is not null as linked from shop_item order by name')).toEqual([
      { name: 'Apple', linked: false },
      { name: 'Pear', linked: true },
    ])
    expect(await query("select module, name from sys_menu where module = 'shop' order by id")).toEqual([
      { module: 'shop', name: 'Shop' },
      { module: 'shop', name: 'Items' },
    ])
    expect(
      await query("select name from sys_field where model = 'shop.item' and module = 'shop' order by name"),
    ).toEqual(['alternative_id', 'currency_id', 'name', 'price', 'supplier_id', 'tag_ids'].map((name) => ({ name })))
    expect(
      await query("select payload from sys_outbox where channel = 'module.changed' order by id desc limit 1"),
    ).toEqual([{ payload: { module: 'shop', state: 'installed' } }])
  })

  test('a second install and a second update change nothing', async () => {
    const { services, catalogue } = await install(shop())
    const before = await query('select version, write_date from shop_item order by id')
    expect((await installModules(services, catalogue, ['shop'])).modules).toEqual([])
    const { plan } = await updateModules(services, catalogue, ['shop'])
    expect(plan?.steps).toEqual([])
    expect(await query('select version, write_date from shop_item order by id')).toEqual(before)
    expect((await upgradeModules(services, catalogue)).plan?.steps).toEqual([])
  })

  test('a plan shows the steps first and changes nothing', async () => {
    const { catalogue } = open(shop())
    const plan = await planModules(database.db, catalogue, ['shop'])
    expect(plan.steps[0]).toMatchObject({
      kind: 'create table',
      table: 'shop_item',
      loss: 'safe',
      rows: 0,
      lock: 'none',
    })
    expect(await query("select to_regclass('shop_item') as there")).toEqual([{ there: null }])
  })

  test('demo records are loaded only on request, and never updated', async () => {
    const demo = [{ name: 'demo/core.tag.csv', text: 'id,name\ntag_demo,Demo\n' }]
    await install(shop({ demo }), { demo: true })
    expect(await query("select noupdate from sys_xmlid where module = 'shop' and name = 'tag_demo'")).toEqual([
      { noupdate: true },
    ])
  })

  test('examples that refer to those of a dependency bring them along, once', async () => {
    const tags = (text: string) => [{ name: 'demo/core.tag.csv', text }]
    const first = shop({ demo: tags('id,name\ntag_demo,Demo\n') })
    const demo = [
      {
        name: 'demo/shop.item.csv',
        text: 'id,name,supplier_id/id,tag_ids/id\nplum,Plum,shop.supplier,shop.tag_demo\n',
      },
    ]
    const extra = defineAddon({ name: 'extra', version: '1.0', summary: 'x', depends: ['shop'], models: [], demo })
    await install(first)
    const { services, catalogue } = open(first, extra)
    const tagNames = async () => (await query('select name from core_tag order by name')).map(({ name }) => name)
    expect(await tagNames()).toEqual(['Fresh'])
    expect(await installModules(services, catalogue, ['extra'], { demo: true })).toMatchObject({
      modules: ['extra'],
      examples: expect.arrayContaining(['shop']),
    })
    expect(await tagNames()).toContain('Demo')
    expect(await prices()).toHaveLength(3)
    expect(await installModules(services, catalogue, ['extra'], { demo: true })).toMatchObject({
      modules: [],
      examples: [],
    })
  })

  test('demo records of an installed module can be loaded later', async () => {
    const later = shop({ demo: [{ name: 'demo/core.tag.csv', text: 'id,name\ntag_demo,Demo\n' }] })
    const { services, catalogue } = await install(later)
    expect((await installModules(services, catalogue, ['shop'])).examples).toEqual([])
    const { modules, examples } = await installModules(services, catalogue, ['shop'], { demo: true })
    expect([modules, examples]).toEqual([[], expect.arrayContaining(['shop'])])
  })

  test('a dependency is installed along, and an addon that completes installs itself', async () => {
    const extra = defineAddon({ name: 'extra', version: '1.0', summary: 'x', depends: ['shop'], models: [] })
    const auto = defineAddon({
      name: 'auto',
      version: '1.0',
      summary: 'x',
      depends: ['shop'],
      auto_install: true,
      models: [],
    })
    const { services, catalogue } = open(shop(), extra, auto)
    expect((await installModules(services, catalogue, ['extra'])).modules).toEqual(['shop', 'extra', 'auto'])
  })

  test('a hook that fails leaves nothing of the module', async () => {
    const failing = shop({
      hooks: {
        installed: async () => {
          throw new Error('no luck')
        },
      },
    })
    await expect(install(failing)).rejects.toThrow('no luck')
    expect(await query("select to_regclass('shop_item') as there")).toEqual([{ there: null }])
    expect(await query("select * from sys_xmlid where module = 'shop'")).toEqual([])
    await install(shop())
    expect(await stateOf('shop')).toBe('installed')
  })

  test('two processes at once install it once', async () => {
    const pools = [1, 2].map((n) =>
      connectDatabase({
        dsn: database.dsn,
        maxConnections: 2,
        applicationName: `installer ${n}`,
        connectWaitMs: PATIENCE_MS,
      }),
    )
    const results = await Promise.all(
      pools.map(({ db }) => {
        const { services, catalogue } = openModules(db, [base, shop()])
        return installModules(services, catalogue, ['shop'])
      }),
    )
    await Promise.all(pools.map((pool) => pool.close()))
    expect(results.map((result) => result.modules).toSorted((a, b) => a.length - b.length)).toEqual([[], ['shop']])
    expect(await prices()).toHaveLength(2)
  })

  test('leaves the addons of other programs in the list of modules', async () => {
    const one = open(defineAddon({ name: 'garden', version: '1.0', summary: '', models: [], depends: ['base'] }))
    await upgradeModules(one.services, one.catalogue)
    await install(shop())
    expect(await Promise.all(['garden', 'shop'].map(stateOf))).toEqual(['uninstalled', 'installed'])
  })

  test('records the ORM refuses are all reported with file and line, and nothing is installed', async () => {
    const text = `<data>
      <record id="ok" model="core.partner"><field name="name">Ok</field></record>
      <record id="lonely" model="shop.item"><field name="name">Lonely</field></record>
      <record id="one" model="shop.item"><field name="name">Same</field><field name="supplier_id" ref="ok"/></record>
      <record id="two" model="shop.item"><field name="name">Same</field><field name="supplier_id" ref="ok"/></record>
      <record id="after" model="shop.item"><field name="name">After</field><field name="supplier_id" ref="ok"/>
        <field name="alternative_id" ref="lonely"/></record>
      <rule id="odd" name="Odd" model="shop.item">[["nothing", "=", 1]]</rule>
    </data>`
    const error = await install(shop({ data: [{ name: 'data/shop.xml', text }] })).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'VALIDATION' })
    expect(String(error).split('\n').slice(1)).toEqual([
      'shop/data/shop.xml:3: shop.item shop.lonely, supplier_id: Supplier is required.',
      'shop/data/shop.xml:5: shop.item shop.two, name: Another record already has this Name.',
      expect.stringMatching(/^shop\/data\/shop\.xml:8: sys\.rule shop\.odd, domain: .*nothing/),
    ])
    expect(await query("select to_regclass('shop_item') as there")).toEqual([{ there: null }])
  })

  test('declarations that do not fit together are refused with all mistakes', async () => {
    const broken = shop({
      models: [shopItem, { ...shopPartner, fields: { ...shopPartner.fields, name: field.char(), ref: field.char() } }],
    })
    await expect(install(broken)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { problems: expect.arrayContaining([expect.stringContaining('core.partner.name is declared twice')]) },
    })
  })
})

describe('updating', () => {
  const withPrice = (price: string) => SHOP_DATA.replace('2.5', price)
  const shopWith = (text: string, options = {}) =>
    shop({ data: [{ name: 'data/shop.xml', text }], version: '1.1', ...options })

  test('writes records whose file changed and leaves those a user changed', async () => {
    const { asSystem } = await install(shop())
    await update(shopWith(withPrice('3')))
    expect(await prices()).toEqual([
      { name: 'Apple', price: 3 },
      { name: 'Pear', price: 1 },
    ])
    await asSystem(async (env) => {
      const [apple] = await env.model('shop.item').search([['name', '=', 'Apple']])
      const user = { ...env.user, id: 7 }
      await env.as(user).sudo('test').model('shop.item').write([apple!], { price: 99 })
    })
    await update(shopWith(withPrice('4')))
    expect(await prices()).toMatchObject([{ price: 99 }, { price: 1 }])
  })

  test('leaves records marked noupdate, and values the service itself changed while the file stayed', async () => {
    const { asSystem } = await install(shopWith(SHOP_DATA.replace('<data>', '<data noupdate="1">')))
    await update(shopWith(withPrice('3').replace('<data>', '<data noupdate="1">')))
    expect(await prices()).toMatchObject([{ price: 2.5 }, { price: 1 }])
    await asSystem(async (env) => {
      const ids = await env.model('shop.item').search([])
      await env.model('shop.item').write(ids, { price: 8 })
    })
    await update(shopWith(SHOP_DATA))
    expect(await prices()).toMatchObject([{ price: 8 }, { price: 8 }])
  })

  test('removes records that left the files, and keeps one that is still used', async () => {
    await install(shop())
    const without = SHOP_DATA.replace(/<menu id="menu_items".*\/>/, '').replace(
      /<record id="tag_fresh".*<\/record>/,
      '',
    )
    await update(shopWith(without.replace('<field name="tag_ids" ref="tag_fresh"/>', '')))
    expect(await query("select name from sys_xmlid where module = 'shop' order by id")).toEqual(
      ['supplier', 'apple', 'pear', 'action_items', 'menu_shop'].map((name) => ({ name })),
    )
    expect(await query("select 1 from sys_access where model = 'shop.item'")).toEqual([])
  })

  test('migrations run before the schema sync, once, and must not change afterwards', async () => {
    const migrations = [
      { name: '1-rename.sql', text: 'alter table if exists shop_item rename column price to amount' },
      { name: '2-note.sql', text: 'create table if not exists shop_note (n int); insert into shop_note values (1)' },
    ]
    await install(shop())
    const { price, ...rest } = shopItem.fields
    const renamed = { ...shopItem, fields: { ...rest, amount: price } }
    const data = [{ name: 'data/shop.xml', text: SHOP_DATA.replace('"price"', '"amount"') }]
    const next = shop({ models: [renamed, shopPartner], data, migrations, version: '1.1' })
    await update(next)
    await update(next)
    expect(await query('select amount::float as amount from shop_item order by name')).toEqual([
      { amount: 2.5 },
      { amount: 1 },
    ])
    expect(await query('select * from shop_note')).toHaveLength(1)
    const parts = { models: [renamed, shopPartner], data: [], version: '1.1' }
    const broken = shop({ ...parts, migrations: [...migrations, { name: '3-nope.sql', text: 'select nope' }] })
    await expect(update(broken)).rejects.toThrow('Migration 3-nope.sql of shop failed: column "nope" does not exist')
    const tampered = shop({ ...parts, migrations: [{ name: '1-rename.sql', text: 'select 1' }] })
    const { services, catalogue } = open(tampered)
    for (const change of [() => update(tampered), () => upgradeModules(services, catalogue)])
      await expect(change()).rejects.toThrow('are not the files that were applied: 1-rename.sql')
  })

  test('a start updates modules to the version of the program, and the hook gets the old version', async () => {
    await install(shop())
    const seen: string[] = []
    const next = shop({ version: '2.0', hooks: { updated: async (_env, from) => void seen.push(from) } })
    const { services, catalogue } = open(next)
    expect((await upgradeModules(services, catalogue)).modules).toEqual(['shop'])
    expect((await upgradeModules(services, catalogue)).modules).toEqual([])
    expect(seen).toEqual(['1.0'])
    expect(await query("select version from sys_module where name = 'shop'")).toEqual([{ version: '2.0' }])
  })

  test('shared export sets and filters of one name, which older versions took, get names of their own', async () => {
    const set = ['core.partner', 'All', '["name"]']
    await query(`
      alter table sys_export_set drop constraint sys_export_set_name_unique_key;
      alter table sys_filter drop constraint sys_filter_name_unique_key;
      delete from sys_param where key = 'migrations:base';
      update sys_module set version = '1.5' where name = 'base';
      insert into sys_export_set (id, model, name, columns) overriding system value
        select 100 + i, '${set[0]}', '${set[1]}', '${set[2]}' from generate_series(1, 3) i;
      insert into sys_filter (id, model, name, is_default, active) overriding system value
        select 100 + i, '${set[0]}', 'Mine', false, true from generate_series(1, 2) i`)
    const { services, catalogue } = open()
    await upgradeModules(services, catalogue)
    expect(await query('select name from sys_export_set order by id')).toEqual([
      { name: 'All' },
      { name: 'All (102)' },
      { name: 'All (103)' },
    ])
    expect(await query('select name from sys_filter order by id')).toEqual([{ name: 'Mine' }, { name: 'Mine (102)' }])
    await expect(query("update sys_export_set set name = 'All'")).rejects.toThrow('name_unique')
    expect((await upgradeModules(services, catalogue)).plan?.steps).toEqual([])
  })

  test('a start compiles the models once, and again if others are installed meanwhile', async () => {
    await install(shop())
    const { services, catalogue } = open(shop())
    const { registry } = await upgradeModules(services, catalogue)
    expect((await loadState(database.db, catalogue, null, registry)).registry).toBe(registry)
    const without = compileAddons([base])
    expect((await loadState(database.db, catalogue, null, without)).registry.addons).toEqual(['base', 'shop'])
  })

  test('a stored computed field that joins a table with rows gets its values', async () => {
    await install(shop())
    const shouting = {
      ...shopItem,
      fields: { ...shopItem.fields, supplier_name: field.char({ related: 'supplier_id.name', compute: 'stored' }) },
    }
    const { services, catalogue } = open(shop({ models: [shouting, shopPartner] }))
    await upgradeModules(services, catalogue)
    expect(await query('select supplier_name from shop_item')).toEqual([
      { supplier_name: 'Supplier' },
      { supplier_name: 'Supplier' },
    ])
  })
})

describe('switching', () => {
  test('off hides a module from the active ones and keeps its models and data', async () => {
    const { services, catalogue, holder } = await install(shop())
    await deactivateModule(services, catalogue, 'shop')
    const state = await holder.latest()
    expect([...state.active]).toEqual(['base'])
    expect(state.registry.model('shop.item')).toBeDefined()
    expect(await prices()).toHaveLength(2)
    await activateModule(services, catalogue, 'shop')
    expect([...(await holder.latest()).active]).toEqual(['base', 'shop'])
  })

  test('off is refused for base and for what others need', async () => {
    const extra = defineAddon({ name: 'extra', version: '1.0', summary: 'x', depends: ['shop'], models: [] })
    const { services, catalogue } = open(shop(), extra)
    await installModules(services, catalogue, ['extra'])
    await expect(deactivateModule(services, catalogue, 'base')).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(deactivateModule(services, catalogue, 'shop')).rejects.toThrow('Module shop is needed by extra.')
    await deactivateModule(services, catalogue, 'extra')
    await deactivateModule(services, catalogue, 'shop')
    await expect(activateModule(services, catalogue, 'extra')).rejects.toThrow('needs shop to be switched on')
  })
})

describe('the registry of a process', () => {
  test('follows the epoch, loads once for many requests, and reloads only access when only access moved', async () => {
    const { holder, services, catalogue, observed } = open(shop())
    const [first, second] = await Promise.all([holder.latest(), holder.latest()])
    expect(first).toBe(second)
    await installModules(services, catalogue, ['shop'])
    const third = await holder.latest()
    expect(third.registry.addons).toEqual(['base', 'shop'])
    expect(observed.filter((item) => item.kind === 'registry')).toHaveLength(2)
    await query('update sys_epoch set access = access + 1')
    const fourth = await holder.latest()
    expect(fourth).not.toBe(third)
    expect(fourth.registry).toBe(third.registry)
  })

  test('a module the program does not have is left out of the state and named, and stops every change of modules', async () => {
    await install(shop())
    const { holder, services, catalogue, observed } = open()
    const { missing, registry, active } = await holder.latest()
    expect([missing, registry.addons, active.has('shop')]).toEqual([['shop'], ['base'], false])
    const text = expect.stringContaining('The database has the module shop, which this program lacks.')
    expect(observed.filter((item) => item.kind === 'warning')).toEqual([{ kind: 'warning', text }])
    const refused = { code: 'CONFLICT', message: text }
    await expect(upgradeModules(services, catalogue)).rejects.toMatchObject(refused)
    await expect(planModules(services.db, catalogue, [])).rejects.toMatchObject(refused)
    expect(await stateOf('shop')).toBe('installed')
  })
})
