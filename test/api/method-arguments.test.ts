import { beforeAll, expect, test } from 'vitest'
import type { Agent } from '../support/agent.ts'
import { describeHost } from '../support/hosts.ts'

describeHost('RPC methods with wrong arguments', 'process', (host) => {
  let integration: Agent
  beforeAll(async () => {
    integration = await host.apiKey('admin')
  })

  const id = 1
  const text = 'text'
  const wrong: readonly (readonly [method: string, args: readonly unknown[], kwargs?: Record<string, unknown>])[] = [
    ['search', [text]],
    ['search', [{}]],
    ['search', [[], []]],
    ['search', [[]], { limit: -1 }],
    ['search', [[]], { limit: 1.5 }],
    ['search', [[]], { limit: '10' }],
    ['search', [[]], { limit: null }],
    ['search', [[]], { limit: 2 ** 53 }],
    ['search', [[]], { offset: -1 }],
    ['search', [[]], { offset: 1_000_001 }],
    ['search', [[]], { offset: 1e12 }],
    ['search', [[]], { order: 1 }],
    ['search', [[]], { order: 'nothing_such' }],
    ['search', [[]], { order: 'title; drop table x' }],
    ['search', [[]], { archived: 'yes' }],
    ['search', [[]], { cursor: 5 }],
    ['search', [[]], { unheard_of: 1 }],
    ['search', [[['nothing_such', '=', 1]]]],
    ['search', [[['title', '~', 'x']]]],
    ['search_read', []],
    ['search_read', [[]]],
    ['search_read', [[], 'title']],
    ['search_read', [[], [1]]],
    ['search_read', [[], ['nothing_such']]],
    ['search_read', [[], ['title'], 1]],
    ['read', []],
    ['read', [id]],
    ['read', [[text]]],
    ['read', [['1']]],
    ['read', [[1.5]]],
    ['read', [[null]]],
    ['read', [[2 ** 53]]],
    ['read', [[true]]],
    ['read', [[id], text]],
    ['read', [[id], ['title'], 1]],
    ['read', [[id]], { limit: 1 }],
    ['read_group', []],
    ['read_group', [[]]],
    ['read_group', [{ groupby: 'state' }]],
    ['read_group', [{ groupby: ['nothing_such'] }]],
    ['read_group', [{ fields: [{ name: 'n', field: 'pages', measure: 'median' }] }]],
    ['read_group', [{ fields: [{ name: 'bad name', field: 'pages', measure: 'sum' }] }]],
    ['read_group', [{ fields: ['pages'] }]],
    ['read_group', [{ more: 1 }]],
    ['read_group', [{}], { week_start: 0 }],
    ['read_group', [{}], { week_start: 8 }],
    ['read_group', [{}], { having: text }],
    ['call', []],
    ['call', [id]],
    ['call', [[id], 'action_mark_lost']],
    ['call', ['1', 'action_mark_lost']],
    ['call', [id, 5]],
    ['call', [id, 'action_mark_lost', { a: 1 }]],
    ['call', [id, 'action_mark_lost', ['a']]],
    ['call', [id, 'action_mark_lost', { active_ids: '1,x' }]],
    ['create', []],
    ['create', [[]]],
    ['create', [text]],
    ['create', [null]],
    ['create', [{}, {}]],
    ['create', [{}], { limit: 1 }],
    ['write', [[id]]],
    ['write', [id, {}]],
    ['write', [[id], []]],
    ['write', [[id], null]],
    ['write', [[id], {}, {}]],
    ['write', [[id], {}], { base_version: 1 }],
    ['write', [[id], {}], { base_version: { x: 1 } }],
    ['write', [[id], {}], { base_version: { [id]: 'x' } }],
    ['write', [[id], {}], { base_version: { [id]: -1 } }],
    ['write', [[id], {}], { base_version: { 77: 1 } }],
    ['unlink', []],
    ['unlink', [id]],
    ['unlink', [[id], 1]],
    ['unlink', [[text]]],
    ['create_many', []],
    ['create_many', [{}]],
    ['create_many', [[text]]],
    ['create_many', [[null]]],
    ['create_many', [[[]]]],
    ['onchange', []],
    ['onchange', [{}]],
    ['onchange', [[], 'title']],
    ['onchange', [{}, 1]],
    ['onchange', [{}, 'nothing_such']],
    ['onchange', [{}, [], text]],
    ['onchange', [{}, []], { id: text }],
  ]
  test.each(wrong.map(([method, args, kwargs = {}]) => [method, args, kwargs] as const))(
    '%s with %j %j is BAD_REQUEST',
    async (method, args, kwargs) => {
      expect(await integration.rpc('library.book', method, args, kwargs)).toMatchObject({
        ok: false,
        error: { code: 'BAD_REQUEST' },
      })
    },
  )

  test.each(['__proto__', 'constructor', 'toString', '_private', 'copy', 'SEARCH', '', 'search ', 'hasOwnProperty'])(
    'the method %j is METHOD_NOT_ALLOWED',
    async (method) => {
      expect(await integration.send({ model: 'library.book', method, args: [] })).toMatchObject({
        status: 405,
        error: { code: 'METHOD_NOT_ALLOWED' },
      })
    },
  )

  test.each(['', 'nothing.such', '__proto__', 'toString', 'library_book', 'LIBRARY.BOOK', 'x'.repeat(10_000)])(
    'the model %j is NOT_FOUND',
    async (model) => {
      expect(await integration.send({ model, method: 'search', args: [] })).toMatchObject({
        status: 404,
        error: { code: 'NOT_FOUND' },
      })
    },
  )

  test.each([0, -1, 2 ** 31, 999_999, Number.MAX_SAFE_INTEGER])('the id %d is NOT_FOUND', async (missing) => {
    for (const [method, args] of [
      ['read', [[missing]]],
      ['write', [[missing], { pages: 1 }]],
      ['unlink', [[missing]]],
      ['call', [missing, 'action_mark_lost']],
    ] as const) {
      expect(await integration.rpc('library.book', method, args)).toMatchObject({ error: { code: 'NOT_FOUND' } })
    }
  })
})
