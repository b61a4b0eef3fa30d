import { afterAll, beforeAll, expect, test } from 'vitest'
import { modelOf } from '../../kernel/orm/statement/scope.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { loadPage } from '../../kernel/workspace/list-page.ts'
import { openPeople, type People } from '../support/people.ts'

let people: People

beforeAll(async () => {
  people = await openPeople()
})
afterAll(() => people.leave())

/** Something to wait for. */
function gate() {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), passed }
}

test('the total is at least the rows of the page, also when one is added between counting and reading', async () => {
  const { db } = people.database
  const before = await people.as('admin', (env) => env.model('core.partner').count([]))
  const [locked, released] = [gate(), gate()]
  // Only the page reads the names of countries.
  const adding = db.transaction().execute(async (tx) => {
    await sql`lock table core_country in access exclusive mode`.execute(tx)
    await sql`insert into core_partner (name, is_company, active) values ('Late', false, true)`.execute(tx)
    locked.open()
    await released.passed
  })
  const isWaiting = async () => {
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (await waiting.execute(db)).rows.length > 0
  }
  await locked.passed
  const loading = people.as('admin', (env) =>
    loadPage(env, modelOf(env, 'core.partner'), {
      ...{ domain: [], fields: ['name', 'country_id'], order: 'id', limit: before + 1, offset: 0 },
    }),
  )
  await expect.poll(isWaiting).toBe(true)
  released.open()
  await adding
  expect(await loading).toMatchObject({ total: before + 1, isExact: true })
})
