import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel'
import { installModules, updateModules } from '../../../kernel/module/install.ts'
import { uninstallModule } from '../../../kernel/module/uninstall.ts'
import { openPeople, type People } from '../../../test/support/people.ts'

let people: People

beforeAll(async () => {
  people = await openPeople(['sale'])
})
afterAll(() => people.leave())

/** Figures about sales in the database that must be equal before and after. */
async function takeStock() {
  const { rows } = await sql<Record<string, string>>`
    select (select count(*) from sale_order) as orders, (select sum(amount_total) from sale_order) as total,
      (select count(*) from sale_order_line) as lines, (select count(*) from sale_tax) as taxes,
      (select count(*) from product_product_tax_ids_rel) as taxed,
      (select count(*) from core_partner where pricelist_id is not null) as priced,
      (select count(*) from sys_view where module = 'sale') as views, (select count(*) from sys_menu where module = 'sale') as menus,
      (select count(*) from sys_access where model like 'sale.%') as access,
      (select count(*) from sys_rule where model like 'sale.%') as rules`.execute(people.database.db)
  return rows[0]
}

/** Tables, columns and records that belong to the module. The number sequence stays, so that numbering continues. */
const ofSale = async () => {
  const { rows } = await sql<{ what: string }>`
    select 'view ' || name as what from sys_view where module = 'sale' union all
    select 'menu ' || name from sys_menu where module = 'sale' union all
    select 'access ' || name from sys_access where model like 'sale.%' union all
    select 'rule ' || name from sys_rule where model like 'sale.%' union all
    select 'table ' || tablename from pg_tables where schemaname = 'public' and tablename like 'sale%' union all
    select 'column ' || column_name from information_schema.columns
      where table_schema = 'public' and table_name = 'core_partner' and column_name = 'pricelist_id'`.execute(
    people.database.db,
  )
  return rows.map((row) => row.what)
}

test('an update changes nothing; an uninstall leaves nothing but what a new install brings back', async () => {
  const { services, catalogue } = people.modules
  const before = await takeStock()
  expect(Number(before!['orders'])).toBeGreaterThan(100)
  await updateModules(services, catalogue, ['contacts', 'product', 'sale'])
  expect(await takeStock()).toEqual(before)
  await uninstallModule(services, catalogue, 'sale')
  expect(await ofSale()).toEqual([])
  await installModules(services, catalogue, ['sale'])
  expect(await takeStock()).toEqual(before)
  const id = await people.as('admin', async (env) => {
    const partner_id = await env.model('core.partner').create({ name: 'Back again' })
    return env.model('sale.order').create({ partner_id })
  })
  const names = await people.as('admin', (env) => env.model('sale.order').searchRead([], ['name'], { limit: 500 }))
  expect(new Set(names.map((row) => row.name)).size).toBe(names.length)
  expect(names.some((row) => row.id === id)).toBe(true)
})
