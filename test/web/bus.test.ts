import { describe, expect, test } from 'vitest'
import { type BusMessage, createBus, type RecordRef } from '../../addons/web/client/net/bus.ts'
import { collectEvents } from '../../addons/web/client/net/collect-events.ts'
import { CallError } from '../../addons/web/client/net/errors.ts'
import { onRecordChanges, type RecordChange } from '../../addons/web/client/net/record-changes.ts'
import type { Row, Rpc } from '../../addons/web/client/net/rpc.ts'
import { followBus } from '../../addons/web/client/store/live.ts'
import { createRecords, valuesOf } from '../../addons/web/client/store/records.ts'
import { fakeClock, settled } from './fake-clock.ts'

describe('events', () => {
  function setUp() {
    const clock = fakeClock()
    const world = { isHidden: false, isLoading: false, changing: new Set<string>() }
    const delivered: { at: number; messages: readonly BusMessage[] }[] = []
    const events = collectEvents({
      ...clock,
      random: () => 0.5,
      isHidden: () => world.isHidden,
      isLoading: () => world.isLoading,
      isChanging: (model) => world.changing.has(model),
      deliver: (messages) => delivered.push({ at: clock.now(), messages }),
    })
    const update = (id: number, model = 'm') => events.add({ channel: 'record.updated', payload: { model, id } })
    const idsOf = (messages: readonly BusMessage[]) => messages.map(({ payload }) => (payload as RecordRef).id)
    return { clock, world, events, update, delivered, ids: () => delivered.map(({ messages }) => idsOf(messages)) }
  }

  test('of one moment arrive together, the first almost at once, under load every 150 ms', () => {
    const { clock, update, ids, delivered } = setUp()
    update(1)
    update(2)
    clock.pass(30)
    expect(ids()).toEqual([[1, 2]])
    for (let id = 3; id < 9; id++) {
      update(id)
      clock.pass(50)
    }
    expect(ids()).toEqual([
      [1, 2],
      [3, 4, 5],
      [6, 7, 8],
    ])
    expect(delivered.map(({ at }) => at)).toEqual([20, 170, 320])
  })

  test('that make many clients load again are spread', () => {
    const { clock, events, delivered } = setUp()
    events.add({ channel: 'model.changed', payload: { model: 'm' } })
    clock.pass(300)
    expect(delivered.map(({ at }) => at)).toEqual([95])
  })

  test('wait while the page is hidden, and become one resync if there are too many', () => {
    const { clock, world, events, update, delivered, ids } = setUp()
    world.isHidden = true
    update(1)
    clock.pass(60_000)
    expect(ids()).toEqual([])
    world.isHidden = false
    events.resume()
    clock.pass(1_000)
    expect(ids()).toEqual([[1]])
    world.isHidden = true
    events.add({ channel: 'toast', payload: { level: 'info', text: 'Hi' } })
    for (let id = 0; id < 600; id++) update(id)
    world.isHidden = false
    events.resume()
    clock.pass(1_000)
    const { messages } = delivered.at(-1)!
    expect(messages.slice(0, 2).map(({ channel }) => channel)).toEqual(['toast', 'resync'])
    expect(messages.length).toBeLessThan(200)
  })

  test('wait for the view that is being loaded', () => {
    const { clock, world, update, ids } = setUp()
    world.isLoading = true
    update(1)
    clock.pass(500)
    expect(ids()).toEqual([])
    world.isLoading = false
    clock.pass(100)
    expect(ids()).toEqual([[1]])
  })

  test('of own changes are marked, also if they arrive before the answer; each change marks one', () => {
    const { clock, world, events, update, delivered } = setUp()
    world.changing.add('m')
    update(1)
    update(9, 'other')
    clock.pass(30)
    events.expectEcho('m', [1])
    world.changing.clear()
    clock.pass(400)
    update(1)
    clock.pass(400)
    events.expectEcho('m', [1])
    clock.pass(10_000)
    update(1)
    clock.pass(400)
    const marks = delivered.flatMap(({ messages }) => messages.map(({ payload, isOwn = false }) => [payload, isOwn]))
    expect(marks).toEqual([
      [{ model: 'other', id: 9 }, false],
      [{ model: 'm', id: 1 }, true],
      [{ model: 'm', id: 1 }, false],
      [{ model: 'm', id: 1 }, false],
    ])
  })

  test('of a model wait for a slow answer no longer than two seconds', () => {
    const { clock, world, update, ids } = setUp()
    world.changing.add('m')
    update(1)
    clock.pass(2_100)
    expect(ids()).toEqual([[1]])
  })
})

