import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import base from '../../addons/base/addon.ts'
import { OWNER_LOCKS } from '../../kernel/job/claim.ts'
import { runDueJob } from '../../kernel/job/cron.ts'
import type { JobHost } from '../../kernel/job/job-host.ts'
import { defineAddon, type Lease } from '../../kernel/module/addon.ts'
import { installModules } from '../../kernel/module/install.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { openJobHost } from '../../runtime/node/job-host.ts'
import { baseTemplate } from '../support/base-database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { jobHost } from '../support/job-host.ts'
import { openModules, type TestModules } from '../support/modules.ts'

let database: TestDatabase
let modules: TestModules
/** What the job does. */
let work: (lease: Lease) => Promise<void>

beforeAll(async () => {
  database = await createDatabase(baseTemplate)
  const jobs = { sync: { kind: 'lease' as const, run: (lease: Lease) => work(lease) } }
  const clock = defineAddon({ name: 'clock', version: '1.0', summary: 'Jobs', depends: ['base'], models: [], jobs })
  modules = openModules(database.db, [base, clock])
  await installModules(modules.services, modules.catalogue, ['clock'])
})
afterAll(() => database?.drop())
beforeEach(async () => {
  await query('delete from sys_cron_run')
  await query("delete from sys_cron where name = 'Sync'")
  await query("update sys_cron set nextcall = now() + interval '1 day'")
  await query("delete from core_tag where name like 'sync%'")
  await query(`insert into sys_cron (name, handler, interval_number, interval_type, nextcall, timezone, active, priority, state,
    failures, run_seq) values ('Sync', 'clock.sync', 1, 'hours', now() - interval '90 minutes', 'UTC', true, 5, 'idle', 0, 0)`)
})

const query = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(database.db)).rows
const row = async (columns: string) => (await query(`select ${columns} from sys_cron where name = 'Sync'`))[0]
const runs = () => query('select outcome from sys_cron_run order by id')
const tags = async () =>
  (await query("select name from core_tag where name like 'sync%' order by name")).map(({ name }) => name)
const run = async (host: JobHost = jobHost()) => runDueJob(modules.services, await modules.holder.latest(), host)
const tag = ({ transact }: Lease, name: string) =>
  transact((env) => env.model('core.tag').create({ name: `sync ${name}` }))

/** A job that waits in the middle, until `goOn` is called. */
function gate() {
  let goOn = () => {}
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const open = new Promise<void>((resolve) => {
    goOn = resolve
  })
  return {
    arrived,
    goOn: () => goOn(),
    wait: () => {
      arrive()
      return open
    },
  }
}

