import { signal } from '@preact/signals'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Bus, createBus } from '../../addons/web/client/net/bus.ts'
import { type ClientServices, provideServices } from '../../addons/web/client/services.ts'
import { createLayered } from '../../addons/web/client/store/layered.ts'
import { createRecords } from '../../addons/web/client/store/records.ts'
import type { Board, BoardColumn } from '../../addons/web/client/views/kanban/model/board.ts'
import { followBoard } from '../../addons/web/client/views/kanban/model/live.ts'
import type { WireField } from '../../kernel/view/wire.ts'
import { settled } from './fake-clock.ts'

const STAGE: WireField = { name: 'stage_id', type: 'many2one', label: 'Stage', relation: 'crm.stage' }

let bus: Bus
let rows: readonly Record<string, unknown>[]
/** Keys of the columns somebody works in. */
let held: ReadonlySet<string>

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  bus = createBus()
  rows = []
  held = new Set()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function follow(columns: Readonly<Record<string, readonly number[]>>) {
  const records = createRecords()
  const all = Object.entries(columns).map(([key, ids]) => ({
    key,
    ids: createLayered(ids),
    isOpened: signal(true),
  })) as unknown as BoardColumn[]
  provideServices({ bus, rpc: { call: async () => rows }, records } as unknown as ClientServices)
  const board = {
    arch: { model: 'crm.lead', fields: [STAGE], related: {}, title: null, sequence: null },
    search: signal({ domain: [] }),
    item: signal('stage_id'),
    field: signal(STAGE),
    columns: signal(all),
    column: (key: string) => all.find((each) => each.key === key),
    moved: signal(new Set()),
    entryOf: (id: number) => records.get('crm.lead', id),
    fieldNames: () => ['stage_id'],
    order: () => undefined,
    hold: vi.fn(),
    sortAgain: vi.fn(async () => undefined),
    refreshFigures: vi.fn(async () => undefined),
    reload: vi.fn(),
  } as unknown as Board
  const live = followBoard(board, ({ key }) => held.has(key))
  const say = (kind: string, id: number, isOwn = false) => {
    bus.deliver([{ channel: `record.${kind}`, payload: { model: 'crm.lead', id }, isOwn }])
    return settled()
  }
  const shown = () => Object.fromEntries(all.map(({ key, ids }) => [key, ids.value.peek()]))
  return { board, live, say, shown, kinds: () => live.updates.value.map(({ id, kind }) => [id, kind]) }
}

describe('a board', () => {
  test('moves, adds and removes cards as others do, in the order of the server', async () => {
    const { board, say, shown, kinds } = follow({ '7': [1, 2], '8': [3] })
    rows = [{ id: 1, stage_id: [8, 'Won'] }]
    await say('updated', 1)
    expect(shown()).toEqual({ '7': [2], '8': [1, 3] })
    expect(board.sortAgain).toHaveBeenCalledWith(board.columns.peek()[1])
    expect(board.moved.value).toEqual(new Set([1]))
    vi.advanceTimersByTime(700)
    expect(board.moved.value).toEqual(new Set())
    rows = [{ id: 5, stage_id: [7, 'New'] }]
    await say('created', 5)
    rows = []
    await say('deleted', 3)
    await say('updated', 2)
    // What leaves is offered for a moment, so that it does not vanish unseen.
    const waiting = [
      [2, 'gone'],
      [3, 'deleted'],
    ]
    expect([shown(), kinds()]).toEqual([{ '7': [5, 2], '8': [1, 3] }, waiting])
    vi.advanceTimersByTime(4_000)
    await settled()
    expect([shown(), kinds()]).toEqual([{ '7': [5], '8': [1] }, []])
    expect(board.refreshFigures).toHaveBeenCalledTimes(5)
  })

  test('keeps cards that leave a column in which the user begins to work meanwhile', async () => {
    const { live, say, shown, kinds } = follow({ '7': [1, 2], '8': [3] })
    await say('deleted', 1)
    await say('deleted', 3)
    held = new Set(['7'])
    vi.advanceTimersByTime(4_000)
    await settled()
    expect([shown(), kinds()]).toEqual([{ '7': [1, 2], '8': [] }, [[1, 'deleted']]])
    live.apply()
    await settled()
    expect([shown(), kinds()]).toEqual([{ '7': [2], '8': [] }, []])
  })

  test('keeps the cards of a column in which the user works until updates are shown', async () => {
    const { live, say, shown, kinds } = follow({ '7': [1, 2], '8': [], '9': [3] })
    held = new Set(['7'])
    rows = [{ id: 1, stage_id: [8, 'Won'] }]
    await say('updated', 1)
    expect([shown(), kinds()]).toEqual([{ '7': [1, 2], '8': [], '9': [3] }, [[1, 'moved']]])
    live.apply()
    await settled()
    expect([shown(), kinds()]).toEqual([{ '7': [2], '8': [1], '9': [3] }, []])
    rows = [{ id: 3, stage_id: [8, 'Won'] }]
    await say('updated', 3)
    expect(shown()).toEqual({ '7': [2], '8': [3, 1], '9': [] })
  })

  test('ignores its own changes, and loads its columns again when anything may have changed', async () => {
    const { board, say, live } = follow({ '7': [1], '8': [] })
    await say('updated', 1, true)
    expect(board.hold).not.toHaveBeenCalled()
    bus.deliver([{ channel: 'model.changed', payload: { model: 'crm.lead' } }])
    await settled()
    expect([vi.mocked(board.sortAgain).mock.calls.length, live.updates.value]).toEqual([2, []])
    held = new Set(['8'])
    bus.deliver([{ channel: 'resync', payload: {} }])
    await settled()
    expect([vi.mocked(board.sortAgain).mock.calls.length, live.updates.value.length]).toEqual([2, 1])
    live.apply()
    expect(board.reload).toHaveBeenCalledOnce()
  })

  test('loads again when the records that are its columns are added, moved, renamed or deleted', async () => {
    const { board, live } = follow({ '7': [1], '8': [] })
    const reloads = () => vi.mocked(board.reload).mock.calls.length
    const say = async (kind: string, id: number, isOwn = false) => {
      bus.deliver([{ channel: `record.${kind}`, payload: { model: 'crm.stage', id }, isOwn }])
      await settled()
      return reloads()
    }
    expect([await say('updated', 7), await say('created', 9), await say('deleted', 8)]).toEqual([1, 2, 3])
    // A column that the user adds here is there already, and others are not shown.
    expect([await say('created', 10, true), await say('updated', 33)]).toEqual([3, 3])
    bus.deliver([{ channel: 'model.changed', payload: { model: 'crm.stage' } }])
    expect(reloads()).toBe(4)
    held = new Set(['7'])
    expect([await say('updated', 7), live.updates.value.length]).toEqual([4, 1])
    live.apply()
    expect(reloads()).toBe(5)
  })
})
