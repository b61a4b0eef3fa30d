import { effect } from '@preact/signals'
import { describe, expect, test } from 'vitest'
import type { Row, Rpc } from '../../addons/web/client/net/rpc.ts'
import { loadGroups, openGroup } from '../../addons/web/client/store/group.ts'
import { createLayered } from '../../addons/web/client/store/layered.ts'
import { createList } from '../../addons/web/client/store/list.ts'
import { changeLayered, changeValues, runOptimistic } from '../../addons/web/client/store/optimistic.ts'
import { createRecords, sameValue, valuesOf } from '../../addons/web/client/store/records.ts'

describe('the record store', () => {
  test('has one entry per record, so that one row updates every view', () => {
    const records = createRecords()
    const [first] = records.put('m', [{ id: 1, name: 'a', state: 'draft' }])
    const again = records.get('m', 1)
    expect(again).toBe(first)
    records.put('m', [{ id: 1, name: 'b' }])
    expect(valuesOf(again).value).toEqual({ id: 1, name: 'b', state: 'draft' })
  })

  test('does not draw again when a row has no new values', () => {
    const records = createRecords()
    const [entry] = records.put('m', [{ id: 1, partner_id: [3, 'Ada'], tag_ids: [1, 2] }])
    let drawn = 0
    effect(() => {
      drawn += valuesOf(entry!).value ? 1 : 0
    })
    records.put('m', [{ id: 1, partner_id: [3, 'Ada'], tag_ids: [1, 2] }])
    expect(drawn).toBe(1)
  })

  test('ignores a row that was overtaken by a newer one', () => {
    const records = createRecords()
    const [entry] = records.put('m', [{ id: 1, version: 5, name: 'new' }])
    records.put('m', [{ id: 1, version: 4, name: 'old' }])
    expect(valuesOf(entry!).value['name']).toBe('new')
  })

  test('highlights values that another user changed, and no others', () => {
    const records = createRecords()
    const [a, b] = records.put('m', [
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
    ])
    records.put(
      'm',
      [
        { id: 1, name: 'x' },
        { id: 2, name: 'b' },
      ],
      { isRemote: true },
    )
    expect([a!.touched.value, b!.touched.value]).toEqual([1, 0])
  })

  test('compares values as they are on the wire', () => {
    expect(sameValue([1, 'a'], [1, 'a'])).toBe(true)
    expect(sameValue({ a: [1] }, { a: [2] })).toBe(false)
    expect(sameValue([1], [1, 2])).toBe(false)
    expect(sameValue(null, [])).toBe(false)
    expect(sameValue({ a: undefined }, { b: undefined })).toBe(false)
  })
})

describe('optimistic changes', () => {
  test('show at once and stay without a flicker when the server agrees', async () => {
    const records = createRecords()
    const [entry] = records.put('m', [{ id: 1, stage: 1, version: 1 }])
    const seen: unknown[] = []
    effect(() => void seen.push(valuesOf(entry!).value['stage']))
    await runOptimistic(
      [changeValues([entry!], { stage: 2 })],
      async () => true,
      () => void records.put('m', [{ id: 1, stage: 2, version: 2 }]),
    )
    expect(valuesOf(entry!).value).toEqual({ id: 1, stage: 2, version: 2 })
    expect(seen.filter((stage, index) => stage !== seen[index - 1])).toEqual([1, 2])
  })

  test('that fail leave exactly the values without them, also those others changed meanwhile', async () => {
    const records = createRecords()
    const [entry] = records.put('m', [{ id: 1, stage: 1, name: 'a', version: 1 }])
    const sending = runOptimistic([changeValues([entry!], { stage: 2, name: 'mine' })], async () => {
      records.put('m', [{ id: 1, stage: 1, name: 'theirs', version: 2 }])
      throw new Error('refused')
    })
    expect(valuesOf(entry!).value).toMatchObject({ stage: 2, name: 'mine' })
    await expect(sending).rejects.toThrow('refused')
    expect(valuesOf(entry!).value).toEqual({ id: 1, stage: 1, name: 'theirs', version: 2 })
  })

  test('are stacked and can be removed in any order', () => {
    const layered = createLayered<readonly number[]>([1, 2, 3])
    const takeFirst = layered.push((ids) => ids.filter((id) => id !== 2))
    const takeSecond = layered.push((ids) => [...ids, 9])
    expect(layered.value.value).toEqual([1, 3, 9])
    takeFirst()
    expect(layered.value.value).toEqual([1, 2, 3, 9])
    takeSecond()
    expect(layered.value.value).toEqual([1, 2, 3])
  })

  test('move a card between two columns and back', async () => {
    const from = createLayered<readonly number[]>([1, 2])
    const to = createLayered<readonly number[]>([3])
    const move = runOptimistic(
      [changeLayered(from, (ids) => ids.filter((id) => id !== 1)), changeLayered(to, (ids) => [1, ...ids])],
      () => Promise.reject(new Error('no')),
    )
    expect([from.value.value, to.value.value]).toEqual([[2], [1, 3]])
    await expect(move).rejects.toThrow()
    expect([from.value.value, to.value.value]).toEqual([[1, 2], [3]])
  })
})

