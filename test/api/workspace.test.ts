import { beforeAll, expect, test } from 'vitest'
import { LIMITS } from '../../kernel/limits.ts'
import type { Agent } from '../support/agent.ts'
import { describeHost, type Host } from '../support/hosts.ts'
import { furnishLibrary, type LibraryViews } from '../support/library-views.ts'
import { askWorkspace, openWorkspace, type Params, refuseWorkspace } from '../support/workspace.ts'

describeHost('GET /web/wc/workspace', 'process', (host: Host) => {
  let views: LibraryViews
  let admin: Agent
  let demo: Agent
  let guest: Agent
  const books: Record<string, number> = {}

  beforeAll(async () => {
    views = await furnishLibrary(host.modules)
    admin = await host.signIn('admin')
    demo = await host.signIn('demo')
    guest = await host.signIn('guest')
    const rows = await admin.must<{ id: number; title: string }[]>('library.book', 'search_read', [[], ['title']])
    for (const { id, title } of rows) books[title] = id
  })

  test('a list is a page of records with exactly the fields of the view, and all a client needs around it', async () => {
    const { actions, menus } = views
    const workspace = await openWorkspace(admin, { action: actions.books })
    const place = `action=${actions.books}&menu_id=${menus.books}`
    expect(workspace).toMatchObject({
      actionId: actions.books,
      menuId: String(menus.books),
      viewType: 'list',
      model: 'library.book',
      recordId: 0,
      formEdit: false,
      csrfToken: expect.stringMatching(/^[\w-]{64}$/),
      title: 'Books',
      domain: [],
      searchDomain: [],
      listSearch: '',
      listTotal: 4,
      listTotalExact: true,
      listSort: '',
      listOffset: 0,
      listLimit: 3,
      listFilter: '',
      formBaseQuery: `${place}&view_type=form`,
      help: '<p>No book yet.</p>',
      target: 'current',
      context: {},
    })
    expect(workspace.arch).toMatchObject({ type: 'list', model: 'library.book', root: { tag: 'list' } })
    const names = workspace.arch.fields.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['title', 'author_id', 'state', 'pages', 'price', 'purchase_price', 'tag_ids']),
    )
    expect(Object.keys(workspace.arch.fields[0]!).slice(0, 2)).toEqual(['name', 'type'])
    expect(workspace.records.map(({ title }) => title)).toEqual(['Solaris', 'Persuasion', 'Ficciones'])
    for (const record of workspace.records) expect(Object.keys(record).sort()).toEqual(['id', ...names].sort())
    expect(workspace.records[0]!['author_id']).toEqual([expect.any(Number), 'Stanisław Lem'])
    expect(workspace.viewTabs).toEqual(
      ['list', 'kanban', 'form', 'graph', 'pivot'].map((mode) => ({
        mode,
        label: mode[0]!.toUpperCase() + mode.slice(1),
        href: `/web?${place}&view_type=${mode}`,
        active: mode === 'list',
      })),
    )
    expect(workspace.breadcrumbs).toEqual([
      { label: 'Library', href: `/web?action=${actions.books}&menu_id=${menus.books}` },
      { label: 'Books', href: null },
    ])
  })

  test('a page is named after its menu, unless the application has the same name', async () => {
    const { actions, menus } = views
    const crumbs = async (params: Params) => (await openWorkspace(admin, params)).breadcrumbs.map(({ label }) => label)
    const rename = (name: string) =>
      host.modules.asSystem((env) => env.model('sys.menu').write([menus.books], { name }))
    await rename('Shelves')
    expect(await crumbs({ action: actions.books })).toEqual(['Library', 'Shelves'])
    expect(await crumbs({ action: actions.authors, menu_id: menus.books })).toEqual(['Library', 'Authors'])
    await rename('Library')
    expect(await crumbs({ action: actions.books })).toEqual(['Library', 'Books'])
    await rename('Books')
  })

  test('pages follow each other, and one behind the last is empty with the number of all', async () => {
    const action = views.actions.books
    const page = async (offset: number) => {
      const { records, listTotal, listOffset } = await openWorkspace(admin, { action, offset, sort: 'title' })
      return { titles: records.map(({ title }) => title), listTotal, listOffset }
    }
    expect(await page(3)).toEqual({ titles: ['Solaris'], listTotal: 4, listOffset: 3 })
    expect(await page(80)).toEqual({ titles: [], listTotal: 4, listOffset: 80 })
  })

  test('sort orders by a field, ascending or descending, and is kept by the tabs', async () => {
    const action = views.actions.books
    const titles = async (sort: string) =>
      (await openWorkspace(admin, { action, sort, view_type: 'list' })).records.map(({ title }) => title)
    expect(await titles('title')).toEqual(['Emma', 'Ficciones', 'Persuasion'])
    expect(await titles('-pages')).toEqual(['Emma', 'Persuasion', 'Solaris'])
    const { listSort, viewTabs, formBaseQuery } = await openWorkspace(admin, {
      action,
      sort: '-pages',
      q: 'a',
      filter: '',
    })
    expect(listSort).toBe('-pages')
    for (const link of [...viewTabs.map(({ href }) => href), formBaseQuery]) {
      expect(link).toContain('filter=&q=a&sort=-pages')
    }
  })

  test('a form has its record with name and version, in edit mode when asked and allowed', async () => {
    const { actions } = views
    const id = books['Emma']!
    const form = await openWorkspace(admin, { action: actions.books, view_type: 'form', id, edit: 1 })
    expect(form).toMatchObject({ viewType: 'form', recordId: id, formEdit: true, listTotal: 1 })
    expect(form.records).toEqual([
      expect.objectContaining({ id, title: 'Emma', display_name: 'Emma', version: expect.any(Number), line_ids: [] }),
    ])
    expect(form.arch.related['line_ids']?.fields.map(({ name }) => name)).toEqual(['days'])
    expect(form.breadcrumbs.map(({ label }) => label)).toEqual(['Library', 'Books', 'Emma'])
    expect(form.breadcrumbs.map(({ href }) => href === null)).toEqual([false, false, true])
    expect(form.formBaseQuery).toContain(`view_type=form&id=${id}`)
    expect(form.viewTabs.filter(({ active }) => active)).toMatchObject([{ mode: 'form' }])
    expect(await openWorkspace(admin, { action: actions.books, id })).toMatchObject({
      viewType: 'form',
      formEdit: false,
    })
    expect(await openWorkspace(demo, { action: actions.books, id, edit: 1 })).toMatchObject({ formEdit: false })
  })

  test('a form offers only the operations that the rules allow on its record', async () => {
    const users = await admin.must<{ id: number; login: string }[]>('core.user', 'search_read', [[], ['login']])
    const idOf = (login: string) => users.find((user) => user.login === login)!.id
    const open = (login: string) =>
      openWorkspace(demo, { model: 'core.user', view_type: 'form', id: idOf(login), edit: 1 })
    expect(await open('demo')).toMatchObject({ arch: { access: { write: true } }, formEdit: true })
    expect(await open('admin')).toMatchObject({ arch: { access: { write: false } }, formEdit: false })
  })

  test('a form without an id is a new record, for users who may create one', async () => {
    const { actions } = views
    expect(await openWorkspace(admin, { action: actions.books, view_type: 'form' })).toMatchObject({
      viewType: 'form',
      recordId: 0,
      formEdit: true,
      records: [],
      breadcrumbs: [{}, {}, { label: 'New', href: null }],
    })
    expect(await refuseWorkspace(demo, { action: actions.books, view_type: 'form' })).toMatchObject({
      status: 403,
      code: 'ACCESS_DENIED',
    })
    const { viewTabs } = await openWorkspace(demo, { action: actions.books })
    expect(viewTabs.map(({ mode }) => mode)).toEqual(['list', 'kanban', 'graph', 'pivot'])
  })

  test('a record that does not exist is NOT_FOUND, one that a rule hides ACCESS_DENIED', async () => {
    const open = { action: views.actions.books, view_type: 'form' }
    const missing = { status: 404, code: 'NOT_FOUND' }
    expect(await refuseWorkspace(admin, { ...open, id: 999_999 })).toMatchObject(missing)
    expect(await refuseWorkspace(admin, { ...open, id: 999_999_999_999 })).toMatchObject(missing)
    const hidden = await host.modules.asSystem(async (env) => {
      const currency_id = (await env.model('core.currency').search([], { limit: 1 }))[0]!
      const company = await env.model('core.company').create({ name: 'Elsewhere', currency_id })
      const [author_id] = await env.model('library.author').search([], { limit: 1 })
      const values = { title: 'Hidden', author_id: author_id!, currency_id, company_id: company }
      return env.model('library.book').create(values)
    })
    expect(await refuseWorkspace(admin, { ...open, id: hidden })).toMatchObject({ status: 403, code: 'ACCESS_DENIED' })
    expect((await openWorkspace(admin, { action: views.actions.books })).listTotal).toBe(4)
  })

  test('a board has its columns with counts, sums and progress, and the first cards of each', async () => {
    const board = await openWorkspace(demo, { action: views.actions.books, view_type: 'kanban' })
    const { kanban } = board.arch
    expect(kanban).toMatchObject({ groupField: 'shelf_id', draggable: false, quickCreate: false })
    expect(kanban?.columns.map(({ label, count, sum, progress }) => [label, count, sum, progress])).toEqual([
      ['Hall', 1, 174, { draft: 1 }],
      ['Novels', 2, 723, { available: 2 }],
      ['Science Fiction', 1, 204, { available: 1 }],
    ])
    const [hall] = kanban!.columns
    expect(hall).toMatchObject({ value: expect.any(Number), fold: false, domain: [['shelf_id', '=', hall!.value]] })
    expect(board.listTotal).toBe(4)
    expect(board.records.map(({ title }) => title).sort()).toEqual(['Emma', 'Ficciones', 'Persuasion', 'Solaris'])
    const novels = board.records.filter(({ shelf_id }) => (shelf_id as [number, string])[1] === 'Novels')
    expect(novels.map(({ title }) => title)).toEqual(['Emma', 'Persuasion'])
    expect(
      (await openWorkspace(admin, { action: views.actions.books, view_type: 'kanban' })).arch.kanban,
    ).toMatchObject({
      draggable: true,
      quickCreate: true,
    })
  })

  test('views of sums get no records but their number, and a calendar the days around today', async () => {
    const { actions } = views
    for (const view_type of ['graph', 'pivot']) {
      const sums = await openWorkspace(admin, { action: actions.books, view_type })
      expect(sums).toMatchObject({ viewType: view_type, records: [], listTotal: 4 })
    }
    const now = new Date()
    const day = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString()
    const loans = await host.modules.asSystem(async (env) => {
      const [borrower_id] = await env.model('core.partner').search([], { limit: 1 })
      const times = [
        { date_loan: day(0) },
        { date_loan: day(-200) },
        { date_loan: day(-200), date_due: day(1).slice(0, 10) },
        { date_loan: day(200) },
      ]
      return env.model('library.loan').createMany(times.map((time) => ({ borrower_id: borrower_id!, ...time })))
    })
    const calendar = await openWorkspace(admin, { action: actions.loans })
    expect(calendar).toMatchObject({ viewType: 'calendar', listTotal: 1 })
    expect(calendar.records.map(({ id }) => id)).toEqual([loans[0]])
    const { from, to } = calendar.window!
    expect(from < day(0) && day(0) < to && from.endsWith('-01') && to.endsWith('-01')).toBe(true)
    const gantt = await openWorkspace(admin, { action: actions.loans, view_type: 'gantt' })
    expect(gantt.records.map(({ id }) => id).sort()).toEqual([loans[0], loans[2]].sort())
    expect(await openWorkspace(admin, { action: actions.loans, view_type: 'cohort' })).toMatchObject({
      viewType: 'cohort',
      records: [],
      listTotal: 4,
    })
  })

  test('a map has the records with a place', async () => {
    const id = await admin.must('core.partner', 'create', [{ name: 'Here', latitude: 52.5, longitude: 13.4 }])
    await admin.must('core.partner', 'create', [{ name: 'Nowhere' }])
    const map = await openWorkspace(admin, { action: views.actions.places })
    expect(map).toMatchObject({ viewType: 'map', listTotal: 1, records: [{ id, latitude: 52.5, longitude: 13.4 }] })
  })

  test("an action's defaults are those the user may fill in, with the user's values for names", async () => {
    const defaultsOf = async (agent: Agent) => (await openWorkspace(agent, { action: views.actions.books })).defaults
    const company_id = expect.any(Number)
    expect(await defaultsOf(admin)).toEqual({ state: 'available', is_rare: true, purchase_price: 5, company_id })
    expect(await defaultsOf(demo)).toEqual({})
  })

  test("an action's domain, filters and values apply until filters are named", async () => {
    const action = views.actions.available
    const first = await openWorkspace(admin, { action })
    expect(first).toMatchObject({
      viewType: 'kanban',
      listFilter: 'long,dear',
      domain: [['state', '=', 'available']],
      searchDomain: [
        ['pages', '>', 240],
        ['purchase_price', '>', 10],
        ['title', 'ilike', 'e'],
      ],
      search: { defaultFilters: ['long', 'dear'], defaultValues: { title: 'e' } },
      context: { group_by: 'state' },
      listTotal: 0,
    })
    const titles = async (params: Params) =>
      (await openWorkspace(admin, { action, view_type: 'list', ...params })).records.map(({ title }) => title)
    expect(await titles({ filter: '' })).toEqual(['Solaris', 'Persuasion', 'Emma'])
    expect(await titles({ filter: 'long' })).toEqual(['Persuasion', 'Emma'])
  })

  test("without an action or a model the workspace opens the user's start page", async () => {
    const { actions, menus } = views
    expect(await openWorkspace(demo, {})).toMatchObject({ actionId: actions.books, menuId: String(menus.books) })
    expect(await openWorkspace(demo, { menu_id: menus.authors })).toMatchObject({ actionId: actions.authors })
    expect(await openWorkspace(demo, { menu_id: menus.stock })).toMatchObject({ actionId: actions.books })
    await host.modules.asSystem(async (env) => {
      const users = await env.model('core.user').search([['login', '=', 'demo']])
      await env.model('core.user').write(users, { action_id: actions.authors })
    })
    expect(await openWorkspace(demo, {})).toMatchObject({ actionId: actions.authors, menuId: String(menus.authors) })
    await host.modules.asSystem(async (env) => {
      const users = await env.model('core.user').search([['login', '=', 'demo']])
      await env.model('core.user').write(users, { action_id: actions.rules })
    })
    expect(await openWorkspace(demo, {})).toMatchObject({ actionId: actions.books })
  })

  test('a model opens without an action, in the views it has', async () => {
    const loans = await openWorkspace(demo, { model: 'library.loan' })
    expect(loans).toMatchObject({ actionId: 0, menuId: '', viewType: 'list', title: 'Loan', domain: [], listLimit: 80 })
    expect(loans.viewTabs.map(({ mode }) => mode)).toEqual(['list', 'form', 'calendar', 'gantt', 'cohort'])
    expect(loans.viewTabs[1]!.href).toBe('/web?model=library.loan&view_type=form')
    const authors = await openWorkspace(demo, { model: 'library.author' })
    expect(authors.viewTabs.map(({ mode }) => mode)).toEqual(['list'])
    expect(authors.breadcrumbs.map(({ label }) => label)).toEqual(['Library', 'Author'])
    expect(await refuseWorkspace(demo, { model: 'library.author', view_type: 'gantt' })).toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('view_type'),
    })
  })

  test('a view type that an action does not have is replaced by its first one', async () => {
    expect(await openWorkspace(demo, { action: views.actions.authors, view_type: 'kanban' })).toMatchObject({
      viewType: 'list',
    })
  })

  test('every wrong parameter is BAD_REQUEST and named', async () => {
    const action = views.actions.books
    const wrong: readonly Params[] = [
      { action: 'books' },
      { action: -1 },
      { action: 1.5 },
      { menu_id: 'x', action },
      { view_type: 'tree', action },
      { view_type: 'search', action },
      { id: 'x', action },
      { id: -1, action },
      { edit: 'yes', action },
      { q: 'x'.repeat(LIMITS.likeOperandChars + 1), action },
      { q: 'a\0b', action },
      { filter: 'nonsense', action },
      { filter: 'long:2026', action },
      { filter: 'published:soon', action },
      { sort: 'title desc', action },
      { sort: 'nonsense', action },
      { sort: 'line_ids', action },
      { sort: 'title;drop table core_user--', action },
      { offset: -1, action },
      { offset: 1_000_001, action },
    ]
    for (const params of wrong) {
      const [name] = Object.keys(params)
      expect(await refuseWorkspace(admin, params), JSON.stringify(params).slice(0, 80)).toMatchObject({
        status: 400,
        code: 'BAD_REQUEST',
        message: expect.stringContaining(name!),
      })
    }
    expect((await askWorkspace(admin, { action, msg: 'imported_1' })).status).toBe(200)
    expect((await admin.get(`/web/wc/workspace?action=${action}&action=${action}`)).status).toBe(400)
  })

  test('an unknown action or record is NOT_FOUND, one for other users ACCESS_DENIED', async () => {
    const { actions, menus } = views
    const denied = { status: 403, code: 'ACCESS_DENIED' }
    const missing = { status: 404, code: 'NOT_FOUND' }
    expect(await refuseWorkspace(demo, { action: 999_999 })).toMatchObject(missing)
    expect(await refuseWorkspace(demo, { action: 999_999_999_999 })).toMatchObject(missing)
    expect(await refuseWorkspace(demo, { model: 'no.model' })).toMatchObject(missing)
    expect(await refuseWorkspace(demo, { model: '__proto__' })).toMatchObject(missing)
    expect(await refuseWorkspace(demo, { action: actions.librarians })).toMatchObject(denied)
    expect(await refuseWorkspace(demo, { action: actions.rules })).toMatchObject(denied)
    expect(await refuseWorkspace(guest, { action: actions.books })).toMatchObject(denied)
    expect(await refuseWorkspace(guest, { model: 'library.book' })).toMatchObject(denied)
    expect(await openWorkspace(demo, { action: actions.books, menu_id: menus.office })).toMatchObject({
      menuId: String(menus.books),
    })
    expect(await openWorkspace(admin, { action: actions.librarians })).toMatchObject({ menuId: String(menus.office) })
  })

  test('pages of other sites, API keys and visitors are refused', async () => {
    const params = { action: views.actions.books }
    for (const site of ['cross-site', 'same-site']) {
      expect(await refuseWorkspace(admin.with({ 'sec-fetch-site': site }), params)).toMatchObject({ status: 403 })
    }
    for (const site of ['same-origin', 'none']) {
      expect((await askWorkspace(admin.with({ 'sec-fetch-site': site }), params)).status).toBe(200)
    }
    expect(await refuseWorkspace(host.anonymous(), params)).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    expect(await refuseWorkspace(await host.apiKey('admin'), params)).toMatchObject({ status: 401 })
  })
})
