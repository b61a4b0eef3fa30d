import { signal } from '@preact/signals'
import { describe, expect, test } from 'vitest'
import type { BusMessage, RecordRef } from '../../addons/web/client/net/bus.ts'
import {
  type BusSocketEvents,
  openConnection,
  type PollAnswer,
  reconnectMs,
} from '../../addons/web/client/net/bus-connection.ts'
import { fakeClock, settled } from './fake-clock.ts'

describe('the connection', () => {
  function setUp({ hasSockets = true } = {}) {
    const clock = fakeClock()
    const sockets: { events: BusSocketEvents; sent: string[]; isClosed: boolean }[] = []
    const received: BusMessage[] = []
    const polled: string[] = []
    const present = signal<RecordRef | null>(null)
    const world = { isHidden: false, answer: { events: [], seq: 'p1' } as PollAnswer | Error }
    const connection = openConnection({
      connect: hasSockets
        ? (events) => {
            const socket = { events, sent: [] as string[], isClosed: false }
            sockets.push(socket)
            return {
              send: (text) => void socket.sent.push(text),
              close: () => Object.assign(socket, { isClosed: true }),
            }
          }
        : null,
      since: 'page',
      async poll(since) {
        polled.push(since)
        if (world.answer instanceof Error) throw world.answer
        return world.answer
      },
      ...clock,
      random: () => 0.5,
      isHidden: () => world.isHidden,
      present,
      onMessage: (message) => received.push(message),
    })
    const say = (channel: string, payload: object, seq?: string) =>
      sockets.at(-1)!.events.onMessage(JSON.stringify({ channel, payload, ...(seq !== undefined && { seq }) }))
    const greet = (seq: string) => {
      sockets.at(-1)!.events.onOpen()
      say('hello', {}, seq)
    }
    return { clock, sockets, received, polled, present, world, connection, say, greet }
  }

  test('asks for what came after the page, and after the last message when it connects again', () => {
    const { clock, sockets, connection, received, say, greet } = setUp()
    greet('7:1')
    expect([connection.state.value.kind, sockets[0]!.sent, received]).toEqual(['live', ['{"since":"page"}'], []])
    say('replayed', {}, '7:1')
    sockets[0]!.events.onClose(1006)
    clock.pass(reconnectMs(0, 0.5))
    greet('9:4')
    expect(sockets[1]!.sent).toEqual(['{"since":"7:1"}'])
    say('replayed', {}, '9:1')
    say('record.updated', { model: 'm', id: 1 }, '9:2')
    say('position', {}, '9:4')
    sockets[1]!.events.onClose(1012)
    clock.pass(reconnectMs(0, 0.5))
    sockets[2]!.events.onOpen()
    expect(sockets[2]!.sent).toEqual(['{"since":"9:4"}'])
    expect(received).toEqual([{ channel: 'record.updated', payload: { model: 'm', id: 1 } }])
  })

  test('is tried again within three seconds at first, each time at another moment', () => {
    for (let failures = 0; failures < 8; failures++)
      expect([reconnectMs(failures, 0), reconnectMs(failures, 1) > 900, reconnectMs(failures, 1) <= 3_000]).toEqual([
        ...[500, true, true],
      ])
  })

  test('waits longer and longer, and longer at once for a server that wants fewer connections', () => {
    const { clock, sockets, connection, greet } = setUp()
    for (let tries = 0; tries < 8; tries++) {
      sockets.at(-1)!.events.onClose(1006)
      expect(Math.min(...clock.pending())).toBeLessThanOrEqual(15_000)
      clock.pass(15_000)
    }
    expect([reconnectMs(10, 1), sockets.length]).toEqual([15_000, 9])
    greet('1')
    sockets.at(-1)!.events.onClose(1013)
    expect(Math.min(...clock.pending())).toBe(reconnectMs(8, 0.5))
    connection.close()
    clock.pass(60_000)
    expect(sockets).toHaveLength(9)
  })

  test('asks for the session when its own is over, and goes on if the browser has another one', async () => {
    const { clock, sockets, polled, world, greet } = setUp()
    greet('1')
    world.answer = new Error('signed out')
    sockets[0]!.events.onClose(4401)
    clock.pass(reconnectMs(0, 0.5))
    await settled()
    expect([polled.length, sockets.length]).toEqual([1, 1])
    world.answer = { events: [], seq: '1' }
    clock.pass(reconnectMs(1, 0.5))
    await settled()
    expect([polled.length, sockets.length]).toEqual([2, 2])
  })

  test('asks again for what it missed when the connection is lost before that came', () => {
    const { clock, sockets, received, say, greet } = setUp()
    greet('7:1')
    say('record.updated', { model: 'm', id: 1 }, '7:2')
    say('position', {}, '7:2')
    sockets[0]!.events.onClose(1012)
    clock.pass(reconnectMs(0, 0.5))
    greet('7:3')
    expect(sockets[1]!.sent).toEqual(['{"since":"page"}'])
    say('resync', {}, '7:3')
    sockets[1]!.events.onClose(1012)
    clock.pass(reconnectMs(0, 0.5))
    sockets[2]!.events.onOpen()
    expect(sockets[2]!.sent).toEqual(['{"since":"7:3"}'])
    expect(received.map(({ channel }) => channel)).toEqual(['record.updated', 'resync'])
  })

  test('polls with the same position where sockets do not get through, until one does', async () => {
    const { clock, sockets, received, polled, world, connection, say, greet } = setUp()
    greet('5')
    say('replayed', {}, '5')
    world.answer = { events: [{ channel: 'model.changed', payload: { model: 'm' } }], seq: '6' }
    for (let tries = 0; tries < 3; tries++) {
      sockets.at(-1)!.events.onClose(1006)
      if (tries < 2) clock.pass(2_000)
    }
    await settled()
    expect([polled, connection.state.value.kind, received.length]).toEqual([['5'], 'polling', 1])
    world.answer = { resync: true, seq: '9' }
    clock.pass(5_000)
    await settled()
    expect([polled, received.at(-1)]).toEqual([['5', '6'], { channel: 'resync', payload: {} }])
    greet('9')
    expect(sockets.at(-1)!.sent).toEqual(['{"since":"9"}'])
    clock.pass(20_000)
    await settled()
    expect([polled.length, connection.state.value.kind]).toEqual([2, 'live'])
  })

  test('only polls a server without sockets, while the page is visible', async () => {
    const { clock, sockets, polled, world, connection } = setUp({ hasSockets: false })
    await settled()
    world.isHidden = true
    clock.pass(5_000)
    await settled()
    clock.pass(5_000)
    await settled()
    expect(polled).toEqual(['page'])
    world.isHidden = false
    connection.tryNow()
    await settled()
    world.answer = new Error('gone')
    clock.pass(5_000)
    await settled()
    expect([polled, connection.state.value.kind, sockets]).toEqual([['page', 'p1', 'p1'], 'lost', []])
  })

  test('tells which record is open, again after it was lost, and forgets who else had it open', () => {
    const { clock, sockets, present, received, greet } = setUp()
    present.value = { model: 'm', id: 3 }
    expect(sockets[0]!.sent).toEqual([])
    greet('1')
    present.value = { model: 'm', id: 4 }
    present.value = null
    expect(sockets[0]!.sent).toEqual([
      '{"since":"page"}',
      '{"present":{"model":"m","id":3}}',
      '{"present":{"model":"m","id":4}}',
      '{"present":null}',
    ])
    present.value = { model: 'm', id: 5 }
    sockets[0]!.events.onClose(1006)
    expect(received).toEqual([{ channel: 'presence', payload: { model: 'm', id: 5, users: [] } }])
    clock.pass(1_000)
    greet('1')
    expect(sockets[1]!.sent).toEqual(['{"since":"page"}', '{"present":{"model":"m","id":5}}'])
  })

  test('is tried at once when asked, and replaces a socket that may be dead', () => {
    const { sockets, connection, greet } = setUp()
    connection.tryNow()
    expect(sockets).toHaveLength(1)
    greet('1')
    connection.tryNow()
    expect(sockets).toHaveLength(1)
    connection.tryNow(true)
    expect([sockets.length, sockets[0]!.isClosed]).toEqual([2, true])
    // Messages of the old socket are ignored.
    sockets[0]!.events.onClose(1006)
    sockets[1]!.events.onClose(1006)
    connection.tryNow()
    expect(sockets).toHaveLength(3)
  })

  test('ignores data that is no message', () => {
    const { sockets, received } = setUp()
    for (const data of ['', 'null', '{"x":1}', new ArrayBuffer(1)]) sockets[0]!.events.onMessage(data)
    expect(received).toEqual([])
  })
})
