import { afterAll, beforeAll, expect, test } from 'vitest'
import { bumpTableEpoch } from '../../kernel/epoch.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { pageOfPartners } from '../support/large-partners.ts'
import { openPeople, type People } from '../support/people.ts'
import { withoutTimeLimit } from '../support/without-time-limit.ts'

let people: People
beforeAll(async () => {
  people = await openPeople()
  const { db } = people.database
  // Without indexes, which take most of the time; what is refused is refused without them.
  const { rows } = await sql<{ name: string }>`select indexrelid::regclass::text as name from pg_index
    where indrelid = 'core_partner'::regclass and not indisunique`.execute(db)
  for (const { name } of rows) await sql`drop index ${sql.table(name)}`.execute(db)
  await withoutTimeLimit(
    db,
    sql`insert into core_partner (name, email, street, city, active)
      select 'Partner ' || n, 'p' || n || '@example.com', repeat('x', 100), case when n <= 10 then 'Oslo' else 'Bergen' end, true
      from generate_series(1, ${LIMITS.sortedByLink + 1}) n`,
  )
})
afterAll(() => people.leave())

const page = (order: string, domain: unknown = []) => pageOfPartners(people, 'ann', order, { domain })

test('records that cannot be sorted in time are refused in words, and sorted where a filter leaves few of them', async () => {
  expect((await page('city')).ids).toHaveLength(40)
  await bumpTableEpoch(people.database.db)
  const refused = {
    code: 'BAD_REQUEST',
    message: 'More than 200,000 records cannot be sorted by Company of the Contact. Filter them first.',
    details: { reason: 'order_too_costly', field: 'parent_id', limit: LIMITS.sortedByLink },
  }
  await expect(page('parent_id')).rejects.toMatchObject(refused)
  await expect(page('parent_id desc, name')).rejects.toMatchObject(refused)
  expect((await page('parent_id', [['city', '=', 'Oslo']])).ids).toHaveLength(10)
  expect((await page('name')).ids).toHaveLength(40)
  expect((await page('')).ids).toHaveLength(40)
})

test('the sentence is in the language of the reader', async () => {
  await people.asSystem(async (env) => {
    const [ann] = await env.model('core.user').search([['login', '=', 'ann']])
    await env.model('core.user').write([ann!], { lang: 'de' })
  })
  await expect(page('parent_id')).rejects.toMatchObject({
    message: expect.stringMatching(/^Mehr als 200\.000 Datensätze lassen sich nicht nach .+ sortieren\. Filtern/),
  })
})
