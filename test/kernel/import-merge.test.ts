import { expect, test } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import { mergeBeside } from '../../kernel/exchange/import/write/merge-indexes.ts'
import type { Model } from '../../kernel/model/registry.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { baseTemplate } from '../support/base-database.ts'
import { createDatabase } from '../support/database.ts'

const RECORDS = 10_000
const partner = { table: 'core_partner' } as Model

test('the search indexes of many new records are merged beside the transaction that makes them', async () => {
  const database = await createDatabase(baseTemplate)
  const { db } = database
  const background: Promise<void>[] = []
  const observed: unknown[] = []
  const services = {
    db,
    background: (work: Promise<void>) => void background.push(work),
    observe: (event: unknown) => void observed.push(event),
  }
  const pending = async () => {
    const { rows } = await sql<{ pages: number }>`
      select gin_clean_pending_list('core_partner_name_trgm')::int as pages`.execute(db)
    return rows[0]!.pages
  }
  await db.transaction().execute(async (tx) => {
    const env = { services, tx } as unknown as Env
    const insert = () =>
      sql`insert into core_partner (name, active, is_company, version)
        select 'Merged partner ' || n, true, false, 1 from generate_series(1, ${RECORDS}::int) n`.execute(tx)
    const few = await mergeBeside(env, partner, RECORDS - 1)
    few(RECORDS - 1)
    const merge = await mergeBeside(env, partner, 3 * RECORDS)
    await insert()
    merge(RECORDS - 1)
    expect(background).toEqual([])
    merge(RECORDS)
    await background[0]
    expect(await pending()).toBe(0)
    await insert()
    expect(await pending()).toBeGreaterThan(0)
  })
  const { rows } = await sql`show gin_pending_list_limit`.execute(db)
  expect([rows, observed, background.length]).toEqual([[{ gin_pending_list_limit: '4MB' }], [], 1])
  await database.drop()
})
