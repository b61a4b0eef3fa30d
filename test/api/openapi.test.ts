import { expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { ERROR_STATUS } from '../../kernel/errors.ts'
import { compileRegistry } from '../../kernel/model/compile-registry.ts'
import { listReasons, REASONS } from '../../kernel/reasons.ts'
import { METHODS } from '../../kernel/rpc/methods.ts'
import { errorResponses, errorSchema } from '../../kernel/rpc/openapi-errors.ts'
import type { Agent } from '../support/agent.ts'
import { describeHosts } from '../support/hosts.ts'
import { reasonFlaw } from '../support/reasons.ts'

interface ModelSchema {
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly 'x-methods': readonly string[]
}

interface Document {
  readonly openapi: string
  readonly paths: Readonly<
    Record<'/api/rpc', { readonly post: { readonly responses: Readonly<Record<string, ErrorResponse>> } }>
  >
  readonly components: {
    readonly schemas: Readonly<Record<string, ModelSchema>> & { readonly Call: CallSchema; readonly Error: ErrorSchema }
  }
}

interface ErrorSchema {
  readonly properties: { readonly error: { readonly oneOf: readonly CodeSchema[] } }
}

interface CodeSchema {
  readonly title: string
  readonly properties: {
    readonly details: { readonly properties: { readonly reason: { readonly enum: readonly string[] } } }
  }
}

interface ErrorResponse {
  readonly content: { readonly 'application/json': { readonly examples?: Readonly<Record<string, ErrorExample>> } }
}

interface ErrorExample {
  readonly summary: string
  readonly value: { readonly error: { readonly code: string; readonly details: Readonly<Record<string, unknown>> } }
}

interface CallSchema {
  readonly oneOf: readonly { readonly title: string; readonly properties: Readonly<Record<string, unknown>> }[]
}

const documentOf = async (agent: Agent): Promise<Document> =>
  // The test looks at every part it names.
  (await (await agent.get('/api/openapi.json')).json()) as Document

test('the reasons of addons are listed under their codes, with an example each', () => {
  const { reasons } = compileRegistry(bundledAddons)
  expect(reasons.map(({ reason }) => reason)).toContain('sale.order_locked')
  // The shapes that the document has of them.
  const { oneOf: errors } = (errorSchema(reasons) as unknown as ErrorSchema).properties.error
  const responses = errorResponses({}, reasons) as Readonly<Record<string, ErrorResponse>>
  for (const { reason, code, meaning, example, details } of reasons) {
    const listed = errors.filter(({ properties }) => properties.details.properties.reason.enum.includes(reason))
    expect(listed.map(({ title }) => title)).toEqual([code])
    expect(responses[ERROR_STATUS[code]]?.content['application/json'].examples?.[reason]).toEqual({
      summary: meaning,
      value: { ok: false, result: null, error: { code, message: example, details: { reason, ...details } } },
    })
  }
})

describeHosts('GET /api/openapi.json', (host) => {
  test('needs a session or a key', async () => {
    expect((await host.fetch('/api/openapi.json')).status).toBe(401)
    expect((await (await host.signIn('demo')).get('/api/openapi.json')).status).toBe(200)
    expect((await (await host.apiKey('demo')).get('/api/openapi.json')).status).toBe(200)
  })

  test('describes every method with its arguments', async () => {
    const { openapi, paths, components } = await documentOf(await host.apiKey('admin'))
    expect(openapi).toBe('3.1.0')
    expect(Object.keys(paths)).toContain('/api/rpc')
    expect(components.schemas.Call.oneOf.map((call) => call.title)).toEqual([...METHODS.keys()])
    const search = components.schemas.Call.oneOf.find((call) => call.title === 'search')
    expect(search?.properties['kwargs']).toMatchObject({ properties: { limit: { type: 'integer', minimum: 0 } } })
  })

  test('shows the models and fields the caller may use, and what with', async () => {
    const [admin, demo, guest] = [await host.apiKey('admin'), await host.apiKey('demo'), await host.apiKey('guest')]
    const book = (await documentOf(admin)).components.schemas['library.book']!
    expect(book.properties['title']).toMatchObject({ type: 'string', maxLength: 200, title: 'Title' })
    expect(book.properties['version']).toMatchObject({ readOnly: true })
    expect(book.properties).toHaveProperty('purchase_price')
    expect(book['x-methods']).toEqual([...METHODS.keys()])
    const demoBook = (await documentOf(demo)).components.schemas['library.book']!
    expect(demoBook.properties).not.toHaveProperty('purchase_price')
    expect(demoBook['x-methods']).toEqual(['search', 'search_read', 'read', 'read_group', 'call', 'onchange'])
    expect((await documentOf(guest)).components.schemas).not.toHaveProperty(['library.book'])
  })

  test('lists the reasons of every code with an example each', async () => {
    const document = await documentOf(await host.apiKey('demo'))
    const { oneOf: errors } = document.components.schemas.Error.properties.error
    expect(errors.map(({ title }) => title)).toEqual(Object.keys(ERROR_STATUS))
    const reasons = errors.flatMap(({ properties: { details } }) => details.properties.reason.enum)
    expect(reasons.sort()).toEqual(
      listReasons(REASONS)
        .map(({ reason }) => reason)
        .sort(),
    )
    const { responses } = document.paths['/api/rpc'].post
    const examples = Object.values(responses).flatMap(({ content }) =>
      Object.entries(content['application/json'].examples ?? {}),
    )
    expect(examples.map(([reason]) => reason).sort()).toEqual(reasons)
    for (const [reason, { value }] of examples) {
      expect(value.error.details.reason).toBe(reason)
      expect(reasonFlaw(value.error.code, value.error.details)).toBeUndefined()
    }
    expect(responses['404']?.content['application/json'].examples?.['record_not_found']).toEqual({
      summary: 'No record has this id, or none that answers to this name.',
      value: {
        ok: false,
        result: null,
        error: {
          code: 'NOT_FOUND',
          message: 'Contact 7 does not exist.',
          details: { reason: 'record_not_found', model: 'core.partner', id: 7 },
        },
      },
    })
  })

  test('a secret is shown as something to write, never to read', async () => {
    const user = (await documentOf(await host.apiKey('admin'))).components.schemas['core.user']!
    expect(user.properties['password']).toMatchObject({ writeOnly: true })
    const seen = (await documentOf(await host.apiKey('demo'))).components.schemas['core.user']!
    expect(seen.properties).not.toHaveProperty('password')
  })

  test('the scope of a key narrows the document', async () => {
    const scope = { models: { 'core.tag': ['read', 'write'] }, read_only: true }
    const { schemas } = (await documentOf(await host.apiKey('admin', { scope }))).components
    expect(Object.keys(schemas).sort()).toEqual(['Call', 'Error', 'core.tag'])
    expect(schemas['core.tag']?.['x-methods']).toEqual(['read'])
  })
})
