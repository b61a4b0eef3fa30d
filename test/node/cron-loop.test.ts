import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import base from '../../addons/base/addon.ts'
import { unavailable } from '../../kernel/errors.ts'
import { defineAddon, type Job, type Lease } from '../../kernel/module/addon.ts'
import { installModules } from '../../kernel/module/install.ts'
import type { Services } from '../../kernel/services.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { type CronLoop, startCronLoop } from '../../runtime/node/cron.ts'
import { openJobHost } from '../../runtime/node/job-host.ts'
import { baseTemplate } from '../support/base-database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules, type TestModules } from '../support/modules.ts'

let database: TestDatabase
let modules: TestModules
let loops: CronLoop[] = []
let runs: string[] = []
/** What the jobs wait for. */
let held: Promise<void> = Promise.resolve()
let goOn = () => {}

function hold(): void {
  held = new Promise((resolve) => {
    goOn = resolve
  })
}

const job =
  (name: string): Job =>
  async () => {
    runs.push(name)
    await held
  }
const leased: Job = {
  kind: 'lease',
  async run({ signal }: Lease) {
    runs.push('leased')
    await Promise.race([held, new Promise((resolve) => signal.addEventListener('abort', resolve))])
    signal.throwIfAborted()
  },
}

beforeAll(async () => {
  database = await createDatabase(baseTemplate)
  const jobs = { one: job('one'), two: job('two'), three: job('three'), leased }
  const clock = defineAddon({ name: 'clock', version: '1.0', summary: 'Jobs', depends: ['base'], models: [], jobs })
  modules = openModules(database.db, [base, clock])
  await installModules(modules.services, modules.catalogue, ['clock'])
  await query('delete from sys_cron')
  await query(`insert into sys_cron (name, handler, interval_number, interval_type, nextcall, timezone, active, priority, state, failures, run_seq)
    select n, 'clock.' || n, 1, 'days', now() + interval '1 day', 'UTC', true, 5, 'idle', 0, 0
    from unnest(array['one', 'two', 'three', 'leased']) n`)
})
afterAll(() => database?.drop())
beforeEach(async () => {
  runs = []
  held = Promise.resolve()
  await query("update sys_cron set nextcall = now() + interval '1 day', attempt_at = null, failures = 0")
  await query('delete from sys_cron_run')
})
afterEach(async () => {
  goOn()
  await Promise.all(loops.map((loop) => loop.stop(60_000)))
  loops = []
  vi.restoreAllMocks()
})

const query = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(database.db)).rows
const makeDue = (...names: string[]) =>
  query(`update sys_cron set nextcall = now() - interval '1 minute' where name in ('${names.join("', '")}')`)
const PATIENCE = { timeout: 90_000, interval: 10 }
const ran = () => expect.poll(() => runs, PATIENCE)

function start(more: Partial<Services> = {}): CronLoop {
  const services = { ...modules.services, ...more }
  const loop = startCronLoop({ services, latest: modules.holder.latest, jobs: openJobHost(database.dsn) })
  loops.push(loop)
  return loop
}

/** The timers that the loop has set, in milliseconds; the timers of the driver have other lengths. */
function watchTimers() {
  const spy = vi.spyOn(globalThis, 'setTimeout')
  return {
    within: (from: number, to: number) => () => spy.mock.calls.filter(([, ms = 0]) => ms >= from && ms <= to).length,
  }
}

test('runs due jobs when it starts, then sleeps until the next one is due', async () => {
  await makeDue('one')
  await query("update sys_cron set nextcall = now() + interval '6 s' where name = 'two'")
  const timers = watchTimers()
  start()
  await ran().toEqual(['one'])
  await expect.poll(timers.within(1_500, 6_000), PATIENCE).toBeGreaterThan(0)
  await ran().toEqual(['one', 'two'])
})

test('looks every 20 seconds or so where nothing is due, and at once when it is woken', async () => {
  const timers = watchTimers()
  const loop = start()
  await expect.poll(timers.within(15_000, 25_000), PATIENCE).toBeGreaterThan(0)
  const short = timers.within(5, 1_500)()
  await makeDue('one')
  loop.wake()
  await ran().toEqual(['one'])
  expect(short, 'it did not poll before').toBeLessThanOrEqual(2)
})

test('does not mind a clock that is wrong by an hour', async () => {
  await makeDue('one')
  await query("update sys_cron set nextcall = now() + interval '2 s' where name = 'two'")
  await query("update sys_cron set nextcall = now() + interval '30 minutes' where name = 'three'")
  for (const hours of [-1, 1]) start({ clock: () => new Date(Date.now() + hours * 3_600_000) })
  await ran().toEqual(['one', 'two'])
})

test('runs two jobs at once and no more, and stops after those that are running', async () => {
  hold()
  await makeDue('one', 'two', 'three')
  const loop = start()
  await ran().toHaveLength(2)
  const stopped = loop.stop(60_000)
  goOn()
  await stopped
  expect(runs).toHaveLength(2)
  expect(await query('select outcome from sys_cron_run')).toEqual([{ outcome: 'done' }, { outcome: 'done' }])
  expect(await query('select 1 from sys_cron where nextcall <= now()')).toHaveLength(1)
})

test('stops waiting for running jobs at a second stop, and gives up their leases', async () => {
  hold()
  await makeDue('leased')
  const loop = start()
  await ran().toEqual(['leased'])
  const stopped = loop.stop(600_000)
  await loop.stop(0)
  await stopped
  expect(await query("select state, owner, lease_until from sys_cron where name = 'leased'")).toEqual([
    { state: 'idle', owner: null, lease_until: null },
  ])
})

test('a job that runs long does not keep others from running', async () => {
  hold()
  await makeDue('leased')
  const loop = start()
  await ran().toEqual(['leased'])
  await makeDue('one')
  loop.wake()
  await ran().toEqual(['leased', 'one'])
})

test('reports an outage of the database once, and goes on when it is back', async () => {
  let isAway = true
  const seen: unknown[] = []
  const observe: Services['observe'] = (observation) => {
    if (observation.kind === 'failure') seen.push(observation.requestId)
  }
  let looks = 0
  const latest = async () => {
    looks++
    if (isAway) throw unavailable('database_away', 'The database is away.')
    return modules.holder.latest()
  }
  await makeDue('one')
  const services = { ...modules.services, observe }
  loops.push(startCronLoop({ services, latest, jobs: openJobHost(database.dsn) }))
  await expect.poll(() => looks, PATIENCE).toBeGreaterThanOrEqual(4)
  expect(seen).toEqual(['cron'])
  isAway = false
  await ran().toEqual(['one'])
})
