import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LeaseJob } from '../../../kernel/module/addon.ts'
import { sql } from '../../../kernel/sql/sql.ts'
import { openPeople, type People } from '../../../test/support/people.ts'
import { pruneExpired, pruneOutbox, SLOTS } from '../jobs/prune.ts'

type Log = keyof typeof SLOTS
type Sql = ReturnType<typeof sql>

let people: People

beforeAll(async () => {
  people = await openPeople()
  // A slot that autovacuum is reading would be left for another time.
  for (const log of LOGS)
    for (let slot = 0; slot < SLOTS[log].slots; slot++)
      await sql`alter table ${sql.table(`${log}_${slot}`)} set (autovacuum_enabled = false)`.execute(people.database.db)
})
afterAll(() => people.leave())

const run = (job: LeaseJob) => job.run({ transact: people.asSystem, signal: new AbortController().signal, key: 'test' })

interface Kind {
  readonly job: LeaseJob
  /** Adds a row of this time for every one of `n`. */
  readonly insert: (at: Sql) => Sql
}

const KINDS: Readonly<Record<Log, Kind>> = {
  sys_log: {
    job: pruneExpired,
    insert: (at) =>
      sql`insert into sys_log (level, source, message, create_date) select 'info', 'test', 'old', ${at} from n`,
  },
  sys_outbox: {
    job: pruneOutbox,
    insert: (at) => sql`insert into sys_outbox (channel, payload, created_at) select 'toast', '{}', ${at} from n`,
  },
  sys_revision: {
    job: pruneExpired,
    insert: (at) => sql`insert into sys_revision (model, res_id, version, changed, created_at)
      select 'core.tag', n, 1, '{}', ${at} from n`,
  },
}

const LOGS = Object.keys(KINDS) as readonly Log[]

/** Adds rows with the latest time of the slot that began `age` slots ago. */
const add = (log: Log, rows: number, age: number) => {
  const { seconds } = SLOTS[log]
  const ended = sql`to_timestamp((floor(extract(epoch from now()) / ${seconds}) - ${age - 1}) * ${seconds} - 1)`
  const at = sql`least(now(), ${ended})`
  return sql`with n as (select generate_series(1, ${rows}) as n) ${KINDS[log].insert(at)}`.execute(people.database.db)
}

/** The age of the rows in slots. */
async function agesOf(log: Log): Promise<number[]> {
  const slotOf = (at: Sql) => sql`floor(extract(epoch from ${at}) / ${SLOTS[log].seconds})`
  const { rows } = await sql<{ age: number }>`
    select distinct (${slotOf(sql`now()`)} - ${slotOf(sql.ref(SLOTS[log].at))})::int as age
    from ${sql.table(log)} order by 1`.execute(people.database.db)
  return rows.map(({ age }) => age)
}

/** Runs `work` on an empty log; repeats it if the next slot began meanwhile. */
async function withinOneSlot<T>(log: Log, work: () => Promise<T>): Promise<T> {
  const { slots, seconds } = SLOTS[log]
  const { db } = people.database
  const current = async () =>
    (await sql<{ slot: number }>`select svc_slot(clock_timestamp(), ${seconds}, ${slots}) as slot`.execute(db)).rows[0]!
      .slot
  for (;;) {
    const began = await current()
    await sql`delete from ${sql.table(log)}`.execute(db)
    const found = await work()
    if ((await current()) === began) return found
  }
}

test('logs are partitioned into the slots that are emptied', async () => {
  const { rows } = await sql<{ log: string; key: string; slots: number }>`
    select partrelid::regclass::text as log, pg_get_partkeydef(partrelid) as key,
      (select count(*)::int from pg_inherits where inhparent = partrelid) as slots
    from pg_partitioned_table order by 1`.execute(people.database.db)
  expect(rows).toEqual(
    LOGS.map((log) => {
      const { at, seconds, slots } = SLOTS[log]
      return { log, key: `LIST (svc_slot(${at}, ${seconds}, ${slots}))`, slots }
    }),
  )
})

test.each(LOGS)(
  '%s loses its oldest slot at once, and no younger row, also if it was not emptied before',
  async (log) => {
    const ages = Array.from({ length: 2 * SLOTS[log].slots }, (_, age) => age)
    await withinOneSlot(log, async () => {
      for (const age of ages) await add(log, 3_000, age)
      await run(KINDS[log].job)
    })
    // The oldest slot, and what was left in it a turn before.
    expect(await agesOf(log)).toEqual(ages.filter((age) => (age + 1) % SLOTS[log].slots !== 0))
    const { rows } = await sql<{ bytes: number }>`select min(pg_relation_size(inhrelid))::int as bytes
    from pg_inherits where inhparent = ${log}::regclass`.execute(people.database.db)
    expect(rows[0]!.bytes).toBe(0)
  },
)

test.each(LOGS)('%s loses all slots that have only old rows', async (log) => {
  const { slots } = SLOTS[log]
  const left = await withinOneSlot(log, async () => {
    for (const age of [0, ...Array.from({ length: slots }, (_, index) => 2 * slots + index)]) await add(log, 1, age)
    await run(KINDS[log].job)
    return agesOf(log)
  })
  // Rows in the current slot stay until its next turn.
  expect(left).toEqual([0, 2 * slots])
})

test('a slot that is being read is left for another time', async () => {
  const counts = await withinOneSlot('sys_outbox', async () => {
    const count = async () => (await sql`select from sys_outbox`.execute(people.database.db)).rows.length
    await add('sys_outbox', 1, SLOTS.sys_outbox.slots - 1)
    const whileRead = await people.database.db.transaction().execute(async (tx) => {
      await sql`select from sys_outbox`.execute(tx)
      await run(pruneOutbox)
      return count()
    })
    await run(pruneOutbox)
    return [whileRead, await count()]
  })
  expect(counts).toEqual([1, 0])
})
