import { beforeEach, describe, expect, test } from 'vitest'
import base from '../../addons/base/addon.ts'
import { runDueJob } from '../../kernel/job/cron.ts'
import { type IntervalType, nextSlot } from '../../kernel/job/schedule.ts'
import { deactivateModule } from '../../kernel/module/activate.ts'
import { defineAddon, type Job, type TxJob } from '../../kernel/module/addon.ts'
import { installModules } from '../../kernel/module/install.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { connectDatabase } from '../../runtime/postgres/database.ts'
import { baseTemplate } from '../support/base-database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { jobHost } from '../support/job-host.ts'
import { openModules } from '../support/modules.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await createDatabase(baseTemplate)
  await query("update sys_cron set nextcall = now() + interval '1 day'")
  return () => database.drop()
})

const query = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(database.db)).rows

const clock = (jobs: Record<string, Job>) =>
  defineAddon({ name: 'clock', version: '1.0', summary: 'Jobs', depends: ['base'], models: [], jobs })

/** Installs jobs, makes one row due, and returns a function that runs what is due. */
async function withJob(job: Job, columns = '') {
  const modules = openModules(database.db, [base, clock({ tick: job })])
  await installModules(modules.services, modules.catalogue, ['clock'])
  await query(`insert into sys_cron (name, handler, interval_number, interval_type, nextcall, timezone, active, priority,
    state, failures, run_seq) values ('Tick', 'clock.tick', 1, 'hours', now() - interval '90 minutes', 'UTC', true, 5, 'idle', 0, 0)`)
  if (columns) await query(`update sys_cron set ${columns} where name = 'Tick'`)
  return {
    ...modules,
    run: async (host = jobHost()) => runDueJob(modules.services, await modules.holder.latest(), host),
  }
}

const addTag: TxJob = async (env) => void (await env.model('core.tag').create({ name: `tick ${env.now.getTime()}` }))

