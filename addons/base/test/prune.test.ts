import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LeaseJob } from '../../../kernel/module/addon.ts'
import { sql } from '../../../kernel/sql/sql.ts'
import { openPeople, type People } from '../../../test/support/people.ts'
import { pruneExpired, pruneRates } from '../jobs/prune.ts'

let people: People

beforeAll(async () => {
  people = await openPeople()
})
afterAll(() => people.leave())

const run = (job: LeaseJob) => job.run({ transact: people.asSystem, signal: new AbortController().signal, key: 'test' })

const count = async (table: string) => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(
    people.database.db,
  )
  return rows[0]!.n
}

test('rate limit rows that are full again are deleted', async () => {
  const { db } = people.database
  await sql`insert into sys_rate values ('old', now() - interval '1 second', 1), ('new', now() + interval '1 minute', 1)`.execute(
    db,
  )
  await run(pruneRates)
  expect(await count('sys_rate')).toBe(1)
})

test('expired sessions, links, answers of repeated calls, runs, mails and imports go, the others stay', async () => {
  const { db } = people.database
  const ago = (text: string) => sql`now() - ${text}::interval`
  for (const [age, days] of [
    ['old', '31 days'],
    ['new', '1 hour'],
  ] as const) {
    const at = ago(days)
    await sql`insert into sys_session (token_hash, user_id, auth_epoch, csrf_secret, abs_expires_at)
      values (${age}::bytea, 1, 0, '', ${age === 'old' ? sql`now() - interval '1 minute'` : sql`now() + interval '1 day'`})`.execute(
      db,
    )
    await sql`insert into sys_idempotency (user_id, key, body_hash, created_at) values (1, ${age}, '', ${at})`.execute(
      db,
    )
    await sql`insert into sys_mail (message_id, to_name, to_address, subject, state, created_at)
      values (${age}, '', 'ann@example.com', '', 'sent', ${at})`.execute(db)
    const until = age === 'old' ? sql`now() - interval '1 minute'` : sql`now() + interval '1 minute'`
    await sql`insert into sys_flash (id, session_id, expires_at) values (gen_random_uuid(), gen_random_uuid(), ${until})`.execute(
      db,
    )
    await sql`insert into sys_reset (user_id, token_hash, auth_epoch, expires_at)
      select id, login::bytea, 0, ${until} from core_user where login = ${age === 'old' ? 'admin' : 'ann'}`.execute(db)
    await sql`with batch as (
      insert into sys_bulk_import (user_id, model, state, import_mode, version, create_date, write_date)
      select min(id), 'core.partner', 'done', 'create', 1, ${at}, ${at} from core_user returning id)
      insert into sys_import_record (import_id, model, res_id, version, change)
      select id, 'core.partner', 1, 1, 'created' from batch`.execute(db)
    await sql`insert into sys_cron_run (cron_id, started_at) select min(id), ${at} from sys_cron`.execute(db)
  }
  await run(pruneExpired)
  const tables = 'session idempotency cron_run mail flash reset bulk_import import_record'
    .split(' ')
    .map((name) => `sys_${name}`)
  for (const table of tables) {
    expect([table, await count(table)]).toEqual([table, 1])
  }
})
