import { runInNewContext } from 'node:vm'
import { build } from 'esbuild'
import { createClient, type ModulusError, type RemoteModel } from 'modulus/client'
import { expect, test } from 'vitest'
import { root } from '../docs/markdown.ts'
import { describeHost, type Host } from '../support/hosts.ts'
import '../support/addons/library/addon.ts'

type Books = RemoteModel<'library.book'>

const clientOf = async (host: Host, login = 'admin') =>
  createClient({ url: host.url, apiKey: (await host.apiKey(login)).key })

const thrownBy = (call: Promise<unknown>): Promise<ModulusError> =>
  call.then(
    () => expect.unreachable('the call was answered'),
    (error) => error,
  )

describeHost('the typed client', 'listener', (host) => {
  test('create, read, write, search and delete', async () => {
    const authors = (await clientOf(host)).model('library.author')
    const id = await authors.create({ name: 'Ursula K. Le Guin', birth_date: '1929-10-21' })
    expect(await authors.read([id], ['name', 'country_id'])).toEqual([
      { id, name: 'Ursula K. Le Guin', country_id: null },
    ])
    expect(await authors.write([id], { pen_name: 'Ursula' })).toBe(true)
    expect(await authors.searchRead([['pen_name', '=', 'Ursula']], ['pen_name'])).toEqual([{ id, pen_name: 'Ursula' }])
    const [whole] = await authors.search([['id', '=', id]])
    expect(whole).toMatchObject({ display_name: 'Ursula K. Le Guin', version: 2, book_ids: [], active: true })
    expect(await authors.unlink([id])).toBe(true)
    expect(await authors.search([['id', '=', id]])).toEqual([])
  })

  test('options reach the service: limit, offset, order, archived and the time zone', async () => {
    const authors = (await clientOf(host)).model('library.author')
    const byName = await authors.searchRead([], ['name'], { order: 'name desc', limit: 2, offset: 1 })
    expect(byName.map((author) => author.name)).toEqual(['Jorge Luis Borges', 'Jane Austen'])
    const id = await authors.create({ name: 'Forgotten', active: false })
    expect(await authors.searchRead([], ['name'], { archived: 'only' })).toEqual([{ id, name: 'Forgotten' }])
    const rows = await authors.readGroup(
      { groupby: ['create_date:day'], domain: [['id', '=', id]] },
      { tz: 'Pacific/Kiritimati', archived: 'include' },
    )
    expect(rows[0]?.__range?.['create_date:day']?.from).toMatch(/T10:00:00\.000Z$/)
  })

  test('types groups and measures of read_group', async () => {
    const books = (await clientOf(host)).model('library.book')
    const rows = await books.readGroup(
      { groupby: ['author_id'], fields: [{ name: 'pages', field: 'pages', measure: 'sum' }] },
      { having: [['pages', '>', 200]], order: 'pages desc' },
    )
    expect(rows.map((row) => [row.author_id?.[1], row.pages, row.__count])).toEqual([
      ['Jane Austen', 723, 2],
      ['Stanisław Lem', 204, 1],
    ])
    expect(await books.searchRead(rows[1]!.__domain as [], ['title'])).toMatchObject([{ title: 'Solaris' }])
  })

  test('types actions and onchange', async () => {
    const books = (await clientOf(host)).model('library.book')
    const [book] = await books.searchRead([['title', '=', 'Ficciones']], ['author_id'])
    expect(await books.call(book!.id, 'action_make_available')).toBe(true)
    const { value } = await books.onchange({ author_id: book!.author_id[0], summary: null }, 'author_id', {
      fields: ['summary'],
    })
    expect(value).toEqual({ summary: 'By Jorge Luis Borges.' })
    const edited = await books.onchange({ state: 'lost' }, ['state'], { id: book!.id, fields: ['shelf_id'] })
    expect(edited.value).toEqual({ shelf_id: null })
    const partner = await (await clientOf(host)).model('core.partner').create({ name: 'Reader' })
    expect(await books.call(book!.id, 'action_lend', { borrower_id: String(partner) })).toEqual({
      redirect: expect.stringMatching(/^\/web\?model=library\.loan/),
    })
  })

  test('pages() gives every record once, in pages, while others write', async () => {
    const tags = (await clientOf(host)).model('core.tag')
    const ids = await tags.createMany(Array.from({ length: 25 }, (_, i) => ({ name: `Tag ${100 + i}` })))
    const pages: { id: number; name: string }[][] = []
    for await (const page of tags.pages([['name', 'like', 'Tag ']], ['name'], { limit: 10 })) {
      pages.push(page)
      await tags.create({ name: `Tag 000${pages.length}` })
    }
    expect(pages.map((page) => page.length)).toEqual([10, 10, 5])
    expect(pages.flat().map((tag) => tag.id)).toEqual(ids)
  })

  test('pages() ends where the last page is full, and yields nothing when nothing matches', async () => {
    const tags = (await clientOf(host)).model('core.tag')
    await tags.createMany([{ name: 'Full 1' }, { name: 'Full 2' }])
    const sizes: number[] = []
    for await (const page of tags.pages([['name', 'like', 'Full']], ['name'], { limit: 1 })) sizes.push(page.length)
    for await (const page of tags.pages([['name', '=', 'None']], ['name'])) sizes.push(page.length)
    expect(sizes).toEqual([1, 1])
  })

  test('a repeated change under one idempotency key happens once', async () => {
    const tags = (await clientOf(host)).model('core.tag')
    const make = () => tags.create({ name: 'Once' }, { idempotencyKey: 'tag-once' })
    expect(await make()).toBe(await make())
    const other = await thrownBy(tags.create({ name: 'Twice' }, { idempotencyKey: 'tag-once' }))
    expect(other).toMatchObject({ code: 'CONFLICT', reason: 'idempotency_key_reused', status: 409 })
  })

  test('an edit merges with others, and conflicts where they met', async () => {
    const authors = (await clientOf(host)).model('library.author')
    const id = await authors.create({ name: 'Anonymous' })
    await authors.write([id], { pen_name: 'A.' }, { baseVersion: { [id]: 1 } })
    await authors.write([id], { name: 'Unknown' }, { baseVersion: { [id]: 1 } })
    const clash = await thrownBy(authors.write([id], { pen_name: 'B.' }, { baseVersion: { [id]: 1 } }))
    expect(clash).toMatchObject({
      code: 'CONFLICT',
      details: { records: { [id]: { version: 3, fields: { pen_name: { base: null, mine: 'B.', theirs: 'A.' } } } } },
    })
  })

  const refusals: [code: string, status: number, login: string, call: (books: Books) => Promise<unknown>][] = [
    ['NOT_FOUND', 404, 'demo', (books) => books.read([999_999], ['title'])],
    ['VALIDATION', 422, 'admin', (books) => books.write([1], { pages: 1.5 })],
    ['BAD_REQUEST', 400, 'demo', (books) => books.searchRead([], ['title'], { limit: -1 })],
    ['ACCESS_DENIED', 403, 'demo', (books) => books.unlink([1])],
  ]
  test.each(refusals)('%s is the code of the error', async (code, status, login, call) => {
    const error = await thrownBy(call((await clientOf(host, login)).model('library.book')))
    expect(error).toMatchObject({ name: 'ModulusError', code, status, retryAfter: null })
    expect(error.message).not.toBe('')
  })

  test('a refused value is named with its field', async () => {
    const books = (await clientOf(host)).model('library.book')
    const error = await thrownBy(books.create({ title: 'Without author' }))
    expect(error.details).toEqual({ reason: 'value_required', fields: { author_id: 'Author is required.' } })
  })

  test('rpc() reaches every method, and only those', async () => {
    const client = await clientOf(host)
    const [id] = (await client.rpc('core.tag', 'create_many', [[{ name: 'By hand' }]])) as number[]
    expect(await client.rpc('core.tag', 'unlink_many', [[id]])).toBe(true)
    expect(await thrownBy(client.rpc('core.tag', 'toString', []))).toMatchObject({ code: 'METHOD_NOT_ALLOWED' })
    expect(await thrownBy(client.rpc('core.tag', 'search', [], { colour: 1 }))).toMatchObject({ code: 'BAD_REQUEST' })
  })

  test('without a valid key a call is UNAUTHORIZED', async () => {
    const client = createClient({ url: `${host.url}/`, apiKey: 'sk_wrong' })
    expect(await thrownBy(client.model('core.tag').search())).toMatchObject({ code: 'UNAUTHORIZED', status: 401 })
  })

  test('a session of a browser calls with its cookie and the CSRF token', async () => {
    const { cookies, headers } = await host.signIn('admin')
    const csrfToken = headers['x-csrf-token']
    const withCookie: typeof fetch = (address, init) =>
      fetch(address, { ...init, headers: { ...(init?.headers as Record<string, string>), cookie: cookies.header! } })
    const signedIn = createClient({ url: host.url, csrfToken: csrfToken!, fetch: withCookie })
    expect(await signedIn.model('core.user').searchRead([['login', '=', 'admin']], ['login'])).toHaveLength(1)
    const forgetful = createClient({ url: host.url, fetch: withCookie })
    expect(await thrownBy(forgetful.model('core.tag').create({ name: 'x' }))).toMatchObject({ code: 'CSRF' })
  })

  test('an aborted call ends with AbortError, before, during and after the headers', async () => {
    const { key } = await host.apiKey('admin')
    const countries = createClient({ url: host.url, apiKey: key }).model('core.country')
    expect(await thrownBy(countries.search([], { signal: AbortSignal.abort() }))).toMatchObject({ name: 'AbortError' })
    const during = new AbortController()
    const search = countries.search([], { signal: during.signal })
    during.abort()
    expect(await thrownBy(search)).toMatchObject({ name: 'AbortError' })
    const after = new AbortController()
    const late: typeof fetch = async (address, init) => {
      const response = await fetch(address, init)
      after.abort()
      return response
    }
    const slow = createClient({ url: host.url, apiKey: key, fetch: late }).model('core.country')
    expect(await thrownBy(slow.search([], { signal: after.signal }))).toMatchObject({ name: 'AbortError' })
  })

  test('an answer that is not an envelope becomes an error by its status', async () => {
    const answering = (status: number, headers = {}) =>
      createClient({ url: '', fetch: async () => new Response('<h1>Sorry</h1>', { status, headers }) })
    expect(await thrownBy(answering(502, { 'retry-after': '7' }).rpc('core.tag', 'search', []))).toMatchObject({
      code: 'UNAVAILABLE',
      status: 502,
      retryAfter: 7,
    })
    expect(await thrownBy(answering(404).rpc('core.tag', 'search', []))).toMatchObject({
      code: 'INTERNAL',
      status: 404,
    })
    expect(await thrownBy(answering(200).rpc('core.tag', 'search', []))).toMatchObject({ code: 'INTERNAL' })
  })

  test('an order that cursors do not support is an error, instead of ending early', async () => {
    const body = JSON.stringify({ ok: true, result: [{ id: 1, note: 'long' }], error: null })
    const partners = createClient({ url: '', fetch: async () => new Response(body) }).model('core.partner')
    const pages = partners.pages([], ['note'], { order: 'note', limit: 1 })[Symbol.asyncIterator]()
    expect(await pages.next()).toMatchObject({ value: [{ id: 1 }] })
    await expect(pages.next()).rejects.toThrow('The order "note" goes by too many long texts')
  })

  test('the bundle for browsers is small, needs nothing of Node and works with fetch alone', async () => {
    const { outputFiles, metafile } = await build({
      absWorkingDir: root,
      entryPoints: ['kernel/client/client.ts'],
      bundle: true,
      format: 'iife',
      globalName: 'modulus',
      platform: 'browser',
      minify: true,
      metafile: true,
      write: false,
    })
    const script = outputFiles[0]!.text
    expect(Object.keys(metafile.inputs).sort()).toEqual(['kernel/client/client.ts', 'kernel/client/error.ts'])
    expect(script.length).toBeLessThan(4_000)

    const { key } = await host.apiKey('admin')
    const use = `(async () => {
      const tags = modulus.createClient({ url, apiKey }).model('core.tag')
      const id = await tags.create({ name: 'From a browser' })
      const rows = []
      for await (const page of tags.pages([['id', '=', id]], ['name'])) rows.push(...page)
      const error = await tags.read([999999], ['name']).catch((refused) => refused)
      const signal = new AbortController().signal
      return { rows, isError: error instanceof modulus.ModulusError, code: error.code, gone: await tags.unlink([id], { signal }) }
    })()`
    // A realm with nothing but the language itself, and what every browser has for calls.
    const browser = { fetch, AbortController, url: host.url, apiKey: key }
    expect(await runInNewContext(`${script};${use}`, browser)).toMatchObject({
      rows: [{ name: 'From a browser' }],
      isError: true,
      code: 'NOT_FOUND',
      gone: true,
    })
  })
})