describe('a due job', () => {
  test('runs once, writes its run and waits for the next slot in the future', async () => {
    const { run } = await withJob(addTag)
    expect(await run()).toMatchObject({ name: 'Tick', outcome: 'done', error: null })
    expect(await run()).toBeNull()
    expect(await query("select count(*)::int as n from core_tag where name like 'tick%'")).toEqual([{ n: 1 }])
    expect(await query('select outcome, error from sys_cron_run')).toEqual([{ outcome: 'done', error: null }])
    expect(
      await query(
        "select nextcall > now() and nextcall <= now() + interval '1 hour' as soon, run_seq from sys_cron where name = 'Tick'",
      ),
    ).toEqual([{ soon: true, run_seq: 1 }])
  })

  test('that was missed for two days runs once, and then at its time again', async () => {
    const { run } = await withJob(addTag, "interval_type = 'days', nextcall = now() - interval '42 hours'")
    const slot = async () =>
      (await query("select nextcall from sys_cron where name = 'Tick'"))[0]!['nextcall'] as string
    const missed = new Date(await slot())
    expect(await run()).toMatchObject({ outcome: 'done' })
    expect(await run()).toBeNull()
    expect(await query('select outcome from sys_cron_run')).toEqual([{ outcome: 'done' }])
    expect(new Date(await slot()).getTime() - missed.getTime()).toBe(48 * 3_600_000)
  })

  test('that fails leaves no effect and no event, backs off, and is never switched off', async () => {
    const { run } = await withJob(async (env) => {
      await addTag(env)
      throw new Error('broken')
    })
    const [before] = await query('select now()::text as at')
    expect(await run()).toMatchObject({ outcome: 'failed', error: 'broken' })
    expect(await query("select 1 from core_tag where name like 'tick%'")).toEqual([])
    expect(await query("select 1 from sys_outbox where payload->>'model' = 'core.tag'")).toEqual([])
    expect(
      await query(`select active, failures, state, attempt_at between '${before!['at']}'::timestamptz + interval '20 s'
        and now() + interval '40 s' as soon
        from sys_cron where name = 'Tick'`),
    ).toEqual([{ active: true, failures: 1, state: 'idle', soon: true }])
    await query("update sys_cron set attempt_at = now(), failures = 9 where name = 'Tick'")
    await run()
    expect(
      await query(
        `select active, failures, state, attempt_at < now() + interval '75 min' as capped from sys_cron where name = 'Tick'`,
      ),
    ).toEqual([{ active: true, failures: 10, state: 'failing', capped: true }])
  })

  test('is taken by one process only, however many look', async () => {
    let letEnd = () => {}
    const mayEnd = new Promise<void>((resolve) => {
      letEnd = resolve
    })
    let looked = 0
    const look = () => {
      looked++
      if (looked === pools.length) letEnd()
    }
    const { services, holder } = await withJob(async (env) => {
      await addTag(env)
      look()
      await mayEnd
    })
    const state = await holder.latest()
    const pools = Array.from({ length: 4 }, () =>
      connectDatabase({ dsn: database.dsn, maxConnections: 2, applicationName: 'cron', connectWaitMs: 60_000 }),
    )
    const runs = await Promise.all(
      pools.map(async ({ db }) => {
        const run = await runDueJob({ ...services, db }, state, jobHost())
        if (run === null) look()
        return run
      }),
    )
    await Promise.all(pools.map((pool) => pool.close()))
    expect(runs.filter((run) => run !== null)).toHaveLength(1)
    expect(await query("select count(*)::int as n from core_tag where name like 'tick%'")).toEqual([{ n: 1 }])
  })

  test('that has failed keeps the minute of its slots, and so does one that was run by hand', async () => {
    let isBroken = true
    const { run } = await withJob(async () => {
      if (isBroken) throw new Error('broken')
    }, "nextcall = date_trunc('hour', now()) - interval '43 minutes'")
    await run()
    isBroken = false
    await query("update sys_cron set attempt_at = now() where name = 'Tick'")
    expect(await run()).toMatchObject({ outcome: 'done' })
    const slot = `select extract(minute from nextcall)::int as minute, nextcall > now() as later, attempt_at, failures
      from sys_cron where name = 'Tick'`
    expect(await query(slot)).toEqual([{ minute: 17, later: true, attempt_at: null, failures: 0 }])
    await query("update sys_cron set attempt_at = now() where name = 'Tick'")
    expect(await run()).toMatchObject({ outcome: 'done' })
    expect(await run()).toBeNull()
    expect(await query(slot)).toEqual([{ minute: 17, later: true, attempt_at: null, failures: 0 }])
  })

  test('has the time of the database, whatever the clock of the process says', async () => {
    const seen: Date[] = []
    const { services, holder } = await withJob(async (env) => void seen.push(env.now))
    const clock = () => new Date(Date.now() + 3_600_000)
    await runDueJob({ ...services, clock }, await holder.latest(), jobHost())
    expect(Math.abs(seen[0]!.getTime() - Date.now())).toBeLessThan(600_000)
  })

  test('that hangs is ended when its time is over, in a statement or elsewhere, and tried again later', async () => {
    const hangs: readonly TxJob[] = [
      async (env) => void (await sql`select pg_sleep(600)`.execute(env.tx)),
      () => new Promise(() => {}),
    ]
    let hang = hangs[0]!
    const { run } = await withJob(async (env) => {
      await addTag(env)
      await hang(env)
    })
    for (const [at, each] of hangs.entries()) {
      hang = each
      await query("update sys_cron set attempt_at = now() where name = 'Tick'")
      const error = 'The job took longer than 30 seconds and was stopped.'
      expect(await run(jobHost({ timeout: () => AbortSignal.timeout(50) }))).toMatchObject({ outcome: 'failed', error })
      expect(await query("select failures, attempt_at > now() as later from sys_cron where name = 'Tick'")).toEqual([
        { failures: at + 1, later: true },
      ])
    }
    expect(await query("select 1 from core_tag where name like 'tick%'")).toEqual([])
    expect(await query('select outcome from sys_cron_run')).toEqual([{ outcome: 'failed' }, { outcome: 'failed' }])
    const busy = () => query("select 1 from pg_stat_activity where datname = current_database() and state <> 'idle'")
    await expect.poll(busy).toHaveLength(1)
  })

  test('that loses its connection each time is tried again later, and not at once', async () => {
    const { run } = await withJob(
      async (env) => void (await sql`select pg_terminate_backend(pg_backend_pid())`.execute(env.tx)),
    )
    expect(await run()).toMatchObject({ outcome: 'failed' })
    expect(await run()).toBeNull()
    expect(await query("select failures, attempt_at > now() as later from sys_cron where name = 'Tick'")).toEqual([
      { failures: 1, later: true },
    ])
  })

  test('whose lost connection still holds its row is tried again later, too', async () => {
    const other = connectDatabase({
      dsn: database.dsn,
      maxConnections: 1,
      applicationName: 'other',
      connectWaitMs: 60_000,
    })
    const waits = (name: string) => async () =>
      (
        await query(`select 1 from pg_stat_activity where datname = current_database()
        and application_name ${name} and wait_event_type = 'Lock'`)
      ).length
    let letGo = () => {}
    let holding: Promise<unknown> = Promise.resolve()
    const { run } = await withJob(async (env) => {
      holding = other.db.transaction().execute(async (tx) => {
        await sql`select from sys_cron where name = 'Tick' for update`.execute(tx)
        await new Promise<void>((resolve) => {
          letGo = resolve
        })
      })
      await expect.poll(waits("= 'other'")).toBe(1)
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(env.tx)
    })
    const failed = run()
    await expect.poll(waits("<> 'other'")).toBe(1)
    letGo()
    expect(await failed).toMatchObject({ outcome: 'failed' })
    await holding
    await other.close()
  })

  test('of a module that is switched off does not run', async () => {
    const { run, services, catalogue } = await withJob(addTag)
    await deactivateModule(services, catalogue, 'clock')
    expect(await run()).toBeNull()
  })

  test('of a model that this process does not have is left to one that has it', async () => {
    const { run } = await withJob(addTag, "handler = null, model = 'garden.bed', action = 'action_water'")
    expect(await run()).toBeNull()
    expect(await query('select 1 from sys_cron_run')).toEqual([])
  })

  test('may be an action of a model', async () => {
    const { run } = await withJob(addTag, "handler = null, model = 'sys.cron', action = 'action_run_now'")
    expect(await run()).toMatchObject({ outcome: 'done' })
  })
})

