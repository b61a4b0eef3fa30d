import { expect, test } from 'vitest'
import { ERROR_STATUS } from '../../kernel/errors.ts'
import type { Agent } from '../support/agent.ts'
import { describeHost, describeHosts } from '../support/hosts.ts'

const authorId = async (agent: Agent, name: string) =>
  (await agent.must<{ id: number }[]>('library.author', 'search_read', [[['name', '=', name]], []]))[0]!.id

describeHosts('RPC errors', (host) => {
  test('a record that does not exist is NOT_FOUND with 404', async () => {
    const admin = await host.signIn('admin')
    const answer = await admin.send({ model: 'core.user', method: 'read', args: [[999_999]] })
    expect(answer).toMatchObject({ status: 404, ok: false, result: null, error: { code: 'NOT_FOUND' } })
  })

  test('a model without access is ACCESS_DENIED with 403, whether the record exists or not', async () => {
    const guest = await host.signIn('guest')
    for (const ids of [[1], [999_999], [2 ** 40]]) {
      const answer = await guest.send({ model: 'library.book', method: 'read', args: [ids] })
      expect(answer).toMatchObject({ status: 403, error: { code: 'ACCESS_DENIED' } })
    }
  })

  test('a record a rule hides is ACCESS_DENIED', async () => {
    const [admin, demo] = [await host.signIn('admin'), await host.signIn('demo')]
    const me = await admin.must<{ id: number }[]>('core.user', 'search_read', [[['login', '=', 'admin']], []])
    const shelf = await admin.must<number>('library.shelf', 'create', [{ name: 'Private', keeper_id: me[0]!.id }])
    expect(await demo.rpc('library.shelf', 'read', [[shelf]])).toMatchObject({ error: { code: 'ACCESS_DENIED' } })
  })

  test('a value a field refuses is VALIDATION with 422, naming the field', async () => {
    const admin = await host.signIn('admin')
    const author_id = await authorId(admin, 'Stanisław Lem')
    for (const [values, field] of [
      [{ title: 5, author_id }, 'title'],
      [{ title: 'X', author_id, pages: 'many' }, 'pages'],
      [{ title: 'X', author_id, pages: 0 }, 'pages'],
      [{ title: 'X', author_id, pages: 2 ** 53 }, 'pages'],
      [{ title: 'X', author_id, state: 'burnt' }, 'state'],
      [{ title: 'X', author_id, published_on: '2024-02-30' }, 'published_on'],
      [{ title: 'X', author_id, published_on: '1900-01-01' }, 'published_on'],
      [{ title: 'X' }, 'author_id'],
      [{ title: 'X', author_id, nothing_such: 1 }, 'nothing_such'],
      [{ title: 'X', author_id, version: 5 }, 'version'],
      [{ title: 'X', author_id, id: 5 }, 'id'],
      [{ title: 'X', author_id, create_uid: 5 }, 'create_uid'],
      [{ title: 'X', author_id, last_lent_at: '2024-01-01T00:00:00Z' }, 'last_lent_at'],
    ] as const) {
      const answer = await admin.send({ model: 'library.book', method: 'create', args: [values] })
      expect(answer).toMatchObject({
        status: 422,
        error: { code: 'VALIDATION', details: { fields: { [field]: expect.any(String) } } },
      })
    }
  })

  test('a value that must be unique is CONFLICT with 409, naming the field in words of the model', async () => {
    const admin = await host.signIn('admin')
    const author_id = await authorId(admin, 'Jane Austen')
    const again = await admin.send({ model: 'library.book', method: 'create', args: [{ title: 'Emma', author_id }] })
    expect(again).toMatchObject({
      status: 409,
      error: { code: 'CONFLICT', message: 'This author already has a book of this title.' },
    })
  })

  test('deleting a record others refer to is CONFLICT naming the model that does', async () => {
    const admin = await host.signIn('admin')
    const answer = await admin.send({
      model: 'library.author',
      method: 'unlink',
      args: [[await authorId(admin, 'Jane Austen')]],
    })
    expect(answer).toMatchObject({ status: 409, error: { code: 'CONFLICT' } })
    expect(JSON.stringify(answer.error)).toContain('library.book')
  })

  test('a model that RPC only reads refuses changes', async () => {
    const admin = await host.signIn('admin')
    expect(await admin.rpc('sys.model', 'search', [[]], { limit: 1 })).toMatchObject({ ok: true })
    for (const [method, args] of [
      ['create', [{ name: 'x' }]],
      ['write', [[1], { name: 'x' }]],
      ['unlink', [[1]]],
    ] as const) {
      expect(await admin.rpc('sys.model', method, args)).toMatchObject({ error: { code: 'ACCESS_DENIED' } })
    }
  })

  test('every error body has the three members and no text of the database', async () => {
    const admin = await host.signIn('admin')
    const bodies = [
      { model: 'library.book', method: 'create', args: [{ title: 'Emma', author_id: 1 }] },
      { model: 'library.book', method: 'create', args: [{ title: 'Emma', author_id: 999_999 }] },
      { model: 'library.book', method: 'search', args: [[['title', 'bad', 1]]] },
      { model: 'library.book', method: 'search', args: [[["title'; drop table x; --", '=', 1]]] },
      { model: 'library.book', method: 'read', args: [[2 ** 31 - 1]] },
      { model: 'library.book', method: 'search', args: [[['pages', '=', 2 ** 53]]] },
      { model: 'library.book', method: 'search', args: [[['pages', '=', 1e300]]] },
      { model: 'library.book', method: 'search', args: [[['id', 'in', [2 ** 40]]]] },
      { model: 'library.book', method: 'search', args: [[['published_on', '=', '99999-01-01']]] },
    ]
    for (const body of bodies) {
      const { status, error } = await admin.send(body)
      expect(status).toBeLessThan(500)
      if (error === null) continue
      expect(Object.keys(error).sort()).toEqual(['code', 'details', 'message'])
      expect(status).toBe(ERROR_STATUS[error.code as keyof typeof ERROR_STATUS])
      expect(JSON.stringify(error)).not.toMatch(
        /select |pg_|node_modules|\.ts:\d|duplicate key|constraint "|relation "|syntax error/i,
      )
    }
  })
})

