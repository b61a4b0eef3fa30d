import { beforeEach, describe, expect, test } from 'vitest'
import base from '../../addons/base/addon.ts'
import { type Addon, defineAddon } from '../../kernel/module/addon.ts'
import { installModules } from '../../kernel/module/install.ts'
import { previewUninstall, purgeModule, uninstallModule } from '../../kernel/module/uninstall.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { shop } from '../support/addons/shop.ts'
import { baseTemplate } from '../support/base-database.ts'
import { createDatabase, type TestDatabase, template } from '../support/database.ts'
import { openModules } from '../support/modules.ts'

const shopTemplate = template(
  'shop',
  async ({ db }) => {
    const { services, catalogue, asSystem } = openModules(db, [base, shop()])
    await installModules(services, catalogue, ['shop'])
    await asSystem(async (env) => {
      const [supplier] = await env.model('core.partner').search([['name', '=', 'Supplier']])
      const [fresh] = await env.model('core.tag').search([['name', '=', 'Fresh']])
      const own = await env.model('core.partner').create({ name: 'Own', shop_code: 'O1' })
      const [apple] = await env.model('shop.item').search([['name', '=', 'Apple']])
      await env.model('core.partner').write([own], { favourite_id: apple! })
      await env.model('shop.item').createMany([
        { name: 'Plum', supplier_id: supplier!, tag_ids: [fresh!], price: 7 },
        { name: 'Fig', supplier_id: own, alternative_id: apple! },
      ])
    })
  },
  baseTemplate,
)

let database: TestDatabase

beforeEach(async () => {
  database = await createDatabase(shopTemplate)
  return () => database.drop()
})

const open = (...addons: Addon[]) => openModules(database.db, [base, ...addons])
const query = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(database.db)).rows

/** Everything the shop holds, row by row. */
const contents = () =>
  Promise.all([
    query('select * from shop_item order by id'),
    query('select * from shop_item_tag_ids_rel order by 1, 2'),
    query('select id, shop_code, favourite_id from core_partner where shop_code is not null order by id'),
  ])

const constraints = () =>
  query("select conname from pg_constraint where connamespace = 'public'::regnamespace order by 1")

describe('uninstalling', () => {
  test('is previewed with rows, columns, records and dependents', async () => {
    const extra = defineAddon({ name: 'extra', version: '1.0', summary: 'x', depends: ['shop'], models: [] })
    const { services, catalogue } = open(shop(), extra)
    await installModules(services, catalogue, ['extra'])
    expect(await previewUninstall(database.db, catalogue, 'shop')).toEqual({
      dependents: ['extra'],
      tables: [
        { table: 'shop_item', rows: 4 },
        { table: 'shop_item_tag_ids_rel', rows: 2 },
      ],
      columns: [
        { table: 'core_partner', column: 'shop_code', rows: 2 },
        { table: 'core_partner', column: 'favourite_id', rows: 1 },
      ],
      records: { 'sys.access': 1, 'core.partner': 1, 'core.tag': 1, 'sys.action': 1, 'sys.menu': 2 },
    })
  })

  test('is refused for base, for modules that are not installed and while others need it', async () => {
    const extra = defineAddon({ name: 'extra', version: '1.0', summary: 'x', depends: ['shop'], models: [] })
    const { services, catalogue } = open(shop(), extra)
    await expect(uninstallModule(services, catalogue, 'base')).rejects.toThrow('cannot be uninstalled')
    await expect(uninstallModule(services, catalogue, 'extra')).rejects.toThrow('is not installed')
    await expect(uninstallModule(services, catalogue, 'nope')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await installModules(services, catalogue, ['extra'])
    await expect(uninstallModule(services, catalogue, 'shop')).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { dependents: ['extra'] },
    })
  })

  test('removes models, records and columns, and installing again restores every row', async () => {
    const before = await contents()
    const constraintsBefore = await constraints()
    const { services, catalogue, holder } = open(shop())
    const { quarantined, removed } = await uninstallModule(services, catalogue, 'shop')
    expect(quarantined.map(({ table_name, column_name, rows }) => [table_name, column_name, rows])).toEqual([
      ['shop_item', null, 4],
      ['shop_item_tag_ids_rel', null, 2],
      ['core_partner', 'shop_code', 2],
      ['core_partner', 'favourite_id', 1],
    ])
    expect(removed).toEqual(['shop.menu_items', 'shop.menu_shop', 'shop.action_items', 'shop.access_item'])
    expect((await holder.latest()).registry.model('shop.item')).toBeUndefined()
    expect(await query("select state from sys_module where name = 'shop'")).toEqual([{ state: 'uninstalled' }])
    expect(await query("select 1 from sys_model where model = 'shop.item'")).toEqual([])
    expect(await query("select 1 from sys_menu where module = 'shop'")).toEqual([])
    await installModules(services, catalogue, ['shop'])
    expect(await contents()).toEqual(before)
    expect(await constraints()).toEqual(constraintsBefore)
    expect(await query("select name from sys_menu where module = 'shop' order by id")).toHaveLength(2)
    expect(await query('select * from quarantine.item')).toEqual([])
  })

  test('does not prevent the deletion of records that its rows refer to; a later install drops the broken links', async () => {
    const { services, catalogue, asSystem } = open(shop())
    await uninstallModule(services, catalogue, 'shop')
    await asSystem(async (env) => {
      const own = await env.model('core.partner').search([['name', '=', 'Own']])
      await env.model('core.partner').unlink(own)
    })
    await installModules(services, catalogue, ['shop'])
    expect(await query('select name from shop_item order by name')).toEqual(
      ['Apple', 'Pear', 'Plum'].map((name) => ({ name })),
    )
  })

  test('a hook sees the data before it goes', async () => {
    const seen: number[] = []
    const curious = shop({
      hooks: { uninstalling: async (env) => void seen.push(await env.model('shop.item').count([])) },
    })
    const { services, catalogue } = open(curious)
    await uninstallModule(services, catalogue, 'shop')
    expect(seen).toEqual([4])
  })

  test('purging deletes the data permanently, so that a later install starts empty', async () => {
    const { services, catalogue } = open(shop())
    await expect(purgeModule(services, catalogue, 'shop')).rejects.toThrow('Module shop is installed.')
    await uninstallModule(services, catalogue, 'shop')
    expect(await purgeModule(services, catalogue, 'shop')).toHaveLength(4)
    await installModules(services, catalogue, ['shop'])
    expect(await query('select name from shop_item order by name')).toEqual([{ name: 'Apple' }, { name: 'Pear' }])
  })
})
