import { beforeEach, describe, expect, test } from 'vitest'
import base from '../../addons/base/addon.ts'
import { changeModules, isChanging } from '../../kernel/module/change.ts'
import { installModules, upgradeModules } from '../../kernel/module/install.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { shop } from '../support/addons/shop.ts'
import { baseTemplate } from '../support/base-database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules } from '../support/modules.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await createDatabase(baseTemplate)
  return () => database.drop()
})

const query = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(database.db)).rows

describe('a start', () => {
  test('describes models and fields again that somebody has changed, and writes nothing else', async () => {
    const { services, catalogue } = openModules(database.db, [base, shop()])
    await installModules(services, catalogue, ['shop'])
    const described = () =>
      query(`select m.model, m.name as called, m.module as by, f.name, f.label, f.module, f.type, f.relation, f.required, f.readonly,
        f.stored, f.groups, f.help from sys_model m left join sys_field f on f.model = m.model order by m.model, f.name`)
    const written = () =>
      query(
        ['sys_field', 'sys_model', 'sys_module']
          .map((table) => `select xmin::text, xmax::text from ${table}`)
          .join(' union all '),
      )
    const before = await described()
    for (const change of [
      "update sys_field set label = 'Other' where model = 'shop.item' and name = 'name'",
      "update sys_field set help = 'Other' where model = 'shop.item' and help is null",
      "delete from sys_field where model = 'shop.item' and name = 'name'",
      `insert into sys_field overriding system value select (jsonb_populate_record(f, '{"id": 99999, "name": "other"}')).*
        from sys_field f where model = 'shop.item' and name = 'name'`,
      "update sys_model set name = 'Other' where model = 'shop.item'",
      `insert into sys_model overriding system value select (jsonb_populate_record(m, '{"id": 99999, "model": "shop.other"}')).*
        from sys_model m where model = 'shop.item'`,
    ]) {
      await query(change)
      expect(await described()).not.toEqual(before)
      await upgradeModules(services, catalogue)
      expect(await described()).toEqual(before)
    }
    const last = await written()
    await upgradeModules(services, catalogue)
    expect(await written()).toEqual(last)
  })

  test('waits for another change of modules for longer than for a table', async () => {
    const { services, catalogue } = openModules(database.db, [base])
    let isDone = false
    const first = changeModules(services, catalogue, async ({ tx }) => {
      await sql`select pg_sleep(3.3)`.execute(tx)
      isDone = true
    })
    await expect.poll(() => isChanging(database.db)).toBe(true)
    const { rows } = await changeModules(services, catalogue, ({ tx }) =>
      sql<{ ms: string }>`select current_setting('lock_timeout') as ms`.execute(tx),
    )
    expect([isDone, rows]).toEqual([true, [{ ms: '3s' }]])
    await first
  })
})
