import { afterAll, beforeAll, expect, test } from 'vitest'
import { currentPosition, type LoggedEvent, readOutbox } from '../../kernel/live/follow-outbox.ts'
import { type Position, parsePosition, positionText } from '../../kernel/live/position.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { inversionsOf, writeEvents } from '../support/outbox-writers.ts'
import { repeats } from '../support/soak.ts'

let own: TestDatabase

beforeAll(async () => {
  own = await createDatabase()
})
afterAll(() => own.drop())

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
  const followers = Array.from({ length: 3 }, () => follow(position))
  const { committed, end } = await writeEvents(own.dsn, repeats(400, 20_000))
  const all = await Promise.all(followers.map(({ stop }) => stop()))
  await end()
  for (const seen of all) {
    const names = seen.map(({ payload }) => String(payload['name']))
    expect(names.toSorted()).toEqual(committed.toSorted())
    expect(inversionsOf(names)).toEqual([])
  }
})

test('an interval of any size is read in pages', async () => {
  const position = await currentPosition(own.db)
  await sql`insert into sys_outbox (channel, payload) select 'many', jsonb_build_object('n', n) from generate_series(1, 2500) n`.execute(
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

test('more missed events than can be replayed are answered as lost, and none beyond a position are read', async () => {
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
