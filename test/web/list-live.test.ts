import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type Bus, createBus } from '../../addons/web/client/net/bus.ts'
import { services } from '../../addons/web/client/services.ts'
import { createEditing } from '../../addons/web/client/views/list/edit/editing.ts'
import { hideRecords } from '../../addons/web/client/views/list/model/list-ids.ts'
import { followList } from '../../addons/web/client/views/list/model/live.ts'
import { settled } from './fake-clock.ts'
import { useList } from './list-fixture.ts'

const said = vi.hoisted(() => [] as string[])
vi.mock(import('../../addons/web/client/ui/announce.ts'), () => ({ announce: (text: string) => void said.push(text) }))

const world = useList()
let bus: Bus

beforeEach(() => {
  bus = createBus()
  Object.assign(services(), { bus })
})

/** A list of two records, as sorted by name; `rows` are what the server finds of those that changed. */
function follow(rows: readonly Record<string, unknown>[], { isBusy = true } = {}) {
  const model = world.open({ listSort: 'name' })
  world.search = () => rows
  const live = followList(model, createEditing(model), () => isBusy)
  const say = (kind: string, id: number, options: { fields?: string[]; isOwn?: boolean } = {}) => {
    const { isOwn = false, ...rest } = options
    bus.deliver([{ channel: `record.${kind}`, payload: { model: 'project.task', id, ...rest }, isOwn }])
    return settled()
  }
  const kinds = () => live.updates.value.map(({ id, kind, name }) => [id, kind, name])
  return { model, live, say, kinds }
}

