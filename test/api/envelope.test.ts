import { expect, test } from 'vitest'
import { describeHosts } from '../support/hosts.ts'

describeHosts('POST /api/rpc envelope', (host) => {
  test('a call in the flat form is answered with the success envelope', async () => {
    const admin = await host.signIn('admin')
    const answer = await admin.send({
      model: 'core.user',
      method: 'search_read',
      args: [[['login', '=', 'admin']], ['login']],
    })
    expect(answer).toMatchObject({ status: 200, ok: true, error: null, result: [{ login: 'admin' }] })
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  test('the wrapper form means the same', async () => {
    const admin = await host.signIn('admin')
    const call = { model: 'core.user', method: 'search_read', args: [[['login', '=', 'admin']], ['login']] }
    expect((await admin.send({ params: call })).result).toEqual((await admin.send(call)).result)
  })

  const flat = { model: 'core.user', method: 'search', args: [] }
  test.each([
    ['a number', 1],
    ['null', null],
    ['a list', [flat]],
    ['text', 'search'],
    ['an empty object', {}],
    ['no model', { method: 'search', args: [] }],
    ['no method', { model: 'core.user', args: [] }],
    ['no args', { model: 'core.user', method: 'search' }],
    ['args that are no list', { ...flat, args: {} }],
    ['kwargs that are no object', { ...flat, kwargs: [] }],
    ['kwargs that are null', { ...flat, kwargs: null }],
    ['a model that is no text', { ...flat, model: 1 }],
    ['a method that is no text', { ...flat, method: ['search'] }],
    ['an unknown key', { ...flat, id: 1 }],
    ['params beside others', { params: flat, model: 'core.user' }],
    ['params in params', { params: { params: flat } }],
    ['params as a list', { params: [flat] }],
    ['params as null', { params: null }],
  ])('%s is BAD_REQUEST', async (_name, body) => {
    const admin = await host.signIn('admin')
    const answer = await admin.send(body)
    expect(answer).toMatchObject({ status: 400, ok: false, result: null, error: { code: 'BAD_REQUEST' } })
    expect(answer.error?.details).toBeTypeOf('object')
  })

  const extras = { jsonrpc: '2.0', id: 7, method: 'call' }
  test.each([
    ['a wrapper', { params: flat, ...extras }],
    ['a wrapper around a wrong call', { params: {}, ...extras }],
    ['a wrapper around nothing', { params: null, ...extras }],
  ])('%s with other keys is an error that names them', async (_name, body) => {
    const { error } = await (await host.signIn('admin')).send(body)
    expect(error?.message).toBe('Unrecognized keys: "jsonrpc", "id", "method"')
  })

  test('a misspelt key is named, not only the missing one', async () => {
    const { error } = await (await host.signIn('admin')).send({ modle: 'core.user', method: 'search', args: [] })
    expect(error?.message).toBe('Unrecognized key: "modle"')
  })

  test('X-Request-ID comes back when it was supplied, and only then', async () => {
    const admin = await host.signIn('admin')
    expect((await admin.send(flat, { 'x-request-id': 'order-4711' })).headers.get('x-request-id')).toBe('order-4711')
    expect((await admin.send(flat)).headers.get('x-request-id')).toBeNull()
    expect((await admin.send(flat, { 'x-request-id': 'with blank' })).headers.get('x-request-id')).toBeNull()
    expect((await admin.send(flat, { 'x-request-id': 'x'.repeat(129) })).headers.get('x-request-id')).toBeNull()
    expect((await admin.send({}, { 'x-request-id': 'bad' })).headers.get('x-request-id')).toBe('bad')
  })
})