describe('the next slot', () => {
  const slot = async (nextcall: string, interval_number: number, interval_type: IntervalType, timezone = 'UTC') => {
    const { rows } = await sql<{
      at: string
    }>`select ${nextSlot({ nextcall, interval_number, interval_type, timezone })} as at`.execute(database.db)
    return rows[0]!.at
  }

  test.each([
    ['2200-01-01T10:00:00.000Z', 15, 'minutes', 'UTC', '2200-01-01T10:15:00.000Z'],
    ['2200-01-01T10:00:00.000Z', 6, 'hours', 'Asia/Tokyo', '2200-01-01T16:00:00.000Z'],
    ['2200-01-30T10:00:00.000Z', 1, 'months', 'UTC', '2200-02-28T10:00:00.000Z'],
    ['2200-01-01T10:00:00.000Z', 2, 'weeks', 'UTC', '2200-01-15T10:00:00.000Z'],
  ] as const)('after %s every %i %s in %s is %s', async (from, number, type, timezone, expected) => {
    expect(await slot(from, number, type, timezone)).toBe(expected)
  })

  test('keeps the hour on the wall when clocks change, and skips one that does not exist', async () => {
    // Berlin goes to summer time on 2037-03-29 at 02:00.
    expect(await slot('2037-03-28T08:00:00.000Z', 1, 'days', 'Europe/Berlin')).toBe('2037-03-29T07:00:00.000Z')
    expect(await slot('2037-03-28T01:30:00.000Z', 1, 'days', 'Europe/Berlin')).toBe('2037-03-30T00:30:00.000Z')
  })

  test('comes once in the hour that clocks repeat, every day; every hour means every hour', async () => {
    // Berlin goes back to winter time on 2037-10-25 at 03:00.
    const [first, second] = ['2037-10-25T01:30:00.000Z', '2037-10-26T01:30:00.000Z']
    expect(await slot('2037-10-24T00:30:00.000Z', 1, 'days', 'Europe/Berlin')).toBe(first)
    expect(await slot(first!, 1, 'days', 'Europe/Berlin')).toBe(second)
    expect(await slot('2037-10-25T00:30:00.000Z', 1, 'hours', 'Europe/Berlin')).toBe(first)
  })

  test('passes over everything that was missed', async () => {
    const next = new Date(await slot('2020-01-01T10:20:00.000Z', 1, 'days', 'UTC'))
    expect(next.getTime() - Date.now()).toBeGreaterThan(0)
    expect(next.getTime() - Date.now()).toBeLessThanOrEqual(24 * 3_600_000)
    expect(next.toISOString()).toContain('T10:20:00')
    const minutes = new Date(await slot('2020-01-01T10:20:30.000Z', 7, 'minutes', 'UTC'))
    expect(minutes.getTime() - Date.now()).toBeLessThanOrEqual(7 * 60_000)
    expect(minutes.getUTCSeconds()).toBe(30)
  })
})
