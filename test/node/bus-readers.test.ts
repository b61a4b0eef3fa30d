import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSession } from '../../kernel/auth/session.ts'
import { readEpoch } from '../../kernel/epoch.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { BusSocket } from '../../runtime/node/bus/bus-socket.ts'
import { Readers } from '../../runtime/node/bus/readers.ts'
import { apiTemplate } from '../support/api-database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { DEMO_ADDONS } from '../support/demo-addons.ts'
import { openModules } from '../support/modules.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase(apiTemplate)
})
afterAll(() => database.drop())

test('users who listen have the groups and the rights of one state, whenever they are read', async () => {
  const { db } = database
  const { services, holder, asSystem } = openModules(db, DEMO_ADDONS)
  const [userId] = await asSystem((env) => env.model('core.user').search([['login', '=', 'guest']]))
  const openSession = async () => {
    await createSession(services, db, { userId: userId!, ip: null, userAgent: null })
    const { rows } = await sql<{
      public_id: string
    }>`select public_id from sys_session order by created_at desc limit 1`.execute(db)
    return rows[0]!.public_id
  }
  /** A group that the user enters, known to the rights of the same state only. */
  const enterGroup = () =>
    db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ id: number }>`insert into core_group (name) values ('new') returning id`.execute(tx)
      await sql`insert into core_user_group_ids_rel (source_id, target_id) values (${userId}, ${rows[0]!.id})`.execute(
        tx,
      )
      await sql`update sys_epoch set access = access + 1`.execute(tx)
      return rows[0]!.id
    })
  const readers = new Readers(services, await holder.latest())
  const expectOneState = async (groupId: number) => {
    expect(readers.state.epoch.access).toBe((await readEpoch(db)).access)
    expect(readers.state.access.impliedGroups.has(groupId)).toBe(true)
    for (const { session } of readers.all) expect(session.user.groupIds.has(groupId)).toBe(true)
  }
  const listen = async () => readers.add(await openSession(), Object.create(BusSocket.prototype))

  await listen()
  const first = await enterGroup()
  await listen()
  expect(readers.all).toHaveLength(2)
  await expectOneState(first)

  // A state that is older than what is read, as of an event before the change.
  const before = readers.state
  const second = await enterGroup()
  await readers.changeState(before)
  await expectOneState(second)
})
