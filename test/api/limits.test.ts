import { beforeAll, expect, test } from 'vitest'
import { LIMITS } from '../../kernel/limits.ts'
import type { Agent } from '../support/agent.ts'
import { describeHosts } from '../support/hosts.ts'

/** Limits of the body itself are in `body.test.ts`, those of domains and text with their own parts. */
describeHosts('the limits of a call', (host) => {
  let admin: Agent
  beforeAll(async () => {
    admin = await host.apiKey('admin')
  })

  const outcome = async (method: string, args: readonly unknown[], kwargs?: Record<string, unknown>) =>
    (await admin.rpc('core.tag', method, args, kwargs)).error?.code ?? 'OK'
  const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

  test(`at most ${LIMITS.records} records come back: more is clamped, nothing said means as many`, async () => {
    await admin.must('core.tag', 'create_many', [times(LIMITS.records + 5, (i) => ({ name: `limit ${i}` }))])
    const count = async (kwargs?: Record<string, unknown>) =>
      (await admin.must<unknown[]>('core.tag', 'search_read', [[['name', '=like', 'limit %']], []], kwargs)).length
    expect(await count()).toBe(LIMITS.records)
    expect(await count({ limit: LIMITS.records + 1 })).toBe(LIMITS.records)
    expect(await count({ limit: 1_000_000 })).toBe(LIMITS.records)
    expect(await count({ limit: 3 })).toBe(3)
    expect(await count({ offset: LIMITS.records })).toBe(5)
  })

  test(`ids: ${LIMITS.ids}`, async () => {
    const ids = (count: number) => times(count, (i) => i + 1_000_000)
    for (const method of ['read', 'unlink', 'unlink_many']) {
      expect(await outcome(method, [ids(LIMITS.ids)])).toBe('NOT_FOUND')
      expect(await outcome(method, [ids(LIMITS.ids + 1)])).toBe('BAD_REQUEST')
    }
    for (const method of ['write', 'write_many']) {
      expect(await outcome(method, [ids(LIMITS.ids), { name: 'x' }])).toBe('NOT_FOUND')
      expect(await outcome(method, [ids(LIMITS.ids + 1), { name: 'x' }])).toBe('BAD_REQUEST')
    }
    for (const tag_ids of [
      ids(LIMITS.ids + 1),
      [[6, 0, ids(LIMITS.ids)], [5]],
      ids(LIMITS.ids + 1).map((id) => [4, id]),
    ]) {
      const { error } = await admin.rpc('core.partner', 'create', [{ name: 'x', tag_ids }])
      expect(error).toMatchObject({ code: 'VALIDATION', details: { fields: { tag_ids: expect.any(String) } } })
    }
  })

  test(`createMany: ${LIMITS.createMany}, in either form`, async () => {
    const tags = (count: number) => times(count, (i) => ({ name: `many ${i}` }))
    expect(await outcome('create_many', [tags(LIMITS.createMany)])).toBe('OK')
    expect(await outcome('create_many', [tags(LIMITS.createMany + 1)])).toBe('BAD_REQUEST')
    expect(
      await outcome(
        'create_many',
        tags(LIMITS.createMany + 1).map((tag) => [tag]),
      ),
    ).toBe('BAD_REQUEST')
  })

  test(`offset: ${LIMITS.offset}`, async () => {
    expect(await outcome('search', [[]], { offset: LIMITS.offset })).toBe('OK')
    expect(await outcome('search', [[]], { offset: LIMITS.offset + 1 })).toBe('BAD_REQUEST')
  })

  test(`fields: ${LIMITS.fields}`, async () => {
    const fields = (count: number) => times(count, () => 'name')
    expect(await outcome('search_read', [[], fields(LIMITS.fields)], { limit: 1 })).toBe('OK')
    expect(await outcome('search_read', [[], fields(LIMITS.fields + 1)])).toBe('BAD_REQUEST')
    expect(await outcome('read', [[], fields(LIMITS.fields + 1)])).toBe('BAD_REQUEST')
    const measures = (count: number) => times(count, (i) => ({ name: `m${i}`, field: 'id', measure: 'count' }))
    expect(await outcome('read_group', [{ fields: measures(LIMITS.fields) }])).toBe('OK')
    expect(await outcome('read_group', [{ fields: measures(LIMITS.fields + 1) }])).toBe('BAD_REQUEST')
  })

  test(`groupBy: ${LIMITS.groupBy}`, async () => {
    const groupby = ['name', 'create_date:day', 'create_date:month', 'create_uid', 'write_uid', 'write_date', 'id']
    expect(await outcome('read_group', [{ groupby: groupby.slice(0, LIMITS.groupBy) }])).toBe('OK')
    expect(await outcome('read_group', [{ groupby }])).toBe('BAD_REQUEST')
  })

  test(`groupSets: ${LIMITS.groupSets}`, async () => {
    const groupby = ['name', 'create_date:day', 'create_date:month', 'create_uid', 'write_uid', 'write_date']
    const sets = times(LIMITS.groupSets + 1, (i) => groupby.filter((_, bit) => (i >> bit) & 1))
    expect(await outcome('read_group', [{ groupby, sets: sets.slice(0, LIMITS.groupSets) }], { limit: 1 })).toBe('OK')
    expect(await outcome('read_group', [{ groupby, sets }])).toBe('BAD_REQUEST')
  })

  test(`groups: ${LIMITS.groups}; ${LIMITS.records} if nothing is said, and the answer tells where the rest begins`, async () => {
    const name = (count: number, kwargs = {}) =>
      admin.send({
        model: 'core.tag',
        method: 'read_group',
        args: [{ groupby: ['name'], domain: [['name', '=like', 'limit %']] }],
        kwargs: { ...kwargs, ...(count > 0 && { limit: count }) },
      })
    const answer = async (response: { headers: Headers; result: unknown }) => [
      (response.result as unknown[]).length,
      response.headers.get('x-more-groups'),
    ]
    expect(await answer(await name(0))).toEqual([LIMITS.records, String(LIMITS.records)])
    expect(await answer(await name(1_000_000))).toEqual([LIMITS.records + 5, null])
    expect(await answer(await name(3, { offset: 4 }))).toEqual([3, '7'])
  })

  test(`groupJoins: ${LIMITS.groupJoins}`, async () => {
    // Each path goes its own way over two fields that lead to the same model.
    const path = (i: number) => [0, 1, 2, 3, 4, 5].map((bit) => ((i >> bit) & 1 ? 'create_uid' : 'write_uid')).join('.')
    const measures = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ name: `n${i}`, field: path(i), measure: 'count' }))
    expect(await outcome('read_group', [{ fields: measures(4) }])).toBe('OK')
    expect(await outcome('read_group', [{ fields: measures(64) }])).toBe('BAD_REQUEST')
  })

  test(`orderChars: ${LIMITS.orderChars}`, async () => {
    const order = (length: number) => `name${' '.repeat(length - 4)}`
    expect(await outcome('search', [[]], { order: order(LIMITS.orderChars), limit: 1 })).toBe('OK')
    expect(await outcome('search', [[]], { order: order(LIMITS.orderChars + 1) })).toBe('BAD_REQUEST')
  })

  test(`cursorChars: ${LIMITS.cursorChars}`, async () => {
    expect(await outcome('search', [[]], { cursor: 'x'.repeat(LIMITS.cursorChars + 1) })).toBe('BAD_REQUEST')
  })

  test(`urlBytes: ${LIMITS.urlBytes}`, async () => {
    const status = async (length: number) => (await host.fetch(`/api/health?${'x'.repeat(length)}`)).status
    expect(await status(LIMITS.urlBytes - 100)).toBe(200)
    expect(await status(LIMITS.urlBytes)).toBe(400)
  })

  test(`idempotencyKeyChars: ${LIMITS.idempotencyKeyChars}`, async () => {
    const body = { model: 'core.tag', method: 'create', args: [{ name: 'keyed' }] }
    const status = async (length: number) => (await admin.send(body, { 'idempotency-key': 'k'.repeat(length) })).status
    expect(await status(LIMITS.idempotencyKeyChars)).toBe(200)
    expect(await status(LIMITS.idempotencyKeyChars + 1)).toBe(400)
  })

  test(`requestIdChars: ${LIMITS.requestIdChars}`, async () => {
    const echoed = async (length: number) =>
      (await host.fetch('/api/health', { headers: { 'x-request-id': 'r'.repeat(length) } })).headers.get('x-request-id')
    expect(await echoed(LIMITS.requestIdChars)).toBe('r'.repeat(LIMITS.requestIdChars))
    expect(await echoed(LIMITS.requestIdChars + 1)).toBeNull()
  })
})