describe('a job under a lease', () => {
  test('runs in transactions of its own, shows its owner meanwhile, and waits for its next slot', async () => {
    const { arrived, goOn, wait } = gate()
    work = async (lease) => {
      await tag(lease, 'one')
      await wait()
      await tag(lease, 'two')
    }
    const running = run(jobHost({ owner: 'first 1' }))
    await arrived
    expect(await tags()).toEqual(['sync one'])
    expect(await row("owner, state, lease_until > now() + interval '50 s' as held")).toEqual({
      owner: 'first 1',
      state: 'running',
      held: true,
    })
    expect(await run(), 'nobody else runs it').toBeNull()
    goOn()
    expect(await running).toMatchObject({ name: 'Sync', outcome: 'done' })
    expect(await tags()).toEqual(['sync one', 'sync two'])
    expect(await row('owner, lease_until, state, nextcall > now() as later')).toEqual({
      owner: null,
      lease_until: null,
      state: 'idle',
      later: true,
    })
    expect(await run()).toBeNull()
  })

  test('keeps its lease with a heartbeat', async () => {
    const { arrived, goOn, wait } = gate()
    work = wait
    const beats: (() => void)[] = []
    const timeout = (ms: number) => {
      const controller = new AbortController()
      if (ms === 15_000) beats.push(() => controller.abort())
      return controller.signal
    }
    const running = run(jobHost({ timeout }))
    await arrived
    await query("update sys_cron set lease_until = now() + interval '1 s' where name = 'Sync'")
    beats[0]!()
    await expect.poll(() => row("lease_until > now() + interval '50 s' as held")).toEqual({ held: true })
    goOn()
    expect(await running).toMatchObject({ outcome: 'done' })
  })

  test('that was taken over can save nothing more, and ends as lost', async () => {
    const first = gate()
    let stale: Lease | undefined
    let goes = 0
    work = async (lease) => {
      if (goes++ > 0) return void (await tag(lease, 'second'))
      stale = lease
      await first.wait()
      await tag(lease, 'stale')
    }
    const running = run()
    await first.arrived
    await query("update sys_cron set lease_until = now() - interval '1 s' where name = 'Sync'")
    expect(await run(jobHost({ owner: 'second' }))).toMatchObject({ outcome: 'done' })
    first.goOn()
    expect(await running).toMatchObject({ outcome: 'lost', error: 'Another process has taken this job over.' })
    expect(stale!.signal.aborted).toBe(true)
    expect(await tags()).toEqual(['sync second'])
    expect(await runs()).toEqual([{ outcome: 'lost' }, { outcome: 'done' }])
  })

  test('is not taken over in the middle of a transaction, however late it is', async () => {
    const { arrived, goOn, wait } = gate()
    work = ({ transact }) =>
      transact(async (env) => {
        await env.model('core.tag').create({ name: 'sync slow' })
        await query("select 1 from sys_cron where name = 'Sync'")
        await wait()
      })
    const running = run()
    await arrived
    // The fence holds a share lock, which lets nobody else change or claim the row.
    expect(await query("select 1 from sys_cron where name = 'Sync' for no key update skip locked")).toEqual([])
    goOn()
    expect(await running).toMatchObject({ outcome: 'done' })
    expect(await tags()).toEqual(['sync slow'])
  })

  test('that fails is tried again later, under the same key until it succeeds', async () => {
    const keys: string[] = []
    let isBroken = true
    work = async ({ key }) => {
      keys.push(key)
      if (isBroken) throw new Error('no answer')
    }
    expect(await run()).toMatchObject({ outcome: 'failed', error: 'no answer' })
    expect(await run()).toBeNull()
    expect(await row('failures, state, owner, attempt_at > now() as later')).toEqual({
      failures: 1,
      state: 'idle',
      owner: null,
      later: true,
    })
    isBroken = false
    for (let i = 0; i < 2; i++) {
      await query("update sys_cron set attempt_at = now() where name = 'Sync'")
      expect(await run()).toMatchObject({ outcome: 'done' })
    }
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
  })

  test('that never ends is given up when its time is over', async () => {
    const { wait } = gate()
    work = wait
    const ms = new Map([[3_600_000, 50]])
    const timeout = (wanted: number) => AbortSignal.timeout(ms.get(wanted) ?? wanted)
    expect(await run(jobHost({ timeout }))).toMatchObject({
      outcome: 'failed',
      error: 'The job took longer than 60 minutes and was given up.',
    })
    expect(await row('failures, owner')).toEqual({ failures: 1, owner: null })
  })

  test('is given back at once by a process that stops', async () => {
    const { arrived, wait } = gate()
    work = wait
    const stopping = new AbortController()
    const running = run(jobHost({ stopped: stopping.signal }))
    await arrived
    stopping.abort()
    expect(await running).toMatchObject({ outcome: 'lost' })
    work = (lease) => tag(lease, 'other').then(() => undefined)
    expect(await run()).toMatchObject({ outcome: 'done' })
    expect(await tags()).toEqual(['sync other'])
    expect(await row('failures')).toEqual({ failures: 0 })
  })
})

describe('the lock of an owner', () => {
  test('lets others wait while the owner lives, and take over as soon as it has ended', async () => {
    const client = new pg.Client({ connectionString: database.dsn })
    await client.connect()
    await client.query('SELECT pg_advisory_lock($1, 77)', [OWNER_LOCKS])
    await query(`update sys_cron set owner = 'dead', owner_lock = 77, lease_until = now() + interval '1 minute', state = 'running',
      last_run_at = now() where name = 'Sync'`)
    work = (lease) => tag(lease, 'taken').then(() => undefined)
    expect(await run()).toBeNull()
    await client.end()
    await expect.poll(async () => (await run())?.outcome).toBe('done')
    expect(await tags()).toEqual(['sync taken'])
    expect((await runs()).slice(-2)).toEqual([{ outcome: 'lost' }, { outcome: 'done' }])
  })

  test('is held by a session of its own, and let go with it', async () => {
    const host = openJobHost(database.dsn)
    const lock = await host.ownerLock()
    expect(await host.ownerLock()).toBe(lock)
    const held = () =>
      query(`select objid from pg_locks join pg_database d on d.oid = database
        where locktype = 'advisory' and classid = ${OWNER_LOCKS} and datname = current_database()`)
    expect(await held()).toEqual([{ objid: lock }])
    await host.close()
    await expect.poll(held).toEqual([])
  })
})