describeHost('faults', 'process', (host) => {
  test('an internal error is INTERNAL: a neutral sentence, the request id, the cause in the log only', async () => {
    const admin = await host.signIn('admin')
    await host.database.db.schema.alterTable('core_country').renameTo('hidden').execute()
    const answer = await admin.send(
      { model: 'core.country', method: 'search', args: [] },
      { 'x-request-id': 'trace-me' },
    )
    await host.database.db.schema.alterTable('hidden').renameTo('core_country').execute()
    expect(answer).toMatchObject({ status: 500, error: { code: 'INTERNAL', details: { request_id: 'trace-me' } } })
    expect(JSON.stringify(answer.error)).not.toContain('core_country')
    const failure = host.observed.find((observation) => observation.kind === 'failure')
    expect(failure).toMatchObject({ requestId: 'trace-me' })
    expect(String(failure?.kind === 'failure' && failure.error)).toContain('core_country')
  })

  test('every call is observed once, under names that exist', async () => {
    const admin = await host.signIn('admin')
    host.observed.length = 0
    await admin.rpc('core.country', 'search', [[]], { limit: 1 })
    await admin.rpc('made.up', 'search', [])
    await admin.rpc('core.country', 'made_up', [])
    const calls = host.observed.filter((observation) => observation.kind === 'rpc')
    expect(calls).toMatchObject([
      { model: 'core.country', method: 'search', code: 'OK' },
      { model: 'other', method: 'search', code: 'NOT_FOUND' },
      { model: 'core.country', method: 'other', code: 'METHOD_NOT_ALLOWED' },
    ])
    const requests = host.observed.filter((observation) => observation.kind === 'request')
    expect(requests.map(({ path, status }) => [path, status])).toEqual([
      ['/api/rpc', 200],
      ['/api/rpc', 404],
      ['/api/rpc', 405],
    ])
  })

  test('a read call is two statements: who calls, and the records', async () => {
    const admin = await host.apiKey('admin')
    const [country] = await admin.must<{ id: number }[]>('core.country', 'search', [], { limit: 1 })
    for (const [method, args] of [
      ['search', [[['code', '=', 'PL']]]],
      ['search_read', [[], ['name', 'code']]],
      ['read', [[country!.id]]],
      ['read_group', [{ groupby: [] }]],
    ] as const) {
      host.database.statements.length = 0
      await admin.must('core.country', method, args)
      expect(host.database.statements).toHaveLength(2)
    }
  })
})
