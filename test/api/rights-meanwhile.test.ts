import { beforeAll, expect, test } from 'vitest'
import type { Db } from '../../kernel/sql/database.ts'
import { sql } from '../../kernel/sql/sql.ts'
import type { Agent } from '../support/agent.ts'
import { describeHosts } from '../support/hosts.ts'

describeHosts('rights that one transaction changes while a process loads them', (host) => {
  let groupId: number
  let guest: Agent

  const run = (text: string, db: Db = host.database.db) => sql.raw<{ id: number }>(text).execute(db)
  const read = () => guest.send({ model: 'library.book', method: 'search_read', args: [[], ['title']] })
  const waiting = async () =>
    (await run(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).rows

  /** The answer to a read that finds an older epoch and loads the rights of it while `changes` are made. */
  async function readDuring(changes: readonly string[]) {
    const { answer } = await host.database.db.transaction().execute(async (tx) => {
      await run('lock table sys_access in access exclusive mode', tx)
      await run('update sys_epoch set access = access + 1')
      const answer = read()
      await expect.poll(waiting, { interval: 10 }).not.toEqual([])
      for (const change of [...changes, 'update sys_epoch set access = access + 1']) await run(change, tx)
      return { answer }
    })
    return answer
  }

  const line = (name: string) => `
    insert into sys_access (name, model, group_id, perm_read, perm_write, perm_create, perm_unlink, active)
    values ('${name}', 'library.book', ${groupId}, true, false, false, false, true)`

  beforeAll(async () => {
    groupId = (await run(`insert into core_group (name) values ('Meanwhile') returning id`)).rows[0]!.id
    guest = await host.apiKey('guest')
    await run(`insert into core_user_group_ids_rel (source_id, target_id)
      select id, ${groupId} from core_user where login = 'guest'`)
    expect(await read()).toMatchObject({ status: 403 })
  })

  test('never count an access line without the rule that came with it', async () => {
    const answer = await readDuring([
      line('with a rule'),
      `insert into sys_rule (name, model, domain, perm_read, perm_write, perm_create, perm_unlink, active)
        values ('none', 'library.book', '[["id", "<", 0]]', true, true, true, true, true)`,
    ])
    expect([200, 403]).toContain(answer.status)
    expect(answer.result ?? []).toEqual([])
    expect(await read()).toMatchObject({ status: 200, result: [] })
    await run(`delete from sys_access where name = 'with a rule'`)
    await run(`delete from sys_rule where name = 'none'`)
    await run('update sys_epoch set access = access + 1')
    expect(await read()).toMatchObject({ status: 403 })
  })

  test('never count for a user who left their group with the same transaction', async () => {
    const answer = await readDuring([
      `delete from core_user_group_ids_rel where target_id = ${groupId}`,
      line('for those who stay'),
    ])
    expect(answer).toMatchObject({ status: 403 })
    expect(await read()).toMatchObject({ status: 403 })
  })
})
