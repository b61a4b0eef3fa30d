import { afterAll, beforeAll, expect, test } from 'vitest'
import { once } from '../../kernel/rpc/idempotency.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { openPeople, type People } from '../support/people.ts'

let people: People
beforeAll(async () => {
  people = await openPeople()
  await people.hire('ida')
})
afterAll(() => people.leave())

test('a repeated call writes, too, so that its commit waits until a synchronous replica has the first one', async () => {
  const call = () =>
    people.as('ida', async (env) => {
      await once(env, 'key', new Uint8Array([1]), async () => '{}')
      const { rows } = await sql<{ xid: string | null }>`select pg_current_xact_id_if_assigned()::text as xid`.execute(
        env.tx,
      )
      return rows[0]!.xid
    })
  expect([await call(), await call()]).toEqual([expect.any(String), expect.any(String)])
})
