import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../kernel/sql/sql.ts'
import { baseTemplate } from '../support/base-database.ts'
import { buildChild, type ChildProgram } from '../support/child-program.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { repeats } from '../support/soak.ts'

let program: ChildProgram
let database: TestDatabase
const children = new Set<ChildProcess>()

beforeAll(async () => {
  program = await buildChild('cron-child')
})
afterAll(() => program?.remove())
beforeEach(async () => {
  database = await createDatabase(baseTemplate)
  await query('delete from sys_cron')
  await query('create table effect (handler text, key text unique, pid int)')
  await query('create table gate (is_open boolean)')
  await query('insert into gate values (false)')
})
afterEach(async () => {
  for (const child of children) {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  children.clear()
  await database.drop()
})

const query = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(database.db)).rows

/** Rows that are due, with the handlers `prefix_0`, `prefix_1` and so on, or one with the name itself. */
const schedule = (handlers: string, count: number) =>
  query(`insert into sys_cron (name, handler, interval_number, interval_type, nextcall, timezone, active, priority, state, failures, run_seq)
    select h, 'clock.' || h, 1, 'days', now() - interval '2 days', 'UTC', true, 5, 'idle', 0, 0
    from (select ${handlers} as h from generate_series(0, ${count - 1}) n) each`)

type Mode = 'drain' | 'race' | 'loop'

function start(
  mode: Mode,
  { killAfter = 0, skewHours = 0, most = 2 } = {},
): ChildProcess & { readonly lines: string[] } {
  const args = [program.file, database.dsn, mode, ...[killAfter, skewHours, most].map(String)]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines: string[] = []
  child.stdout.on('data', (chunk) => void lines.push(...String(chunk).trim().split('\n')))
  children.add(child)
  child.once('exit', () => children.delete(child))
  return Object.assign(child, { lines })
}

const effects = async (prefix: string) => {
  const rows = await query(`select handler from effect where handler like '${prefix}%'`)
  return { all: rows.length, distinct: new Set(rows.map(({ handler }) => handler)).size }
}

const stuck = () =>
  query(
    "select name from sys_cron where coalesce(attempt_at, nextcall) <= now() or state <> 'idle' or lease_until is not null",
  )

const PATIENCE = { timeout: 90_000, interval: 20 }

describe('jobs of processes that are killed', () => {
  /** Processes at once. */
  const LANES = 4
  /** Statements of a process, at most: enough for two jobs. */
  const SPAN = 24
  const KILLS = repeats(100, 1_000)

  test('happen once: none is lost, doubled or stuck', { timeout: 3_600_000 }, async () => {
    const each = KILLS
    await schedule("'tx_' || n", each)
    await schedule("'lease_' || n", each)
    let kills = 0
    let begun = 0
    const lane = async () => {
      while (begun < KILLS) {
        const [, signal] = await once(start('drain', { killAfter: 1 + (begun++ % SPAN), most: each }), 'exit')
        if (signal === 'SIGKILL') kills++
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    expect(kills, 'there was something to do until the end').toBe(KILLS)
    while ((await stuck()).length > 0) expect(await once(start('drain', { most: each }), 'exit')).toEqual([0, null])
    expect(await effects('tx')).toEqual({ all: each, distinct: each })
    expect(await effects('lease')).toEqual({ all: each, distinct: each })
    const logged = await query(`select count(*)::int as runs, count(distinct cron_id)::int as jobs
      from sys_cron_run where outcome = 'done'`)
    expect(logged).toEqual([{ runs: 2 * each, jobs: 2 * each }])
  })
})

describe('eight processes that look for one job without a pause', () => {
  test('run each of its slots once', { timeout: 600_000 }, async () => {
    const slots = repeats(20, 2_000)
    await schedule("'tx_0'", 1)
    const racers = Array.from({ length: 8 }, (_, i) => start('race', { skewHours: (i % 3) - 1 }))
    for (let slot = 1; slot <= slots; slot++) {
      await expect.poll(async () => (await effects('tx')).all, { ...PATIENCE, interval: 2 }).toBe(slot)
      if (slot < slots) await query('update sys_cron set nextcall = clock_timestamp()')
    }
    for (const racer of racers) {
      racer.kill('SIGTERM')
      await once(racer, 'exit')
    }
    expect(await effects('tx')).toEqual({ all: slots, distinct: 1 })
    expect(await query('select outcome, count(*)::int as n from sys_cron_run group by outcome')).toEqual([
      { outcome: 'done', n: slots },
    ])
    expect(racers.filter(({ lines }) => lines.length > 0).length, 'several of them had a turn').toBeGreaterThan(1)
  })
})

describe('a process whose clock is wrong by an hour', () => {
  test.each([-1, 1])('(%i h) runs exactly the jobs that are due by the clock of the database', async (skewHours) => {
    await schedule("'tx_0'", 1)
    await schedule("'tx_1'", 1)
    await query("update sys_cron set nextcall = now() + interval '30 minutes' where name = 'tx_1'")
    expect(await once(start('drain', { skewHours }), 'exit')).toEqual([0, null])
    expect(await query('select handler from effect')).toEqual([{ handler: 'tx_0' }])
  })
})

describe('a job under a lease', () => {
  const begun = (child: ChildProcess) =>
    expect.poll(() => query(`select 1 from effect where key = 'begun ${child.pid}'`), PATIENCE).toHaveLength(1)
  const openGate = () => query('update gate set is_open = true')
  const ends = () => query("select pid from effect where key like 'ended%'")

  test('of a killed process is taken over long before the lease ends', async () => {
    await schedule("'gated'", 1)
    const first = start('loop')
    await begun(first)
    const second = start('loop')
    first.kill('SIGKILL')
    // The lease lasts a minute, which is longer than this test waits.
    await begun(second)
    await openGate()
    await expect.poll(ends, PATIENCE).toEqual([{ pid: second.pid }])
    await expect.poll(stuck, PATIENCE).toEqual([])
    expect(await query('select outcome from sys_cron_run order by id')).toEqual([
      { outcome: 'lost' },
      { outcome: 'done' },
    ])
  })

  test('of a stopped process is taken over when the lease ends, and what it does after that is not saved', async () => {
    await schedule("'gated'", 1)
    const first = start('loop')
    await begun(first)
    first.kill('SIGSTOP')
    await query('update sys_cron set lease_until = clock_timestamp()')
    const second = start('loop')
    await begun(second)
    await openGate()
    await expect.poll(ends, PATIENCE).toEqual([{ pid: second.pid }])
    first.kill('SIGCONT')
    await expect.poll(() => first.lines, PATIENCE).toEqual(['lost gated'])
    expect(await ends()).toEqual([{ pid: second.pid }])
    expect(await query('select outcome from sys_cron_run order by id')).toEqual([
      { outcome: 'lost' },
      { outcome: 'done' },
    ])
  })

  test('is given back by a process that ends, and run by the next one', async () => {
    await schedule("'gated'", 1)
    const first = start('loop')
    await begun(first)
    first.kill('SIGTERM')
    expect(await once(first, 'exit')).toEqual([0, null])
    expect(await query('select owner, state from sys_cron')).toEqual([{ owner: null, state: 'idle' }])
    const second = start('loop')
    await begun(second)
    await openGate()
    await expect.poll(ends, PATIENCE).toEqual([{ pid: second.pid }])
  })
})
