import { describe, expect, test } from 'vitest'
import { type Bus, type BusSocketEvents, createBus, reconnectMs } from '../../addons/web/client/net/bus.ts'
import type { Row, Rpc } from '../../addons/web/client/net/rpc.ts'
import { followBus } from '../../addons/web/client/store/live.ts'
import { createRecords, valuesOf } from '../../addons/web/client/store/records.ts'

function setUp() {
  const sockets: { events: BusSocketEvents; sent: string[]; isClosed: boolean }[] = []
  const timers: { run: () => void; ms: number; isStopped: boolean }[] = []
  let now = 0
  let signedOut = 0
  const bus = createBus({
    connect(events) {
      const socket = { events, sent: [] as string[], isClosed: false }
      sockets.push(socket)
      return { send: (text) => void socket.sent.push(text), close: () => Object.assign(socket, { isClosed: true }) }
    },
    setTimer(run, ms) {
      const timer = { run, ms, isStopped: false }
      timers.push(timer)
      return () => Object.assign(timer, { isStopped: true })
    },
    now: () => now,
    random: () => 0.5,
    onSignedOut: () => signedOut++,
  })
  const runTimers = () => {
    for (const timer of timers.splice(0)) if (!timer.isStopped) timer.run()
  }
  const say = (channel: string, payload: object, seq?: number) =>
    sockets.at(-1)!.events.onMessage(JSON.stringify({ channel, payload, ...(seq !== undefined && { seq }) }))
  return { bus, sockets, timers, runTimers, say, wait: (ms: number) => (now += ms), signedOut: () => signedOut }
}

describe('the bus', () => {
  const collect = (bus: Bus) => {
    const heard: unknown[] = []
    bus.on('record.updated', (events) => void heard.push(events.map(({ id }) => id)))
    return heard
  }

  test('hands over the events of one moment together', () => {
    const { bus, say, runTimers } = setUp()
    const heard = collect(bus)
    bus.open()
    say('record.updated', { model: 'm', id: 1 })
    say('record.updated', { model: 'm', id: 2 })
    expect(heard).toEqual([])
    runTimers()
    expect(heard).toEqual([[1, 2]])
  })

  test('does not repeat what this client did itself', () => {
    const { bus, say, runTimers, wait } = setUp()
    const heard = collect(bus)
    bus.open()
    bus.expectEcho('m', [1])
    say('record.updated', { model: 'm', id: 1 })
    say('record.updated', { model: 'm', id: 2 })
    runTimers()
    say('record.updated', { model: 'm', id: 1 })
    runTimers()
    bus.expectEcho('m', [1])
    wait(10_000)
    say('record.updated', { model: 'm', id: 1 })
    runTimers()
    expect(heard).toEqual([[2], [1], [1]])
  })

  test('connects again and asks for what it missed', () => {
    const { bus, sockets, timers, runTimers, say } = setUp()
    bus.open()
    sockets[0]!.events.onOpen()
    expect(sockets[0]!.sent).toEqual([])
    say('record.updated', { model: 'm', id: 1 }, 41)
    runTimers()
    sockets[0]!.events.onClose(1006)
    expect(timers[0]!.ms).toBe(reconnectMs(0, 0.5))
    runTimers()
    sockets[1]!.events.onOpen()
    expect(sockets[1]!.sent).toEqual(['{"since":41}'])
  })

  test('waits longer and longer for a server without one, and stops when told', () => {
    const { bus, sockets, timers, runTimers } = setUp()
    bus.open()
    for (let tries = 0; tries < 8; tries++) {
      sockets.at(-1)!.events.onClose(1006)
      expect(timers[0]!.ms).toBeLessThanOrEqual(15_000)
      runTimers()
    }
    expect(reconnectMs(10, 1)).toBe(15_000)
    bus.close()
    expect(sockets.at(-1)!.isClosed).toBe(true)
    runTimers()
    expect(sockets).toHaveLength(9)
  })

  test('ends with the session', () => {
    const { bus, sockets, timers, signedOut } = setUp()
    bus.open()
    sockets[0]!.events.onClose(4401)
    expect([signedOut(), timers.length]).toEqual([1, 0])
  })

  test('ignores what is no message', () => {
    const { bus, sockets, timers } = setUp()
    bus.open()
    for (const data of ['', 'null', '{"x":1}', new ArrayBuffer(1)]) sockets[0]!.events.onMessage(data)
    expect(timers).toEqual([])
  })
})

test('records on screen are read again when somebody else changes them', async () => {
  const { bus, say, runTimers } = setUp()
  const asked: unknown[] = []
  const rpc: Rpc = {
    // Not asked in this test.
    call: () => Promise.reject(new Error('unexpected')),
    async read(model, ids, fields) {
      asked.push([model, ids, fields])
      return ids.map((id): Row => ({ id, name: 'new' }))
    },
    onChanged: () => () => undefined,
  }
  const records = createRecords()
  const [entry, other] = records.put('m', [
    { id: 1, name: 'old' },
    { id: 2, name: 'same' },
  ])
  followBus(bus, rpc, records)
  bus.open()
  say('record.updated', { model: 'm', id: 1 })
  say('record.updated', { model: 'm', id: 77 })
  say('record.deleted', { model: 'm', id: 2 })
  runTimers()
  await Promise.resolve()
  await Promise.resolve()
  expect(asked).toEqual([['m', [1], ['name']]])
  expect([valuesOf(entry!).value['name'], entry!.touched.value, other!.deleted.value]).toEqual(['new', 1, true])
})
