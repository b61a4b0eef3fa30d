import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Bus, createBus } from '../../addons/web/client/net/bus.ts'
import { type ClientServices, provideServices } from '../../addons/web/client/services.ts'
import { createRecords } from '../../addons/web/client/store/records.ts'
import { createRecordSet, MAX_RECORDS, type RecordSet } from '../../addons/web/client/views/shared/record-set.ts'
import { settled } from './fake-clock.ts'

/** What the service has: the records that match, with the value they are sorted by. */
let table: Map<number, number>
let bus: Bus
let set: RecordSet
let isHeld: boolean

/** `search_read` in the order of `at`, at most 500 rows. */
async function searchRead(_model: string, _method: string, [domain]: [unknown[]], options: Record<string, unknown>) {
  const named = domain.find((part): part is [string, string, number[]] => Array.isArray(part) && part[0] === 'id')
  const { limit, offset = 0 } = options as { limit: number; offset?: number }
  return [...table]
    .filter(([id]) => !named || named[2].includes(id))
    .toSorted(([a, atA], [b, atB]) => (options['order'] ? atA - atB || a - b : a - b))
    .slice(offset, offset + Math.min(limit, 500))
    .map(([id, at]) => ({ id, at }))
}

beforeEach(() => {
  bus = createBus()
  isHeld = false
  const session = { bootstrap: { user: { id: 1 } } }
  provideServices({ bus, rpc: { call: searchRead }, records: createRecords(), session } as unknown as ClientServices)
})
afterEach(() => set.stop())

/** A set of as many records, each at ten times its id. */
async function open(count: number): Promise<void> {
  table = new Map(Array.from({ length: count }, (_, index) => [index + 1, (index + 1) * 10]))
  set = createRecordSet('project.task', () => isHeld)
  set.show({ domain: [], order: 'at, id', fields: ['at'] })
  await expect.poll(() => set.isLoading.value).toBe(false)
}

async function tell(...ids: readonly number[]): Promise<void> {
  bus.deliver(ids.map((id) => ({ channel: 'record.updated', payload: { model: 'project.task', id } })))
  await settled()
  await settled()
}

const shows = (id: number) => set.ids.value.includes(id)

test('a set that is cut does not grow by what changes beyond its end', async () => {
  await open(3_000)
  expect(set.isCut.value).toBe(true)
  const before = set.ids.value
  await tell(2_500)
  table.set(3_001, 99_999)
  await tell(3_001, 7)
  expect(set.ids.value).toBe(before)
})

test('what comes before the end of a set that is cut takes the place of the last', async () => {
  await open(3_000)
  table.set(2_500, 55)
  table.set(3_001, 56)
  await tell(2_500, 3_001)
  expect([2_500, 3_001, 1, 1_998, 1_999, 2_000].map(shows)).toEqual([true, true, true, true, false, false])
  expect(set.ids.value).toHaveLength(MAX_RECORDS)
  await tell(1_999)
  expect(shows(1_999)).toBe(false)
})

test('what the user makes or moves here is shown wherever a set is cut', async () => {
  await open(3_000)
  table.set(3_001, 99_999)
  await set.refresh([3_001])
  expect([3_001, 1_999, 2_000].map(shows)).toEqual([true, true, false])
  expect(set.ids.value).toHaveLength(MAX_RECORDS)
})

test('what leaves a set that is cut is replaced when a page of it is missing, and nothing is said to be cut once all are shown', async () => {
  await open(2_100)
  const leave = async (from: number, to: number) => {
    for (let first = from; first <= to; first += 100) {
      const ids = Array.from({ length: 100 }, (_, index) => first + index)
      for (const id of ids) table.delete(id)
      await tell(...ids)
    }
  }
  await leave(1, 400)
  expect([set.ids.value.length, set.isCut.value]).toEqual([1_600, true])
  await leave(401, 500)
  await expect.poll(() => set.isCut.value).toBe(false)
  expect(set.ids.value).toHaveLength(1_600)
  expect(shows(2_100)).toBe(true)
})

test('a set with as many records as it may have is not cut', async () => {
  await open(MAX_RECORDS)
  expect([set.ids.value.length, set.isCut.value]).toEqual([MAX_RECORDS, false])
})

test('a set is cut as soon as more come than it may have', async () => {
  await open(1_999)
  table.set(2_000, 5)
  await tell(2_000)
  expect([set.ids.value.length, set.isCut.value]).toEqual([MAX_RECORDS, false])
  table.set(2_001, 6)
  await tell(2_001)
  await expect.poll(() => set.isCut.value).toBe(true)
  expect([2_000, 2_001, 1_999].map(shows)).toEqual([true, true, false])
  expect(set.ids.value).toHaveLength(MAX_RECORDS)
})

test('more changes than one answer holds, while something is dragged, lose no record', async () => {
  await open(900)
  isHeld = true
  for (let first = 1; first <= 900; first += 100)
    await tell(...Array.from({ length: 100 }, (_, index) => first + index))
  isHeld = false
  await set.refresh([])
  await expect.poll(() => set.isLoading.value).toBe(false)
  expect(set.ids.value).toHaveLength(900)
})
