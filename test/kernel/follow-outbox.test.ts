import { afterAll, beforeAll, expect, test } from 'vitest'
import { currentPosition, type LoggedEvent, readOutbox } from '../../kernel/live/follow-outbox.ts'
import { type Position, parsePosition, positionText } from '../../kernel/live/position.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { connectDatabase, type Database } from '../../runtime/postgres/database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { randomOf } from '../support/seeded-random.ts'
import { repeats } from '../support/soak.ts'

let own: TestDatabase
let writers: Database

beforeAll(async () => {
  own = await createDatabase()
  writers = connectDatabase({ dsn: own.dsn, maxConnections: 20, applicationName: 'writers', connectWaitMs: 60_000 })
  await sql`create table account (id int primary key, version int not null)`.execute(own.db)
  await sql`insert into account select n, 0 from generate_series(1, 12) n`.execute(own.db)
})
afterAll(async () => {
  await writers.close()
  await own.drop()
})

const emit = (payload: object) =>
  sql`insert into sys_outbox (channel, payload) values ('record.updated', ${JSON.stringify(payload)}::jsonb)`

/** Follows from position to position until told to stop, as a process does. */
function follow(from: Position) {
  const seen: LoggedEvent[] = []
  let isStopped = false
  const run = async () => {
    let position = from
    for (let last = false; !last; ) {
      last = isStopped
      const page = await readOutbox(own.db, position)
      expect(page.isLost).toBe(false)
      seen.push(...page.events)
      position = page.position
    }
    return seen
  }
  const ended = run()
  return {
    stop: () => {
      isStopped = true
      return ended
    },
  }
}

test('every committed event reaches each of three followers once, in the order of its record, beside rollbacks and an open transaction', async () => {
  const position = await currentPosition(own.db)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const foreign = writers.db.transaction().execute(async (tx) => {
    await sql`select pg_current_xact_id()`.execute(tx)
    await held
  })
  const followers = Array.from({ length: 3 }, () => follow(position))
  const committed: string[] = []
  await Promise.all(
    Array.from({ length: 16 }, async (_, writer) => {
      const random = randomOf(writer)
      for (let round = 0; round < repeats(25, 1_250); round++) {
        const id = 1 + Math.floor(random() * 12)
        const work = writers.db.transaction().execute(async (tx) => {
          // Some transactions get their number long before they write.
          if (random() < 0.3) await sql`select pg_current_xact_id()`.execute(tx)
          if (random() < 0.2) await sql`savepoint before`.execute(tx)
          const { rows } = await sql<{ version: number }>`update account set version = version + 1 where id = ${id}
            returning version`.execute(tx)
          const { version } = rows[0]!
          await emit({ model: 'account', id, version }).execute(tx)
          if (random() < 0.1) throw new Error('rolled back')
          return `${id}/${version}`
        })
        await work.then(
          (name) => committed.push(name),
          (error: Error) => expect(error.message).toBe('rolled back'),
        )
      }
    }),
  )
  const all = await Promise.all(followers.map(({ stop }) => stop()))
  release()
  await foreign
  for (const seen of all) {
    const names = seen.map(({ payload }) => `${payload['id']}/${payload['version']}`)
    expect(names.toSorted()).toEqual(committed.toSorted())
    const last = new Map<unknown, number>()
    for (const { payload } of seen) {
      expect(Number(payload['version'])).toBeGreaterThan(last.get(payload['id']) ?? 0)
      last.set(payload['id'], Number(payload['version']))
    }
  }
})

test('an interval of any size is read in pages', async () => {
  const position = await currentPosition(own.db)
  await sql`insert into sys_outbox (channel, payload) select 'many', jsonb_build_object('n', n) from generate_series(1, 2_500) n`.execute(
    own.db,
  )
  const { events } = await readOutbox(own.db, position)
  expect(events.map(({ payload }) => payload['n'])).toEqual(Array.from({ length: 2_500 }, (_, i) => i + 1))
})

test('nothing is new at the current position', async () => {
  const position = await currentPosition(own.db)
  expect(await readOutbox(own.db, position)).toMatchObject({ events: [], isLost: false })
})

test('a position of another history, of a server that was ahead, or from long ago is lost', async () => {
  const position = await currentPosition(own.db)
  const lost = [
    { ...position, history: '000000FF.1' },
    { ...position, snapshot: '99999999:99999999:' },
    { ...position, at: position.at - 3_600 },
  ]
  for (const each of lost) expect(await readOutbox(own.db, each)).toMatchObject({ events: [], isLost: true })
})

test('who asks for more missed events than are sent later is told so, and none beyond a position are read', async () => {
  const before = await currentPosition(own.db)
  const many = sql`insert into sys_outbox (channel, payload) select 'some', '{}' from generate_series(1, 5)`
  await many.execute(own.db)
  const until = await currentPosition(own.db)
  await many.execute(own.db)
  const names = async (options: object) => (await readOutbox(own.db, before, options)).events.length
  expect(await names({ until })).toBe(5)
  expect(await names({})).toBe(10)
  expect(await readOutbox(own.db, before, { until, max: 4 })).toMatchObject({ events: [], isLost: true })
})

test('a position is read from its text, and what PostgreSQL would refuse is none', async () => {
  const position = await currentPosition(own.db)
  expect(parsePosition(positionText(position))).toEqual(position)
  const open = '00000001.16400/10:20:10,12,19/1763000000'
  expect(positionText(parsePosition(open)!)).toBe(open)
  const wrong = ['', 'x', '00000001.1/20:10:/1', '00000001.1/10:20:9/1', '00000001.1/10:20:20/1', '00000001.1/0:20:/1']
  const hostile = [`00000001.1/10:20:${'11,'.repeat(2_000)}12/1`, "00000001.1/10:20:'/1", '00000001.1/10:20:12,11/1']
  expect([...wrong, ...hostile].map(parsePosition)).toEqual([...wrong, ...hostile].map(() => null))
})

test('rows restored from a dump, whose transaction numbers are of another server, are not new', async () => {
  const position = await currentPosition(own.db)
  await sql`insert into sys_outbox (xid, channel, payload) values ('99999999'::xid8, 'restored', '{}')`.execute(own.db)
  for (let poll = 0; poll < 5; poll++) expect((await readOutbox(own.db, position)).events).toEqual([])
})
