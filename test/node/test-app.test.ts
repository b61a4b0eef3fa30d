import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../kernel/sql/sql.ts'
import { openTestApp, type TestApp } from '../../runtime/test-app.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'

let folder: string
let database: TestDatabase
let app: TestApp

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'modulus-addons-'))
  database = await createDatabase()
  app = await openTestApp({ addons: folder, install: ['crm'], settings: { db_dsn: database.dsn } })
})
afterAll(async () => {
  await app?.close()
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

test('a scheduled job is run by its handler, and an unknown or failing one rejects', async () => {
  const seller = await app.hire('ann', ['crm.group_user'])
  const lead_id = await seller.model('crm.lead').create({ name: 'Call back' })
  const id = await seller.model('crm.activity').create({ lead_id, summary: 'Call', date_deadline: '2020-01-01' })
  const stateNow = async () => (await seller.model('crm.activity').read([id], ['state']))[0]!.state
  // The state that the activity would have if it had been created before its deadline.
  await sql`update crm_activity set state = 'planned'`.execute(database.db)
  expect(await stateNow()).toBe('planned')
  await app.runJob('crm.refresh_activities')
  expect(await stateNow()).toBe('overdue')
  await expect(app.runJob('crm.unheard_of')).rejects.toThrow('No scheduled job has the handler crm.unheard_of.')
  await sql`alter table crm_activity rename to crm_activity_gone`.execute(database.db)
  await expect(app.runJob('crm.refresh_activities')).rejects.toThrow('relation "crm_activity" does not exist')
})
