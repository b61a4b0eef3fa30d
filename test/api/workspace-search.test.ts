import { beforeAll, expect, test } from 'vitest'
import type { Agent } from '../support/agent.ts'
import { describeHost, type Host } from '../support/hosts.ts'
import { furnishLibrary, type LibraryViews } from '../support/library-views.ts'
import { openWorkspace, type Params, refuseWorkspace } from '../support/workspace.ts'

interface Book {
  readonly id: number
  readonly state: string
  readonly pages: number | null
  readonly published_on: string | null
  readonly create_uid: readonly [number, string] | null
}

describeHost('the search of a workspace', 'process', (host: Host) => {
  let views: LibraryViews
  let admin: Agent
  let demo: Agent
  let books: readonly Book[]

  beforeAll(async () => {
    views = await furnishLibrary(host.modules)
    admin = await host.signIn('admin')
    demo = await host.signIn('demo')
    const tag = await admin.must('core.tag', 'create', [{ name: 'Überraschung' }])
    const [author] = await admin.must<{ id: number }[]>('library.author', 'search', [[]])
    const values = ['draft', 'available', 'lent'].flatMap((state, i) =>
      [120, 240, 241, 900].map((pages) => ({
        title: `${state} book of ${pages} pages`,
        state,
        pages,
        author_id: author!.id,
        purchase_price: pages === 900 ? 77.25 : 3,
        published_on: `202${4 + i}-0${i + 2}-1${i}`,
        tag_ids: pages === 120 ? [tag] : [],
      })),
    )
    await admin.must('library.book', 'create_many', [values])
    books = await admin.must('library.book', 'search_read', [[], ['state', 'pages', 'published_on', 'create_uid']])
  })

  const list = async (agent: Agent, params: Params) =>
    openWorkspace(agent, { action: views.actions.available, view_type: 'list', ...params })
  const found = async (params: Params, agent = admin) => {
    const { records } = await openWorkspace(agent, { model: 'library.book', view_type: 'list', ...params })
    return records.map(({ id }) => id).sort((a, b) => a - b)
  }
  const where = (test: (book: Book) => boolean) =>
    books
      .filter(test)
      .map(({ id }) => id)
      .sort((a, b) => a - b)

  const FILTERS: Readonly<Record<string, { readonly set: number; readonly test: (book: Book) => boolean }>> = {
    available: { set: 0, test: ({ state }) => state === 'available' },
    ordered: { set: 0, test: ({ state }) => state === 'draft' },
    long: { set: 1, test: ({ pages }) => (pages ?? 0) > 240 },
    mine: { set: 1, test: ({ create_uid }) => create_uid?.[1] === 'admin' },
    'published:2025': { set: 2, test: ({ published_on }) => published_on?.startsWith('2025') === true },
    'published:2024-Q1': { set: 2, test: ({ published_on }) => published_on === '2024-02-10' },
    'published:2026-04': { set: 2, test: ({ published_on }) => published_on?.startsWith('2026-04') === true },
    by_author: { set: 3, test: () => true },
  }

  test('filters side by side widen each other, separated ones narrow, in every combination', async () => {
    const names = Object.keys(FILTERS)
    for (let bits = 0; bits < 2 ** names.length; bits += 1) {
      const chosen = names.filter((_, i) => (bits >> i) % 2 === 1)
      const sets = [...new Set(chosen.map((name) => FILTERS[name]!.set))]
      const expected = where((book) =>
        sets.every((set) => chosen.some((name) => FILTERS[name]!.set === set && FILTERS[name]!.test(book))),
      )
      expect(await found({ filter: chosen.join(',') }), chosen.join()).toEqual(expected)
    }
  })

  test('a date filter without a period means this month', async () => {
    const day = new Date().toISOString().slice(0, 10)
    const [author] = await admin.must<{ id: number }[]>('library.author', 'search', [[]])
    const id = await admin.must('library.book', 'create', [{ title: 'Now', author_id: author!.id, published_on: day }])
    expect(await found({ filter: 'published' })).toEqual([id])
    await admin.must('library.book', 'unlink', [[id]])
  })

  test('a text is looked for in every column of the view: words, names, labels, tags and numbers', async () => {
    const all = async (q: string) => (await list(admin, { q, filter: '' })).records.map(({ title }) => title)
    expect(await all('OF 900')).toEqual(['available book of 900 pages'])
    expect(await all('stanislaw')).toEqual(['Solaris'])
    expect(await all('uberrasch')).toEqual(['available book of 120 pages'])
    expect(await all('204')).toEqual(['Solaris'])
    expect(await all('12.25')).toEqual(['Solaris'])
    expect(await all('999999999999999')).toEqual([])
    expect(await all('no such thing')).toEqual([])
    expect(await all('100%')).toEqual([])
    expect(await all('   ')).toHaveLength(7)
    expect(await found({ q: 'Lent' })).toEqual(where(({ state }) => state === 'lent'))
    expect(await list(admin, { q: ' Solaris ', filter: '' })).toMatchObject({ listSearch: ' Solaris ', listTotal: 1 })
  })

  test('a board is searched by its own columns, and views of sums like the list', async () => {
    const total = async (view_type: string, q: string) =>
      (await openWorkspace(admin, { action: views.actions.books, view_type, q })).listTotal
    expect(await total('kanban', 'Novels')).toBe(2)
    expect(await total('list', 'Novels')).toBe(0)
    expect([await total('graph', 'Lem'), await total('pivot', 'Lem'), await total('list', 'Lem')]).toEqual([1, 1, 1])
  })

  test('a column the user may not read is neither shown nor searched, sorted nor filtered by', async () => {
    expect((await list(admin, { q: '77.25', filter: '' })).records).toHaveLength(1)
    const answers = async (purchase_price: number) => {
      const ids = where(({ pages }) => pages === 900)
      await admin.must('library.book', 'write', [ids, { purchase_price }])
      const asked = await Promise.all([
        list(demo, { q: '77.25' }),
        list(demo, { q: '5' }),
        list(demo, {}),
        list(demo, { filter: 'long' }),
        refuseWorkspace(demo, { action: views.actions.books, sort: 'purchase_price' }),
        refuseWorkspace(demo, { action: views.actions.books, filter: 'dear' }),
      ])
      return asked.map((answer) => JSON.stringify({ ...answer, csrfToken: '' }))
    }
    const low = await answers(5)
    expect(await answers(77.25)).toEqual(low)
    expect(low.slice(0, 4).join()).not.toContain('purchase_price')
    expect(JSON.parse(low[0]!)).toMatchObject({ records: [], listTotal: 0 })
    expect(JSON.parse(low[2]!)).toMatchObject({ listFilter: 'long', search: { defaultFilters: ['long'] } })
    expect(JSON.parse(low[4]!)).toMatchObject({ code: 'ACCESS_DENIED' })
    expect(JSON.parse(low[5]!)).toMatchObject({ code: 'BAD_REQUEST' })
  })

  test('a search view has its fields, its filters with the values of this user, and its panel', async () => {
    const { search } = await openWorkspace(demo, { action: views.actions.books })
    const userId = (await admin.must<{ id: number }[]>('core.user', 'search', [[['login', '=', 'demo']]]))[0]!.id
    expect(search.fields).toEqual([
      {
        name: 'title',
        label: 'Title',
        type: 'char',
        filterDomain: ['|', ['title', 'ilike', 'self'], ['isbn', 'ilike', 'self']],
      },
      { name: 'author_id', label: 'Author', type: 'many2one' },
    ])
    expect(search.filters.map(({ name }) => name)).toEqual([
      ...['available', 'ordered', 'long', 'mine', 'published', 'by_author'],
    ])
    expect(search.filters.find(({ name }) => name === 'mine')?.domain).toEqual([['create_uid', '=', userId]])
    expect(search.filters.find(({ name }) => name === 'by_author')).toMatchObject({ groupBy: 'author_id' })
    expect(search.panel).toEqual([
      { field: 'shelf_id', label: 'Shelf', multi: false, hierarchical: true },
      { field: 'state', label: 'State', multi: true, hierarchical: false },
    ])
    expect(search.grouped.map(({ name }) => name)).toEqual(['author_id', 'shelf_id', 'state'])
    expect(search.grouped.at(-1)?.selection).toContainEqual(['available', 'Available'])
  })

  test('a list costs two round trips, a board five at most', async () => {
    const count = async (params: Params) => {
      await openWorkspace(demo, params)
      host.database.statements.length = 0
      await openWorkspace(demo, params)
      return host.database.statements.length
    }
    const action = views.actions.books
    expect(await count({ action, view_type: 'list' })).toBe(2)
    expect(await count({ action, view_type: 'list', q: 'a', sort: '-pages', filter: 'long,published:2025' })).toBe(2)
    expect(await count({ model: 'library.shelf' })).toBe(2)
    expect(await count({ view_type: 'list' })).toBe(3)
    expect(await count({ action, id: books[0]!.id })).toBe(2)
    expect(await count({ action, view_type: 'kanban' })).toBeLessThanOrEqual(5)
    expect(await count({ action, view_type: 'graph' })).toBe(2)
  })

  test('a board shows forty cards of a column and counts all of them', async () => {
    const [author] = await admin.must<{ id: number }[]>('library.author', 'search', [[]])
    const [hall] = await admin.must<{ id: number }[]>('library.shelf', 'search', [[['name', '=', 'Hall']]])
    const many = Array.from({ length: 60 }, (_, i) => ({
      title: `Row ${String(i).padStart(3, '0')}`,
      author_id: author!.id,
      shelf_id: hall!.id,
    }))
    await admin.must('library.book', 'create_many', [many])
    const board = await openWorkspace(demo, { action: views.actions.books, view_type: 'kanban', q: 'Row' })
    expect(board.arch.kanban?.columns.map(({ label, count }) => [label, count])).toEqual(
      expect.arrayContaining([['Hall', 60]]),
    )
    expect(board.listTotal).toBe(60)
    expect(board.records.map(({ title }) => title)).toEqual(many.slice(0, 40).map(({ title }) => title))
  })

  test('a list beyond 10,000 records says that there are more, and on its later pages at least as many as they reach', async () => {
    await host.modules.asSystem(async (env) => {
      const { sql } = await import('../../kernel/sql/sql.ts')
      await sql`insert into library_author (name, active, version) select 'Many ' || i, true, 1 from generate_series(1, 10100) i`.execute(
        env.tx,
      )
    })
    const many = await openWorkspace(demo, { action: views.actions.authors })
    expect(many).toMatchObject({ listTotal: 10_000, listTotalExact: false, listLimit: 80 })
    const later = await openWorkspace(demo, { action: views.actions.authors, offset: 10_010 })
    expect(later).toMatchObject({ listTotal: 10_090, listTotalExact: false })
    const fewer = await openWorkspace(demo, { action: views.actions.authors, q: 'Many 9999' })
    expect(fewer).toMatchObject({ listTotal: 1, listTotalExact: true })
  })
})
