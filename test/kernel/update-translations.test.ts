import { beforeEach, expect, test } from 'vitest'
import base from '../../addons/base/addon.ts'
import { installModules, updateModules } from '../../kernel/module/install.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { shop } from '../support/addons/shop.ts'
import { baseTemplate } from '../support/base-database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules } from '../support/modules.ts'

/** What an update brings to records that it does not overwrite. */

let database: TestDatabase

beforeEach(async () => {
  database = await createDatabase(baseTemplate)
  return () => database.drop()
})

async function load(change: typeof installModules | typeof updateModules, text: string) {
  const modules = openModules(database.db, [base, shop({ data: [{ name: 'data/shop.xml', text }] })])
  await change(modules.services, modules.catalogue, ['shop'])
}

const query = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(database.db)).rows

test('an update adds missing translations to records marked noupdate whose texts are unchanged', async () => {
  const country = (code: string, german = '') =>
    `<record id="${code}" model="core.country"><field name="name">${code}land</field><field name="code">${code}</field>${german}</record>`
  const withCountries = (german: string) => `<data noupdate="1">${country('XA', german)}${country('XB', german)}</data>`
  await load(installModules, withCountries(''))
  await query(`update core_country set name = 'Elsewhere' where code = 'XB'`)
  await load(updateModules, withCountries('<field name="name@de">Xland</field>'))
  expect(
    await query(`select name, "name@de" as de from core_country where code in ('XA', 'XB') order by code`),
  ).toEqual([
    { name: 'XAland', de: 'Xland' },
    { name: 'Elsewhere', de: null },
  ])
})

test('an update adds missing translations to records a user has changed elsewhere, which stay those of the user', async () => {
  const withCountry = (phone: string, german = '') =>
    `<data><record id="XA" model="core.country"><field name="name">Xland</field><field name="code">XA</field>
      <field name="phone_code">${phone}</field>${german}</record></data>`
  await load(installModules, withCountry('1'))
  await query(`update core_country set phone_code = '2', write_uid = 7 where code = 'XA'`)
  await load(updateModules, withCountry('3', '<field name="name@de">X-Land</field>'))
  await load(updateModules, withCountry('4', '<field name="name@de">X-Land</field>'))
  expect(await query(`select phone_code, "name@de" as de from core_country where code = 'XA'`)).toEqual([
    { phone_code: 2, de: 'X-Land' },
  ])
})