describe('a list in which the user works', () => {
  test('offers rows that are new, moved, gone or deleted, and moves none by itself', async () => {
    const { model, say, kinds } = follow([
      { id: 1, name: 'One more', display_name: 'One more', write_uid: [3, 'Ann'] },
      { id: 5, name: 'Five', display_name: 'Five' },
    ])
    await say('updated', 1)
    expect(kinds()).toEqual([[1, 'moved', 'One more']])
    await say('created', 5)
    await say('updated', 2)
    expect(kinds()).toEqual([
      [2, 'gone', 'Two'],
      [5, 'new', 'Five'],
      [1, 'moved', 'One more'],
    ])
    await say('deleted', 2)
    await say('deleted', 77)
    expect(kinds().slice(0, 1)).toEqual([[2, 'deleted', 'Two']])
    expect(model.list.ids.value.value).toEqual([1, 2])
  })

  test('names who changed a row, also one that leaves the filter, as soon as it is read again', async () => {
    const { model, live, say } = follow([])
    services().records.put('project.task', [{ id: 2, name: 'Two', write_uid: [3, 'Ann'] }])
    await say('updated', 2)
    const [gone] = live.updates.value
    services().records.put('project.task', [{ id: 2, name: 'Two', write_uid: [4, 'Ben'] }], { isRemote: true })
    expect([gone?.kind, gone?.by()]).toEqual(['gone', [4, 'Ben']])
    bus.deliver([{ channel: 'resync', payload: {} }])
    await settled()
    await settled()
    expect(new Set(live.updates.value.map(({ by }) => by()))).toEqual(new Set([null]))
    expect(model.list.ids.value.value).toEqual([1, 2])
  })

  test('offers nothing for values that change in place, records of others, and own changes', async () => {
    const { say, kinds } = follow([{ id: 1, name: 'One', display_name: 'One', write_uid: [3, 'Ann'] }])
    said.length = 0
    await say('updated', 1, { fields: ['planned'] })
    await say('updated', 9)
    await say('created', 9, { isOwn: true })
    expect(kinds()).toEqual([])
    expect(said[0]).toBe('Ann changed One')
  })

  test('offers nothing for rows that the user has just deleted and may bring back', async () => {
    const { model, say, kinds } = follow([{ id: 1, name: 'One', display_name: 'One' }])
    const show = hideRecords(model.lists(), new Set([1]))
    await say('created', 1)
    await say('updated', 1, { fields: ['planned'] })
    await say('deleted', 1, { isOwn: true })
    expect(kinds()).toEqual([])
    show()
  })

  test('shows them when asked, and keeps the cursor on its record', async () => {
    const { model, live, say, kinds } = follow([{ id: 5, name: 'Five' }])
    model.cursor.value = { line: 1, column: 1 }
    await say('created', 5)
    world.count = 3
    world.search = () => [
      { id: 5, name: 'Five' },
      { id: 1, name: 'One' },
      { id: 2, name: 'Two' },
    ]
    live.apply()
    await settled()
    await settled()
    expect([kinds(), model.list.ids.value.value, model.cursor.value.line]).toEqual([[], [5, 1, 2], 2])
  })

  test('offers no longer what the rows show since the user changed them, also if it was found while they were read', async () => {
    const { model, say, kinds } = follow([{ id: 5, name: 'Five' }])
    await say('updated', 2)
    expect(kinds()).toEqual([[2, 'gone', 'Two']])
    world.count = 1
    world.search = () => [{ id: 1, name: 'One' }]
    const reading = model.refresh()
    void say('deleted', 2)
    await reading
    expect([kinds(), model.list.ids.value.value]).toEqual([[], [1]])
    await say('deleted', 2)
    expect(kinds()).toEqual([])
  })

  test('keeps offering what the rows do not show because they could not be read again', async () => {
    const { model, live, say, kinds } = follow([])
    await say('updated', 2)
    world.search = () => {
      throw new Error('503')
    }
    await model.refresh()
    expect([kinds(), model.list.ids.value.value]).toEqual([[[2, 'gone', 'Two']], [1, 2]])
    live.apply()
    await settled()
    expect(kinds()).toEqual([[2, 'gone', 'Two']])
    world.search = () => [{ id: 1, name: 'One' }]
    world.count = 1
    live.apply()
    await settled()
    await settled()
    expect([kinds(), model.list.ids.value.value]).toEqual([[], [1]])
  })

  test('keeps offering new records that a page brings which was loaded after the total', async () => {
    const rows = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, at) => ({ id: from + at, name: `n${from + at}`, display_name: '' }))
    const model = world.open({ listSort: 'name', listTotal: 100, records: rows(1, 80) })
    const live = followList(model, createEditing(model), () => true)
    world.search = () => rows(101, 102)
    for (const id of [101, 102])
      bus.deliver([{ channel: 'record.created', payload: { model: 'project.task', id }, isOwn: false }])
    await settled()
    world.search = () => rows(81, 102)
    await model.list.ensure(70, 100)
    expect(model.layout.value.count).toBe(100)
    expect(live.updates.value.map(({ id }) => id).toSorted()).toEqual([101, 102])
    world.count = 102
    await model.refresh()
    expect([live.updates.value, model.layout.value.count]).toEqual([[], 102])
  })

  test('reads visible rows again when anything may have changed, and counts new ones', async () => {
    const { live, model } = follow([{ id: 1, name: 'First', write_uid: [3, 'Ann'] }])
    world.count = 4
    bus.deliver([{ channel: 'resync', payload: {} }])
    await settled()
    await settled()
    expect(live.updates.value.map(({ kind }) => kind)).toEqual(['gone', 'new', 'new', 'new'])
    expect(model.entryOf(1).values.base.value['name']).toBe('First')
  })
})

test('a list in which the user is not working shows them at once, with one load', async () => {
  const { model, say, kinds } = follow([{ id: 5, name: 'Five' }], { isBusy: false })
  world.count = 1
  const before = world.asked('search_read').length
  bus.deliver([{ channel: 'model.changed', payload: { model: 'project.task' } }])
  await settled()
  await settled()
  expect([kinds(), model.list.ids.value.value, world.asked('search_read').length - before]).toEqual([[], [5], 1])
  await say('created', 5)
  expect(kinds()).toEqual([])
})

test('a list in which the user is not working keeps leaving rows for a moment, and counts without them', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  const { model, say, kinds } = follow([], { isBusy: false })
  world.count = 1
  await say('updated', 2)
  expect([kinds(), model.list.ids.value.value]).toEqual([[[2, 'gone', 'Two']], [1, 2]])
  world.search = () => [{ id: 1, name: 'One' }]
  vi.advanceTimersByTime(4_000)
  await settled()
  await settled()
  expect([kinds(), model.list.ids.value.value, model.list.total.value]).toEqual([[], [1], 1])
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