/** A server with `total` records of one model. */
function serve(total: number) {
  const calls: { method: string; args: readonly unknown[]; kwargs: Record<string, unknown> }[] = []
  const answer = (method: string, kwargs: Record<string, unknown>): unknown => {
    if (method === 'read_group') return [{ __count: total, __domain: [] }]
    const offset = Number(kwargs['offset'] ?? 0)
    const count = Math.max(0, Math.min(Number(kwargs['limit']), total - offset))
    return Array.from({ length: count }, (_, index): Row => ({ id: offset + index + 1, name: `n${offset + index}` }))
  }
  const rpc: Rpc = {
    async call<T>(_model: string, method: string, args: readonly unknown[], kwargs: Record<string, unknown> = {}) {
      calls.push({ method, args, kwargs })
      await Promise.resolve()
      // The fake returns what the method returns, which the type checker cannot see.
      return answer(method, kwargs) as T
    },
    read: async () => [],
    post: () => Promise.reject(new Error('unexpected')),
    onChanged: () => () => undefined,
    isChanging: () => false,
    expectNews: () => {},
  }
  return { rpc, calls }
}

describe('a list', () => {
  const query = { model: 'm', domain: [], fields: ['name'] }

  test('loads the visible pages, each once', async () => {
    const { rpc, calls } = serve(100_000)
    const list = createList(rpc, createRecords(), query, { total: 100_000 })
    await Promise.all([list.ensure(50_000, 50_040), list.ensure(50_010, 50_030)])
    await list.ensure(50_000, 50_040)
    expect(calls.map(({ kwargs }) => kwargs['offset'])).toEqual([50_000])
    expect(list.entryAt(50_000)?.id).toBe(50_001)
    expect(list.entryAt(49_000)).toBeNull()
  })

  test('starts with what the workspace brought', async () => {
    const { rpc, calls } = serve(200)
    const rows = Array.from({ length: 80 }, (_, index) => ({ id: index + 1, name: 'x' }))
    const list = createList(rpc, createRecords(), query, { rows, total: 200 })
    await list.ensure(0, 80)
    expect(calls).toEqual([])
    await list.ensure(80, 100)
    expect(calls).toHaveLength(1)
  })

  test('drops answers to a query that was overtaken', async () => {
    const { rpc } = serve(10)
    const list = createList(rpc, createRecords(), query, { total: 10 })
    const late = list.ensure(0, 10)
    list.restart({ ...query, domain: [['id', '>', 5]] }, { total: 5 })
    await late
    expect(list.entryAt(0)).toBeNull()
    expect(list.total.value).toBe(5)
  })

  test('of two reloads the later one counts, whichever is answered first', async () => {
    const { rpc } = serve(1)
    const held: (() => void)[] = []
    let rows: readonly Row[] = [{ id: 1 }, { id: 2 }]
    const slow: Rpc = {
      ...rpc,
      async call<T>(_model: string, method: string) {
        const answer = method === 'read_group' ? [{ __count: rows.length, __domain: [] }] : rows
        await new Promise<void>((done) => held.push(done))
        return answer as T
      },
    }
    const list = createList(slow, createRecords(), query, { rows, total: 2 })
    const older = list.refresh()
    const answerOlder = held.splice(0)
    rows = [{ id: 2 }]
    const newer = list.refresh()
    for (const answer of held) answer()
    await newer
    for (const answer of answerOlder) answer()
    await older
    expect(list.ids.value.value).toEqual([2])
    expect(list.total.value).toBe(1)
  })

  test('loads its visible rows and the total again', async () => {
    const { rpc } = serve(3)
    const list = createList(rpc, createRecords(), query, { rows: [{ id: 9 }], total: 1 })
    await list.refresh()
    expect([list.total.value, list.entryAt(0)?.id]).toEqual([3, 1])
  })

  test('shows an error and tries again later', async () => {
    const { rpc } = serve(3)
    let isBroken = true
    const flaky: Rpc = { ...rpc, call: (...args) => (isBroken ? Promise.reject(new Error('away')) : rpc.call(...args)) }
    const list = createList(flaky, createRecords(), query, { total: 3 })
    await list.ensure(0, 3)
    expect(list.error.value).toBeInstanceOf(Error)
    isBroken = false
    await list.ensure(0, 3)
    expect([list.error.value, list.entryAt(2)?.id]).toEqual([null, 3])
  })
})

test('a group loads its records when it is opened, by its own domain', async () => {
  const { rpc, calls } = serve(2)
  const records = createRecords()
  const grouping: Rpc = {
    ...rpc,
    async call<T>(model: string, method: string, args: readonly unknown[], kwargs?: Record<string, unknown>) {
      if (method !== 'read_group') return rpc.call<T>(model, method, args, kwargs)
      // As `read_group` answers.
      return [{ stage_id: [4, 'Won'], revenue: 10, __count: 2, __domain: [['stage_id', '=', 4]] }] as T
    },
  }
  const query = {
    model: 'm',
    domain: [['active', '=', true]],
    fields: ['name'],
    groupBy: ['stage_id'],
    measures: [{ name: 'revenue', field: 'revenue', measure: 'sum' as const }],
  }
  const [group] = await loadGroups(grouping, query)
  expect(group).toMatchObject({ value: 4, name: 'Won', count: 2, measures: { revenue: 10 } })
  expect(calls).toEqual([])
  await openGroup(grouping, records, query, group!)
  expect(calls[0]!.args[0]).toEqual([
    ['active', '=', true],
    ['stage_id', '=', 4],
  ])
  const inside = group!.inside.value
  expect(inside?.kind === 'list' && inside.list.entryAt(1)?.id).toBe(2)
})
