import { beforeAll, expect, test } from 'vitest'
import type { Agent } from '../support/agent.ts'
import { describeHost } from '../support/hosts.ts'

const FIELDS = 'summary,pages,weight,price,is_rare,published_on,state,author_id,scan,metadata,subject,active'.split(',')

const VALUES: readonly Readonly<Record<string, unknown>>[] = [
  { metadata: 'text', summary: '{"a": [null]}' },
  { metadata: 'null', summary: 'null' },
  { metadata: '', summary: '"\\"' },
  { metadata: 0, summary: 'line\r\nline\ttab' },
  { metadata: false, is_rare: true },
  { metadata: [1, null, { a: 'ä€😀' }] },
  { metadata: null, pages: 2_147_483_647, weight: -12_345.678, price: 0.01 },
  { metadata: {}, published_on: '0800-12-25', scan: '+/8=', active: false },
  { metadata: { null: 'null' }, subject: 'core.partner,1' },
  {},
]

describeHost('create_many', 'process', (host) => {
  let admin: Agent
  beforeAll(async () => {
    admin = await host.signIn('admin')
  })

  const bookOf = (values: Readonly<Record<string, unknown>>, author: number, isbn: string) => ({
    title: isbn,
    author_id: author,
    isbn,
    ...values,
  })
  const read = async (ids: readonly number[]) => {
    const rows = await admin.must<Record<string, unknown>[]>('library.book', 'read', [ids, FIELDS])
    return rows.map(({ id: _id, ...row }) => row)
  }

  test('stores many records as it stores one', async () => {
    const author = await admin.must<number>('library.author', 'create', [{ name: 'Of many' }])
    const single: number[] = []
    for (const [i, values] of VALUES.entries())
      single.push(await admin.must<number>('library.book', 'create', [bookOf(values, author, `one-${i}`)]))
    const many = Array.from({ length: 100 }, (_, i) => bookOf(VALUES[i % VALUES.length]!, author, `many-${i}`))
    const ids = await admin.must<number[]>('library.book', 'create_many', [many])
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    const expected = await read(single)
    expect(await read(ids)).toEqual(Array.from({ length: 100 }, (_, i) => expected[i % VALUES.length]))
  })
})