describe('changes to records', () => {
  const heard = (messages: readonly BusMessage[]) => {
    const bus = createBus()
    const calls: (readonly RecordChange[] | null)[] = []
    onRecordChanges(bus, ['m'], (changes) => calls.push(changes))
    bus.deliver(messages)
    return calls
  }
  const event = (kind: string, id: number, fields?: string[], isOwn = false) => ({
    channel: `record.${kind}`,
    payload: { model: 'm', id, ...(fields && { fields }) },
    isOwn,
  })

  test('are reported once per record', () => {
    expect(
      heard([
        event('created', 1),
        event('updated', 1, ['a']),
        event('updated', 2, ['a'], true),
        event('updated', 2, ['b']),
        event('updated', 3, ['a'], true),
        event('deleted', 3),
        { channel: 'record.updated', payload: { model: 'other', id: 4 } },
        { channel: 'chatter.posted', payload: { model: 'm', id: 5, message_id: 1 } },
      ]),
    ).toEqual([
      [
        { model: 'm', id: 1, fields: ['a'], kind: 'created', isOwn: false },
        { model: 'm', id: 2, fields: ['a', 'b'], kind: 'updated', isOwn: false },
        { model: 'm', id: 3, kind: 'deleted', isOwn: false },
      ],
    ])
  })

  test('are not listed if they are too many or unknown', () => {
    expect(heard(Array.from({ length: 201 }, (_, id) => event('updated', id)))).toEqual([null])
    expect(heard([{ channel: 'resync', payload: {} }, event('updated', 1)])).toEqual([null])
    expect(heard([{ channel: 'model.changed', payload: { model: 'm' } }])).toEqual([null])
    expect(heard([{ channel: 'model.changed', payload: { model: 'other' } }])).toEqual([])
  })
})

describe('records on screen', () => {
  const ME = 7

  function setUp(read: (id: number) => Row | null) {
    const asked: unknown[] = []
    const rpc: Rpc = {
      // Not asked in this test.
      call: () => Promise.reject(new Error('unexpected')),
      async read(model, ids, fields) {
        asked.push([model, ids, fields])
        return ids.map((id) => {
          const row = read(id)
          if (!row) throw new CallError('NOT_FOUND', 'gone')
          return row
        })
      },
      post: () => Promise.reject(new Error('unexpected')),
      onChanged: () => () => undefined,
      isChanging: () => false,
      expectNews: () => undefined,
    }
    const records = createRecords()
    const bus = createBus()
    followBus(bus, rpc, records, ME)
    const update = (...ids: number[]) =>
      bus.deliver(ids.map((id) => ({ channel: 'record.updated', payload: { model: 'm', id } })))
    return { records, bus, asked, update }
  }

  test('are read again when they change, in one call, and marked when they are deleted', async () => {
    const { records, bus, asked, update } = setUp((id) => ({ id, name: 'new', write_uid: [2, 'Ann'] }))
    const [entry, other] = records.put('m', [
      { id: 1, name: 'old' },
      { id: 2, name: 'same' },
    ])
    update(1, 1, 77)
    bus.deliver([{ channel: 'record.deleted', payload: { model: 'm', id: 2 } }])
    await settled()
    expect(asked).toEqual([['m', [1], ['name', 'write_uid']]])
    expect([valuesOf(entry!).value['name'], entry!.touched.value, other!.deleted.value]).toEqual(['new', 1, true])
  })

  test('are highlighted only if another user changed them', async () => {
    const { records, update } = setUp((id) => ({ id, name: 'new', write_uid: [ME, 'Me'] }))
    const [entry] = records.put('m', [{ id: 1, name: 'old' }])
    update(1)
    await settled()
    expect([valuesOf(entry!).value['name'], entry!.touched.value]).toEqual(['new', 0])
  })

  test('are read although one of them is gone', async () => {
    const { records, update } = setUp((id) => (id === 2 ? null : { id, name: 'new' }))
    const entries = records.put(
      'm',
      [1, 2, 3, 4].map((id) => ({ id, name: 'old' })),
    )
    update(1, 2, 3, 4)
    await settled()
    await settled()
    expect(entries.map((entry) => valuesOf(entry).value['name'])).toEqual(['new', 'old', 'new', 'new'])
  })
})
