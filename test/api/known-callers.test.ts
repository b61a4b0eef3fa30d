import { afterAll, beforeAll, expect, test } from 'vitest'
import { Unproven } from '../../kernel/auth/known-callers.ts'
import { findSessionCaller } from '../../kernel/auth/principal.ts'
import { openExchange } from '../../kernel/serve/serve.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { workAs } from '../../kernel/work/unit-of-work.ts'
import { connectDatabase, type Database } from '../../runtime/postgres/database.ts'
import type { Agent } from '../support/agent.ts'
import { PATIENCE_MS } from '../support/database.ts'
import { describeHost } from '../support/hosts.ts'

let main: Database
/** Somebody else who works on the same database. */
let rival: Database
/** Statements of requests. */
let asked = 0

/**
 * A process that remembers its callers. What changes their rights is done in the database, as by another process: this one hears of it
 * only by what it asks.
 */
describeHost(
  'a caller who has called before',
  'process',
  (host) => {
    beforeAll(() => {
      const { dsn } = host.database
      main = connectDatabase({
        dsn,
        maxConnections: 4,
        applicationName: 'known-callers',
        onQuery: () => asked++,
        connectWaitMs: PATIENCE_MS,
      })
      rival = connectDatabase({ dsn, maxConnections: 1, applicationName: 'rival', connectWaitMs: PATIENCE_MS })
    })
    afterAll(() => Promise.all([main.close(), rival.close()]))

    const run = (query: ReturnType<typeof sql>) => query.execute(host.database.db)
    const statements = () => host.database.statements.length
    const read = (agent: Agent) => agent.send({ model: 'core.tag', method: 'search_read', args: [[], ['name']] })
    const add = (agent: Agent, name: string) => agent.send({ model: 'core.tag', method: 'create', args: [{ name }] })
    const added = async (name: string) => (await run(sql`select from core_tag where name = ${name}`)).rows.length

    /** A key that the process knows. */
    async function known(login: string): ReturnType<typeof host.apiKey> {
      const agent = await host.apiKey(login)
      for (let times = 0; times < 3; times++) expect(await read(agent)).toMatchObject({ status: 200 })
      return agent
    }

    test('is not asked about beforehand', async () => {
      const agent = await known('admin')
      const before = statements()
      expect(await read(agent)).toMatchObject({ status: 200 })
      expect(await add(agent, 'not asked')).toMatchObject({ status: 200 })
      // Those of the request go over connections of its own.
      expect(statements()).toBe(before)
    })

    test.each([
      ['the key is revoked', (id: number) => sql`update core_api_key set active = false where id = ${id}`],
      ['the key has expired', (id: number) => sql`update core_api_key set expires_at = now() where id = ${id}`],
      ['the key is gone', (id: number) => sql`delete from core_api_key where id = ${id}`],
    ])('reads and writes nothing more once %s', async (reason, change) => {
      const agents = [await known('admin'), await known('admin')] as const
      for (const { keyId } of agents) await run(change(keyId))
      expect(await read(agents[0])).toMatchObject({ status: 401, result: null })
      expect(await add(agents[1], reason)).toMatchObject({ status: 401, result: null })
      expect(await added(reason)).toBe(0)
      const before = asked
      expect(await read(agents[0])).toMatchObject({ status: 401 })
      expect(asked).toBe(before)
    })

    test('is refused with the next call once a group is taken away, and let in once it is given', async () => {
      const agent = await known('guest')
      const admin = await run(sql`select id from core_user where login = 'guest'`)
      const { id } = admin.rows[0] as { id: number }
      const groups = (await run(sql`select target_id from core_user_group_ids_rel where source_id = ${id}`)).rows
      await run(sql`delete from core_user_group_ids_rel where source_id = ${id}`)
      expect(await read(agent)).toMatchObject({ status: 403 })
      expect(await add(agent, 'no group')).toMatchObject({ status: 403 })
      for (const row of groups as { target_id: number }[])
        await run(sql`insert into core_user_group_ids_rel (source_id, target_id) values (${id}, ${row.target_id})`)
      expect(await read(agent)).toMatchObject({ status: 200 })
    })

    test('has the scope that the key has now', async () => {
      const agent = await known('admin')
      const scope = JSON.stringify({ models: { 'core.tag': ['search_read'] } })
      await run(sql`update core_api_key set scope = ${scope}::jsonb where id = ${agent.keyId}`)
      expect(await read(agent)).toMatchObject({ status: 200 })
      expect(await add(agent, 'out of scope')).toMatchObject({ status: 403 })
      expect(await added('out of scope')).toBe(0)
    })

    test('sees with the next call what the rules say now, whatever was kept for it', async () => {
      const agent = await known('guest')
      const name = 'rule of another process'
      const change = async (query: ReturnType<typeof sql>) => {
        await run(query)
        await run(sql`update sys_epoch set access = access + 1`)
      }
      const names = async () => ((await read(agent)).result as { name: string }[]).map((tag) => tag.name)
      expect(await add(await known('admin'), name)).toMatchObject({ status: 200 })
      for (let times = 0; times < 2; times++) expect(await names()).toContain(name)
      await change(sql`insert into sys_rule (name, model, domain, perm_read, perm_write, perm_create, perm_unlink, active, version)
        values (${name}, 'core.tag', ${JSON.stringify([['name', '!=', name]])}, true, true, true, true, true, 1)`)
      for (let times = 0; times < 2; times++) expect(await names()).not.toContain(name)
      await change(sql`delete from sys_rule where name = ${name}`)
      for (let times = 0; times < 2; times++) expect(await names()).toContain(name)
    })

    test('a user who is archived is out with the next call, by key and by session', async () => {
      const agents = [await known('guest'), await host.signIn('guest')]
      for (const agent of agents) expect(await read(agent)).toMatchObject({ status: 200 })
      await run(sql`update core_user set active = false where login = 'guest'`)
      for (const agent of agents) expect(await read(agent)).toMatchObject({ status: 401 })
      await run(sql`update core_user set active = true where login = 'guest'`)
      for (const agent of agents) expect(await read(agent)).toMatchObject({ status: 200 })
    })

    test('is not taken by a key at an address that takes none', async () => {
      const { key } = await known('admin')
      const answer = await host.fetch('/web/wc/workspace?model=core.tag&view_type=list', {
        headers: { 'x-api-key': key, accept: 'application/json' },
      })
      expect([answer.status, await answer.json()]).toMatchObject([
        401,
        { error: { details: { reason: 'key_not_taken' } } },
      ])
    })

    const waiting = async () => {
      const { rows } = await run(sql`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`)
      return (rows[0] as { count: number }).count
    }

    const revoke = ({ keyId }: { keyId: number }) =>
      run(sql`update core_api_key set active = false where id = ${keyId}`)

    /** One that another request has found, and one that this request finds itself. */
    const callers = [
      ['who has called before', () => known('admin')],
      ['who calls for the first time', () => host.apiKey('admin')],
    ] as const

    test.each(callers)(
      '%s writes nothing if the key is revoked before the transaction is repeated',
      async (_, find) => {
        const agent = await find()
        const job = async () => (await run(sql`select * from sys_cron where active order by id limit 1`)).rows[0]
        const before = await job()
        const { id } = before as { id: number }
        const [answer] = await rival.db.transaction().execute(async (tx) => {
          await sql`update sys_cron set name = name where id = ${id}`.execute(tx)
          const call = agent.send({ model: 'sys.cron', method: 'call', args: [id, 'action_run_now'] })
          await expect.poll(waiting).toBe(1)
          await revoke(agent)
          return [call] as const
        })
        // The change of the rival is a conflict, so the transaction is repeated.
        expect(await answer).toMatchObject({ status: 401 })
        expect(await job()).toEqual(before)
      },
    )

    test('reads nothing if the session ends before the read is repeated', async () => {
      const agent = await host.signIn('admin')
      const services = { ...host.modules.services, forRequest: main.forRequest }
      const request = new Request('http://localhost/api/rpc')
      const exchange = openExchange(services, request, null)
      const caller = await findSessionCaller(services, agent.cookies.get('svc_session')!)
      let attempts = 0
      const reading = workAs(exchange, caller!, 'read', async (env) => {
        await sql`select`.execute(env.tx)
        if (attempts++ > 0) return
        await run(sql`delete from sys_session`)
        throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
      })
      await expect(reading).rejects.toThrow(Unproven)
      expect(attempts).toBe(1)
    })

    test('a call that is refused before it asks anything is counted once', async () => {
      const agent = await known('admin')
      const before = host.observed.length
      expect(await agent.send({ model: 'core.tag', method: 'read', args: ['x'] })).toMatchObject({ status: 400 })
      expect(host.observed.slice(before).filter(({ kind }) => kind === 'rpc')).toHaveLength(1)
    })
  },
  (services) => ({
    forRequest: (signal, ms, options) => (main === undefined ? services.db : main.forRequest(signal, ms, options)),
  }),
)
