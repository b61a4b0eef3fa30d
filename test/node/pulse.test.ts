import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Db } from '../../kernel/sql/database.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { openDatabase } from '../../runtime/node/database/database.ts'
import { Pulse } from '../../runtime/postgres/pulse.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { useOwnDatabase } from '../support/own-database.ts'

const { own } = useOwnDatabase('pulse-test')
const TICK_MS = 500
const STATEMENTS = 20
const toClose: (() => unknown)[] = []

// Only the intervals are simulated: the network and the timeouts of the test are real.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(async () => {
  for (const close of toClose.splice(0)) await close()
  vi.useRealTimers()
})

const tick = (times: number) => void vi.advanceTimersByTime(times * TICK_MS)

/** A server that sends this much to each connection, and then nothing more. */
async function startServer(words = '') {
  const sockets = new Set<Socket>()
  /** Connections: all so far, open now, the most at once, and those that have got everything. */
  const seen = { all: 0, open: 0, most: 0, told: 0 }
  const server = createServer((socket) => {
    sockets.add(socket)
    seen.all++
    seen.most = Math.max(seen.most, ++seen.open)
    socket.on('error', () => {}).on('close', () => seen.open--)
    socket.once('data', () => socket.write(words, 'latin1', () => seen.told++))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  toClose.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return { dsn: `postgresql://modulus@127.0.0.1:${port}/modulus`, seen }
}

/** Statements that wait for an answer. */
function wait(pulse: Pulse, processId: number | null = 1, count = STATEMENTS) {
  const waiting = { received: 0, cut: 0, ends: [] as ((isAnswered: boolean) => void)[] }
  waiting.ends = Array.from({ length: count }, () =>
    pulse.watch({ processId, received: () => waiting.received, unsent: () => 0, cut: () => waiting.cut++ }),
  )
  toClose.push(() => {
    for (const end of waiting.ends) end(false)
  })
  return waiting
}

const pulseOf = (dsn: string) => new Pulse({ dsn, applicationName: 'pulse-test' })

describe('statements that get no answer', () => {
  test('are given up within five seconds when the network is silent, after one question for all of them', async () => {
    const { dsn, seen } = await startServer()
    const waiting = wait(pulseOf(dsn))
    tick(3)
    expect(seen.all).toBe(0)
    tick(1)
    await expect.poll(() => seen.all).toBe(1)
    tick(3)
    await expect.poll(() => waiting.cut).toBe(STATEMENTS)
    expect(seen.all).toBe(1)
  })

  test('are given up when the server does not answer any more', async () => {
    const waiting = wait(pulseOf('postgresql://modulus@127.0.0.1:9/modulus'))
    tick(4)
    await expect.poll(() => waiting.cut).toBe(STATEMENTS)
  })

  test.each([
    ['a new connection gets as much as a byte, however long the rest takes', 'R', 3],
    ['the server has no connection left', 'E\0\0\0\x24SFATAL\0C53300\0Mtoo many clients\0\0', 0],
  ])('go on when %s', async (_, words, ticks) => {
    const { dsn, seen } = await startServer(words)
    const waiting = wait(pulseOf(dsn))
    for (let question = 1; question <= 3; question++) {
      tick(4)
      await expect.poll(() => seen.told).toBe(question)
      // The bytes have left the server; two turns of the loop later they have been read.
      for (let turn = 0; turn < 2; turn++) await setImmediate()
      tick(ticks)
      await expect.poll(() => seen.open).toBe(0)
    }
    expect([waiting.cut, seen.all, seen.most]).toEqual([0, 3, 1])
  })

  test('go on while others get theirs, though new connections get none', async () => {
    const { dsn, seen } = await startServer()
    const pulse = pulseOf(dsn)
    const waiting = wait(pulse)
    await expect
      .poll(() => {
        tick(1)
        pulse.watch({ processId: 2, received: () => 0, unsent: () => 0, cut: () => {} })(true)
        return seen.all
      })
      .toBeGreaterThanOrEqual(3)
    expect([waiting.cut, seen.most]).toEqual([0, 1])
  })

  test('take every connection of the process with them, which would keep its next caller waiting as long', async () => {
    const proxy = await startFaultProxy(own().dsn)
    toClose.push(proxy.close)
    const databases = openDatabase({ dsn: proxy.dsn, maxConnections: 2, applicationName: 'modulus-gone' })
    const { db, system, auth, rate } = databases
    for (const each of [db, system, auth, rate]) await sql`select 1`.execute(each)
    const { opened } = proxy
    proxy.silent = true
    const late = sql`select 1`.execute(db).catch((error) => error.code)
    tick(4)
    await expect.poll(() => proxy.opened).toBe(opened + 1)
    const young = sql`select 1`.execute(system).catch((error) => error.code)
    tick(3)
    expect([await late, await young]).toEqual(['08006', '08006'])
    const open = () => Object.values(databases.stats()).map((pool) => pool.open)
    await expect.poll(open).toEqual([0, 0, 0, 0])
    await databases.close()
  })

  test('are not checked while bytes of the answer arrive', async () => {
    const { dsn, seen } = await startServer()
    const waiting = wait(pulseOf(dsn))
    for (let times = 0; times < 20; times++) {
      waiting.received++
      tick(1)
    }
    expect(seen.all).toBe(0)
  })
})

describe('a server that answers', () => {
  /** This many ticks, the last of which makes the pulse ask; waits for the answer. */
  async function ask(proxy: FaultProxy, ticks: number): Promise<void> {
    const { opened, open } = proxy
    tick(ticks)
    await expect.poll(() => [proxy.opened, proxy.open]).toEqual([opened + 1, open])
  }

  test('keeps what it works on, and gives up a connection on which it has nothing to do', async () => {
    const proxy = await startFaultProxy(own().dsn)
    toClose.push(proxy.close)
    const databases = openDatabase({ dsn: own().dsn, maxConnections: 2, applicationName: 'modulus-pulse' })
    const pid = async (db: Db) =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid ?? 0
    const pulse = pulseOf(proxy.dsn)
    await databases.db.connection().execute(async (db) => {
      const busyPid = await pid(db)
      const slow = sql`select pg_sleep(60)`.execute(db).catch(() => 'cancelled')
      const busy = wait(pulse, busyPid, 1)
      const idle = wait(pulse, await pid(databases.system), 1)
      await ask(proxy, 4)
      expect([busy.cut, idle.cut]).toEqual([0, 0])
      // It was forgotten once: the next question follows at once.
      await ask(proxy, 1)
      expect([busy.cut, idle.cut]).toEqual([0, 1])
      await sql`select pg_cancel_backend(${busyPid})`.execute(own().db)
      expect(await slow).toBe('cancelled')
    })
    await databases.close()
  })

  test('is asked over one connection at a time for all pools of a process', async () => {
    const proxy = await startFaultProxy(own().dsn)
    toClose.push(proxy.close)
    const databases = openDatabase({ dsn: proxy.dsn, maxConnections: 6, applicationName: 'modulus-all' })
    const slow = [databases.db, databases.system, databases.auth].flatMap((db) =>
      Array.from({ length: 4 }, () => sql`select pg_sleep(60)`.execute(db).catch(() => 'cancelled')),
    )
    const sleeping = sql`from pg_stat_activity where application_name like 'modulus-all%' and wait_event = 'PgSleep'`
    await expect.poll(async () => (await sql`select ${sleeping}`.execute(own().db)).rows).toHaveLength(12)
    const before = proxy.opened
    await ask(proxy, 4)
    await sql`select pg_cancel_backend(pid) ${sleeping}`.execute(own().db)
    expect(await Promise.all(slow)).toEqual(slow.map(() => 'cancelled'))
    expect(proxy.opened).toBe(before + 1)
    await databases.close()
  })
})
