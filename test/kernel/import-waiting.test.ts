import { expect, test } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import type { Column } from '../../kernel/exchange/import/column/column.ts'
import type { ImportRecord } from '../../kernel/exchange/import/record/record.ts'
import { WaitingRows } from '../../kernel/exchange/import/write/waiting.ts'
import type { Model } from '../../kernel/model/registry.ts'

const model = { name: 'x.node', displayFields: ['name'] } as unknown as Model
const base = { line: null, form: 'name', policy: 'match', isKey: false, format: null, settled: new Map() }
const name = { ...base, index: 0, header: 'name', path: 'name', field: { name: 'name', relation: null } }
const parent = {
  ...base,
  index: 1,
  header: 'parent',
  path: 'parent_id',
  field: { name: 'parent_id', relation: { target: 'x.node', kind: 'many2one' } },
}
const columns = [name, parent] as unknown as readonly Column[]
const env = { services: { sleep: async () => {} } } as unknown as Env
type Cells = readonly [string, string]

/** Imports rows of a name and a parent: their names in the order in which they are done, and how often one was read. */
async function walk(rows: readonly Cells[]) {
  const all = rows.map((cells, n) => [{ number: n + 2, cells }])
  const room = await WaitingRows.open(env, model, columns, all)
  const [done, left]: [string[], string[]] = [[], []]
  let reads = 0
  for (let groups: readonly ImportRecord['rows'][] = all; groups.length > 0; ) {
    const now: ImportRecord[] = []
    for (const group of groups) {
      reads += 1
      const [own, wanted] = group[0]!.cells as unknown as Cells
      const awaits = room.isToCome(columns[1]!, wanted) ? { column: columns[1]!, text: wanted } : null
      const record = { rows: group, awaits } as unknown as ImportRecord
      if (awaits) room.add(record)
      else now.push(record)
      if (!awaits) done.push(own)
    }
    groups = await room.leave(env, now)
  }
  for (const [row] of room.leaveAll()) left.push(row!.cells[0]!)
  return { done, left, reads }
}

const chain = (length: number): Cells[] =>
  Array.from({ length }, (_, n) => [`n${n}`, n + 1 < length ? `n${n + 1}` : ''] as const)

test('a chain of rows is read twice at most, upside down or not, and parents come first', async () => {
  const rows = chain(2_000)
  for (const each of [rows, rows.toReversed(), rows.toSorted(([a], [b]) => a.localeCompare(b))]) {
    const { done, left, reads } = await walk(each)
    expect(reads).toBeLessThan(4_000)
    expect(done).toEqual(Array.from({ length: 2_000 }, (_, n) => `n${1_999 - n}`))
    expect(left).toEqual([])
  }
})

test('rows of one parent come together, and a row waits while one of several of a name is still to come', async () => {
  const rows: Cells[] = [
    ['b', 'a'],
    ['c', ' a '],
    ['a', ''],
    ['d', 'b'],
  ]
  expect(await walk(rows)).toEqual({ done: ['a', 'b', 'c', 'd'], left: [], reads: 7 })
})

test('a circle, what hangs on it, and a row that names itself are left over', async () => {
  const rows: Cells[] = [
    ['a', 'b'],
    ['b', 'a'],
    ['c', 'a'],
    ['d', 'd'],
    ['e', ''],
  ]
  const { done, left } = await walk(rows)
  expect(done).toEqual(['e'])
  expect(left.toSorted()).toEqual(['a', 'b', 'c', 'd'])
})
