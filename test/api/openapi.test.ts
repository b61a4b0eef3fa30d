import { expect, test } from 'vitest'
import { METHODS } from '../../kernel/rpc/methods.ts'
import type { Agent } from '../support/agent.ts'
import { describeHosts } from '../support/hosts.ts'

interface ModelSchema {
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly 'x-methods': readonly string[]
}

interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, unknown>>
  readonly components: { readonly schemas: Readonly<Record<string, ModelSchema>> & { readonly Call: CallSchema } }
}

interface CallSchema {
  readonly oneOf: readonly { readonly title: string; readonly properties: Readonly<Record<string, unknown>> }[]
}

const documentOf = async (agent: Agent): Promise<Document> =>
  // The test looks at every part it names.
  (await (await agent.get('/api/openapi.json')).json()) as Document

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
