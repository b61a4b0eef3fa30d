import { expect, test } from 'vitest'
import { METHODS } from '../../kernel/rpc/methods.ts'
import type { Agent } from '../support/agent.ts'
import { describeHosts } from '../support/hosts.ts'

const idsOf = (records: readonly { id: number }[]) => records.map((record) => record.id)
const bookId = async (agent: Agent, title: string) =>
  idsOf(await agent.must<{ id: number }[]>('library.book', 'search_read', [[['title', '=', title]], ['title']]))[0]!
const newBook = (agent: Agent, title: string, values: Readonly<Record<string, unknown>> = {}) =>
  authorId(agent).then((author_id) => agent.must<number>('library.book', 'create', [{ title, author_id, ...values }]))
const authorId = async (agent: Agent) =>
  idsOf(await agent.must<{ id: number }[]>('library.author', 'search_read', [[['name', '=', 'Jane Austen']], []]))[0]!

test('the allowlist is the twelve methods of the interface', () => {
  const names =
    'search search_read read read_group call create write unlink create_many write_many unlink_many onchange'
  expect([...METHODS.keys()].sort()).toEqual(names.split(' ').sort())
})

describeHosts('RPC methods', (host) => {
  test('search gives whole records of a domain', async () => {
    const demo = await host.signIn('demo')
    const [emma] = await demo.must<Record<string, unknown>[]>('library.book', 'search', [[['title', '=', 'Emma']]])
    expect(emma).toMatchObject({
      title: 'Emma',
      display_name: 'Emma',
      author_id: [expect.any(Number), 'Jane Austen'],
      version: 1,
    })
    expect(emma).not.toHaveProperty('purchase_price')
  })

  test('search without arguments matches everything', async () => {
    const demo = await host.signIn('demo')
    expect(await demo.must('library.book', 'search')).toHaveLength(4)
    expect(await demo.must('library.book', 'search', [[]])).toHaveLength(4)
  })

  test('search_read gives exactly the named fields and the id', async () => {
    const demo = await host.signIn('demo')
    const rows = await demo.must('library.book', 'search_read', [[], ['title']], { limit: 2 })
    expect(rows).toEqual([
      { id: expect.any(Number), title: 'Emma' },
      { id: expect.any(Number), title: 'Ficciones' },
    ])
    expect(await demo.must('library.book', 'search_read', [[], []], { limit: 1 })).toEqual([{ id: expect.any(Number) }])
  })

  test('limit, offset, order and archived shape a page', async () => {
    const admin = await host.signIn('admin')
    const titles = async (kwargs: Record<string, unknown>) =>
      (
        await admin.must<{ title: string }[]>(
          'library.book',
          'search_read',
          [[['author_id.name', '=', 'Jane Austen']], ['title']],
          kwargs,
        )
      ).map((row) => row.title)
    expect(await titles({ order: 'title desc' })).toEqual(['Persuasion', 'Emma'])
    expect(await titles({ order: 'pages', limit: 1 })).toEqual(['Persuasion'])
    expect(await titles({ offset: 1 })).toEqual(['Persuasion'])
    expect(await titles({ limit: 0 })).toEqual([])
    const gone = await newBook(admin, 'Sanditon', { active: false })
    expect(await titles({})).not.toContain('Sanditon')
    expect(await titles({ archived: 'only' })).toEqual(['Sanditon'])
    expect(await titles({ archived: 'include' })).toContain('Sanditon')
    await admin.must('library.book', 'unlink', [[gone]])
  })

  test('a cursor walks all pages, each record once', async () => {
    const demo = await host.signIn('demo')
    const seen: number[] = []
    let cursor: string | null = null
    do {
      const kwargs: Record<string, unknown> = { limit: 3, order: 'name desc', ...(cursor !== null && { cursor }) }
      const page = await demo.send({
        model: 'core.country',
        method: 'search_read',
        args: [[['code', 'like', 'A']], ['name']],
        kwargs,
      })
      seen.push(...idsOf(page.result as { id: number }[]))
      cursor = page.headers.get('x-next-cursor')
    } while (cursor !== null)
    const all = await demo.must<{ id: number }[]>('core.country', 'search_read', [[['code', 'like', 'A']], []], {
      order: 'name desc',
    })
    expect(seen).toEqual(idsOf(all))
    expect(seen.length).toBeGreaterThan(6)
  })

  test('a cursor of another order, or a made-up one, is BAD_REQUEST', async () => {
    const demo = await host.signIn('demo')
    const page = await demo.send({
      model: 'core.country',
      method: 'search',
      args: [],
      kwargs: { limit: 1, order: 'name' },
    })
    const cursor = page.headers.get('x-next-cursor')!
    for (const kwargs of [{ cursor, order: 'code' }, { cursor: 'nonsense' }, { cursor: 'A'.repeat(100) }]) {
      expect(await demo.rpc('core.country', 'search', [], kwargs)).toMatchObject({ error: { code: 'BAD_REQUEST' } })
    }
  })

  test('read answers in the order asked, with all fields or the named ones', async () => {
    const demo = await host.signIn('demo')
    const [a, b] = [await bookId(demo, 'Solaris'), await bookId(demo, 'Emma')]
    expect(await demo.must('library.book', 'read', [[a, b], ['title']])).toEqual([
      { id: a, title: 'Solaris' },
      { id: b, title: 'Emma' },
    ])
    const [whole] = await demo.must<Record<string, unknown>[]>('library.book', 'read', [[a]])
    expect(whole).toMatchObject({ id: a, title: 'Solaris', pages: 204, price: 12.25, published_on: '1961-06-01' })
    expect(await demo.must('library.book', 'read', [[]])).toEqual([])
  })

  test('read_group counts and measures', async () => {
    const demo = await host.signIn('demo')
    const spec = {
      domain: [['state', '=', 'available']],
      groupby: ['author_id'],
      fields: [{ name: 'all_pages', field: 'pages', measure: 'sum' }],
    }
    const rows = await demo.must('library.book', 'read_group', [spec])
    expect(rows).toMatchObject([
      { author_id: [expect.any(Number), 'Jane Austen'], all_pages: 723, __count: 2 },
      { author_id: [expect.any(Number), 'Stanisław Lem'], all_pages: 204, __count: 1 },
    ])
    expect(await demo.must('library.book', 'read_group', [{}])).toMatchObject([{ __count: 4 }])
  })

  test('create gives an id, write and unlink give true', async () => {
    const admin = await host.signIn('admin')
    const id = await newBook(admin, 'Lady Susan')
    expect(id).toBeTypeOf('number')
    expect(await admin.must('library.book', 'write', [[id], { pages: 100 }])).toBe(true)
    expect(await admin.must('library.book', 'read', [[id], ['pages', 'version']])).toEqual([
      { id, pages: 100, version: 2 },
    ])
    expect(await admin.must('library.book', 'unlink', [[id]])).toBe(true)
    expect(await admin.rpc('library.book', 'read', [[id]])).toMatchObject({ error: { code: 'NOT_FOUND' } })
  })

  test('create_many takes both forms and is all or nothing', async () => {
    const admin = await host.signIn('admin')
    const author_id = await authorId(admin)
    const one = await admin.must<number[]>('library.book', 'create_many', [
      [
        { title: 'A', author_id },
        { title: 'B', author_id },
      ],
    ])
    const two = await admin.must<number[]>('library.book', 'create_many', [
      [{ title: 'C', author_id }],
      [{ title: 'D', author_id }],
    ])
    expect([one.length, two.length]).toEqual([2, 2])
    const failed = await admin.rpc('library.book', 'create_many', [[{ title: 'E', author_id }, { title: 'F' }]])
    expect(failed).toMatchObject({
      error: { code: 'VALIDATION', details: { fields: { author_id: expect.any(String) } } },
    })
    expect(await admin.must('library.book', 'search', [[['title', '=', 'E']]])).toEqual([])
    expect(await admin.must('library.book', 'create_many', [[]])).toEqual([])
    expect(await admin.must('library.book', 'write_many', [[...one, ...two], { pages: 7 }])).toBe(true)
    expect(await admin.must('library.book', 'unlink_many', [[...one, ...two]])).toBe(true)
    expect(await admin.must('library.book', 'search', [[['pages', '=', 7]]])).toEqual([])
  })

  test('call runs an action and answers true or a redirect', async () => {
    const admin = await host.signIn('admin')
    const id = await newBook(admin, 'The Watsons')
    expect(await admin.must('library.book', 'call', [id, 'action_make_available'])).toBe(true)
    expect(await admin.must('library.book', 'read', [[id], ['state']])).toEqual([{ id, state: 'available' }])
    const [partner] = await admin.must<{ id: number }[]>('core.partner', 'search', [], { limit: 1 })
    const lent = await admin.must('library.book', 'call', [id, 'action_lend', { borrower_id: String(partner!.id) }])
    expect(lent).toEqual({ redirect: expect.stringMatching(/^\/web\?model=library\.loan/) })
    expect(await admin.rpc('library.book', 'call', [id, 'action_unheard_of'])).toMatchObject({
      error: { code: 'NOT_FOUND' },
    })
    expect(await admin.rpc('library.book', 'call', [999_999, 'action_mark_lost'])).toMatchObject({
      error: { code: 'NOT_FOUND' },
    })
  })

  test('call with active_ids runs on all of them', async () => {
    const admin = await host.signIn('admin')
    const all = [await newBook(admin, 'One'), await newBook(admin, 'Two'), await newBook(admin, 'Three')]
    await admin.must('library.book', 'call', [all[0], 'action_make_available', { active_ids: all.join(',') }])
    const rows = await admin.must<{ state: string }[]>('library.book', 'read', [all, ['state']])
    expect(rows.map((row) => row.state)).toEqual(['available', 'available', 'available'])
    await admin.must('library.book', 'unlink', [all])
  })

  test('onchange answers what a form should change and writes nothing', async () => {
    const admin = await host.signIn('admin')
    const author_id = await authorId(admin)
    const answer = await admin.must<{ value: Record<string, unknown> }>('library.book', 'onchange', [
      { author_id },
      'author_id',
    ])
    expect(answer).toMatchObject({ value: { summary: 'By Jane Austen.' }, warnings: [] })
    const fresh = await admin.must<{ value: Record<string, unknown> }>('library.book', 'onchange', [{}, []])
    expect(fresh.value).toMatchObject({ state: 'draft' })
    const emma = await bookId(admin, 'Emma')
    const lost = await admin.must('library.book', 'onchange', [{ state: 'lost' }, ['state'], ['shelf_id']], {
      id: emma,
    })
    expect(lost).toMatchObject({ value: { shelf_id: null } })
    expect(await admin.must('library.book', 'read', [[emma], ['state']])).toEqual([{ id: emma, state: 'available' }])
  })

  test('base_version merges disjoint edits and refuses overlapping ones with all three values', async () => {
    const admin = await host.signIn('admin')
    const id = await newBook(admin, 'Catharine', { pages: 10 })
    await admin.must('library.book', 'write', [[id], { pages: 20 }])
    await admin.must('library.book', 'write', [[id], { summary: 'mine' }], { base_version: { [id]: 1 } })
    const refused = await admin.rpc('library.book', 'write', [[id], { pages: 30 }], { base_version: { [id]: 1 } })
    expect(refused).toMatchObject({
      error: {
        code: 'CONFLICT',
        details: { records: { [id]: { fields: { pages: { base: 10, mine: 30, theirs: 20 } } } } },
      },
    })
    await admin.must('library.book', 'unlink', [[id]])
  })

  test('line_versions does the same for lines that are written along with their record', async () => {
    const admin = await host.signIn('admin')
    const author = await admin.must<number>('library.author', 'create', [{ name: 'Fanny Price' }])
    const id = await newBook(admin, 'Susan', { pages: 10, author_id: author })
    await admin.must('library.book', 'write', [[id], { pages: 20 }])
    const edit = (values: object) => [[author], { book_ids: [[1, id, values]] }]
    const began = { line_versions: { book_ids: { [id]: 1 } } }
    await admin.must('library.author', 'write', edit({ summary: 'mine' }), began)
    expect(await admin.rpc('library.author', 'write', edit({ pages: 30 }), began)).toMatchObject({
      error: {
        code: 'CONFLICT',
        details: {
          lines: { book_ids: { [id]: { version: 3, fields: { pages: { base: 10, mine: 30, theirs: 20 } } } } },
        },
      },
    })
    expect(
      await admin.rpc('library.author', 'write', edit({}), { line_versions: { name: { [id]: 1 } } }),
    ).toMatchObject({ error: { code: 'BAD_REQUEST' } })
    await admin.must('library.book', 'unlink', [[id]])
    await admin.must('library.author', 'unlink', [[author]])
  })

  test('line_versions reveals nothing about lines that the caller may not write', async () => {
    const admin = await host.signIn('admin')
    const author = await admin.must<number>('library.author', 'create', [{ name: 'Tom Bertram' }])
    const id = await newBook(admin, 'Hidden', { pages: 10, author_id: author })
    await admin.must('library.book', 'write', [[id], { pages: 20 }])
    await host.modules.asSystem(async (env) => {
      const group = await env.model('core.group').create({ name: 'Authors only' })
      const rights = { group_id: group, perm_read: true, perm_write: true }
      await env.model('sys.access').create({ name: 'authors', model: 'library.author', ...rights })
      const [company] = await env.model('core.company').search([])
      const companies = { company_id: company!, company_ids: [company!] }
      await env.model('core.user').create({ name: 'Julia', login: 'julia', group_ids: [group], ...companies })
    })
    const withoutLine = await host.signIn('julia')
    const outOfScope = await host.apiKey('admin', { scope: { models: { 'library.author': ['write'] } } })
    for (const agent of [withoutLine, outOfScope]) {
      for (const [line, version] of [
        [id, 1],
        [id, 2],
        [id, 99],
        [2_000_000, 1],
      ] as const) {
        const answer = await agent.rpc(
          'library.author',
          'write',
          [[author], { book_ids: [[1, line, { pages: 30 }]] }],
          { line_versions: { book_ids: { [line]: version } } },
        )
        expect(answer.error).toMatchObject({
          code: 'ACCESS_DENIED',
          message: 'You are not allowed to change records of Book.',
          details: { reason: 'model_access' },
        })
      }
    }
    await admin.must('library.book', 'unlink', [[id]])
    await admin.must('library.author', 'unlink', [[author]])
  })

  test('lang and tz are taken by every method, and checked', async () => {
    const demo = await host.signIn('demo')
    expect(await demo.rpc('core.country', 'search', [], { lang: 'de', tz: 'Europe/Berlin', limit: 1 })).toMatchObject({
      ok: true,
    })
    for (const lang of ['fr', 'pt_BR', 'sr-Latn-RS'])
      expect(await demo.rpc('core.country', 'search', [], { lang, limit: 1 })).toMatchObject({ ok: true })
    for (const kwargs of [
      { tz: 'Mars/Olympus' },
      { tz: '+02:00' },
      { tz: '' },
      { tz: 1 },
      { lang: 'x' },
      { lang: 'xx' },
      { lang: 'en; drop' },
    ]) {
      expect(await demo.rpc('core.country', 'search', [], kwargs)).toMatchObject({ error: { code: 'BAD_REQUEST' } })
    }
  })
})
