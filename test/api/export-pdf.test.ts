import { beforeAll, expect, test } from 'vitest'
import { LIMITS } from '../../kernel/limits.ts'
import type { Agent } from '../support/agent.ts'
import { hire } from '../support/api-database.ts'
import { describeHost, describeHosts, type Host } from '../support/hosts.ts'
import { furnishLibrary, type LibraryViews } from '../support/library-views.ts'
import { checkPdf, pdfInfo, pdfStructure, pdfText } from '../support/pdf.ts'

type Params = Readonly<Record<string, string | number>>

const address = (params: Params) =>
  `/web/export/pdf?${new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]))}`

const fileOf = async (as: Agent, params: Params): Promise<Uint8Array> => {
  const response = await as.get(address(params))
  const body = new Uint8Array(await response.arrayBuffer())
  if (response.status !== 200) throw new Error(`${response.status}: ${new TextDecoder().decode(body)}`)
  return body
}

const refusal = async (as: Agent, params: Params): Promise<string> => {
  const response = await as.get(address(params), { accept: 'application/json' })
  const { error } = (await response.json()) as { error: { code: string; details: { reason: string } } }
  return `${error.code} ${error.details.reason}`
}

const BOOKS = { model: 'library.book', fields: 'title,author_id,pages,price' } as const

describeHosts('GET /web/export/pdf', (host: Host) => {
  let views: LibraryViews
  let admin: Agent

  beforeAll(async () => {
    views = await furnishLibrary(host.modules)
    admin = await host.signIn('admin')
  })

  test('is a sound file with a title, a language, headings and a table, named after the action', async () => {
    const response = await admin.get(address({ ...BOOKS, action: views.actions.books }))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/pdf')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="Books.pdf"')
    const file = new Uint8Array(await response.arrayBuffer())
    checkPdf(file)
    expect(pdfInfo(file)).toMatchObject({ Title: 'Books', Pages: '1', Tagged: 'yes' })
    expect(pdfInfo(file)['Page size']).toContain('A4')
    expect(new TextDecoder('latin1').decode(file)).toContain('%PDF-1.7')
    const structure = pdfStructure(file)
    expect(structure).toMatch(/H1[\s\S]*"Books"/)
    expect(structure).toMatch(/Table[\s\S]*TR[\s\S]*TH[\s\S]*"Title"[\s\S]*TD[\s\S]*"Solaris"/)
  })

  test('shows every record with its values, the totals, the filters in words and the page number', async () => {
    const text = pdfText(
      await fileOf(admin, {
        ...BOOKS,
        domain: '["|",["state","=","available"],["title","ilike","sol"]]',
        order: 'pages desc',
      }),
    )
    expect(text).toContain('Stanisław Lem')
    expect(text).toMatch(/\d records, by Pages, descending/)
    expect(text).toContain('State: Available or Title: contains “sol”')
    expect(text).toContain('Page 1 of 1')
    expect(text).toMatch(/Printed .+ by /)
  })

  test.each([
    ['a4', /595\.\d+ x 841\.\d+/],
    ['legal', /612 x 1008/],
    ['letter', /612 x 792/],
  ])('page_size=%s', async (page_size, size) => {
    expect(pdfInfo(await fileOf(admin, { ...BOOKS, page_size }))['Page size']).toMatch(size)
  })
})

describeHost('GET /web/export/pdf', 'process', (host: Host) => {
  let views: LibraryViews
  let admin: Agent
  let demo: Agent
  let guest: Agent

  beforeAll(async () => {
    views = await furnishLibrary(host.modules)
    admin = await host.signIn('admin')
    demo = await host.signIn('demo')
    guest = await host.signIn('guest')
  })

  test('one record is a sheet: a fact for each field, a table for its lines', async () => {
    const books = await admin.must<{ id: number }[]>('library.book', 'search_read', [[], ['id']], { limit: 2 })
    const [member] = await admin.must<{ id: number }[]>('core.partner', 'search_read', [[], ['name']], { limit: 1 })
    const id = await admin.must<number>('library.loan', 'create', [
      { borrower_id: member!.id, line_ids: books.map((book, i) => [0, 0, { book_id: book.id, days: i + 30 }]) },
    ])
    const file = await fileOf(admin, {
      model: 'library.loan',
      id,
      fields: 'name,borrower_id,line_ids/book_id,line_ids/days',
    })
    checkPdf(file)
    const text = pdfText(file)
    expect(text).toMatch(/Borrower .+\n/)
    expect(text).toMatch(/Emma\s+30\n/)
    expect(text).toMatch(/Ficciones\s+31\n/)
    expect(pdfInfo(file)['Tagged']).toBe('yes')
  })

  test('a document that an addon describes is a letter with address, facts, lines, total and text', async () => {
    const [book] = await admin.must<{ id: number }[]>('library.book', 'search_read', [[['title', '=', 'Emma']], ['id']])
    const [euro] = await admin.must<{ id: number }[]>('core.currency', 'search_read', [[['name', '=', 'EUR']], ['id']])
    const member = await admin.must<number>('core.partner', 'create', [
      { name: 'Ada Reader', zip: '89073', city: 'Ulm' },
    ])
    const id = await admin.must<number>('library.loan', 'create', [
      {
        borrower_id: member,
        currency_id: euro!.id,
        date_due: '2026-12-24',
        note: 'Keep it dry.',
        line_ids: [[0, 0, { book_id: book!.id, days: 30, fee: 0.5 }]],
      },
    ])
    const [loan] = await admin.must<{ name: string }[]>('library.loan', 'read', [[id], ['name']])
    const slip = { model: 'library.loan', id, document: 'loan_slip' }
    const file = await fileOf(admin, slip)
    checkPdf(file)
    expect(pdfInfo(file)).toMatchObject({ Title: `Loan Slip ${loan!.name}`, Tagged: 'yes' })
    const text = pdfText(file)
    for (const part of ['Ada Reader', '89073 Ulm', 'Due on', 'Fees', 'House Rules', 'Keep it dry.'])
      expect(text).toContain(part)
    expect(text).toMatch(/Emma\s+30\s+.*15\.00/)
    await admin.must('library.loan', 'call', [id, 'action_return'])
    expect(pdfInfo(await fileOf(admin, slip))['Title']).toBe(`Receipt ${loan!.name}`)
    expect(await refusal(guest, slip)).toMatch(/^(ACCESS_DENIED|NOT_FOUND) /)
  })

  test('is in the language of the user, with its numbers and dates', async () => {
    const greta = await hire(host.modules, 'greta', ['library.group_librarian'])
    await admin.must('core.user', 'write', [[greta], { lang: 'de' }])
    const id = await admin.must<number>('library.book', 'create', [
      {
        title: 'Ulysses',
        author_id: await anAuthor(admin),
        pages: 1234,
        published_on: '1922-02-02',
        is_rare: true,
        price: 1234.5,
      },
    ])
    const german = await host.signIn('greta')
    const text = pdfText(
      await fileOf(german, {
        model: 'library.book',
        fields: 'title,pages,published_on,is_rare,price',
        ids: id,
        order: 'title',
      }),
    )
    expect(text).toContain('Seite 1 von 1')
    expect(text).toContain('1 Datensatz, nach')
    expect(text).toContain('Ulysses 1.234 02.02.1922 Ja 1.234,50')
    await admin.must('library.book', 'unlink', [[id]])
  })

  test('has the access of RPC: hidden fields, models and records, and the scope of a session', async () => {
    expect(await refusal(demo, { ...BOOKS, fields: 'title,purchase_price' })).toBe('ACCESS_DENIED field_access')
    expect(await refusal(demo, { ...BOOKS, domain: '[["purchase_price",">",1]]' })).toBe('ACCESS_DENIED field_access')
    expect(await refusal(demo, { ...BOOKS, order: 'purchase_price' })).toBe('ACCESS_DENIED field_access')
    expect(await refusal(guest, BOOKS)).toBe('ACCESS_DENIED model_access')
    expect(await refusal(admin, { model: 'core.user', fields: 'password' })).toBe('ACCESS_DENIED field_access')
    expect(await refusal(admin, { ...BOOKS, id: 999_999 })).toBe('NOT_FOUND record_not_found')
    const seen = await demo.must<{ title: string }[]>('library.book', 'search_read', [[], ['title']])
    const text = pdfText(await fileOf(demo, { ...BOOKS, fields: 'title' }))
    // Times are written as in the region of the caller.
    const timed = { ...BOOKS, fields: 'title,create_date' }
    expect(pdfText(await fileOf(admin, timed))).toMatch(/:\d\d\s[AP]M/)
    expect(pdfText(await fileOf(admin, { ...timed, locale: 'en-GB' }))).not.toMatch(/:\d\d\s[AP]M/)
    expect(pdfText(await fileOf(admin, { ...timed, locale: 'de-DE' }))).toMatch(/:\d\d\s[AP]M/)
    expect(await refusal(admin, { ...timed, locale: 'x' })).toBe('BAD_REQUEST input_invalid')
    expect(text).toContain(`${seen.length} records`)
    for (const { title } of seen) expect(text).toContain(title)
    const keyed = await host.apiKey('admin', { scope: {} })
    const answer = await keyed.get(address(BOOKS), { accept: 'application/json' })
    expect(answer.status).toBe(401)
    await answer.body?.cancel()
    const anonymous = await host.anonymous().get(address(BOOKS), { accept: 'application/json' })
    expect(anonymous.status).toBe(401)
    await anonymous.body?.cancel()
    const crossed = await admin.get(address(BOOKS), { 'sec-fetch-site': 'cross-site', accept: 'application/json' })
    expect(crossed.status).toBe(403)
    await crossed.body?.cancel()
  })

  test.each([
    [{ fields: 'title' }, 'BAD_REQUEST input_invalid'],
    [{ model: 'library.book' }, 'BAD_REQUEST input_invalid'],
    [{ ...BOOKS, page_size: 'a5' }, 'BAD_REQUEST input_invalid'],
    [{ ...BOOKS, fields: 'nothing' }, 'BAD_REQUEST field_unknown'],
    [{ ...BOOKS, id: 'x' }, 'BAD_REQUEST input_invalid'],
    [{ ...BOOKS, domain: '{}' }, 'BAD_REQUEST input_invalid'],
    [{ ...BOOKS, action: 999_999 }, 'NOT_FOUND action_unknown'],
    [{ model: 'no.model', fields: 'id' }, 'NOT_FOUND model_unknown'],
    [
      {
        model: 'core.partner',
        fields: Array.from({ length: 31 }, (_, i) => `${'parent_id.'.repeat(i % 5)}name`).join(),
      },
      'BAD_REQUEST limit_exceeded',
    ],
    // The same field, spelled differently.
    [
      { model: 'core.partner', id: 1, fields: 'name,parent_id.parent_id.name,parent_id/parent_id.name' },
      'BAD_REQUEST input_invalid',
    ],
    [
      { model: 'core.partner', id: 1, fields: Array.from({ length: 101 }, (_, i) => `x${i}`).join() },
      'BAD_REQUEST limit_exceeded',
    ],
  ] as const)('%j is refused as %s', async (params, expected) => {
    expect(await refusal(admin, params as Params)).toBe(expected)
  })

  test(`more than ${LIMITS.pdfRows} rows are refused before a file begins, and an empty list is a report too`, async () => {
    await host.modules.asSystem((env) =>
      env.model('core.tag').createMany(Array.from({ length: LIMITS.pdfRows + 1 }, (_, i) => ({ name: `Tag ${i}` }))),
    )
    expect(await refusal(admin, { model: 'core.tag', fields: 'name' })).toBe('BAD_REQUEST limit_exceeded')
    const few = await fileOf(admin, { model: 'core.tag', fields: 'name', limit: 3 })
    expect(pdfText(few)).toContain('3 records')
    const none = await fileOf(admin, { model: 'core.tag', fields: 'name', domain: '[["name","=","No such tag"]]' })
    checkPdf(none)
    expect(pdfText(none)).toContain('0 records')
  })

  test('a condition that a filter repeats is shown once', async () => {
    const domain = '[["state","in",["available","lent"]],["title","!=","x"],["state","in",["available","lent"]]]'
    const text = pdfText(await fileOf(admin, { ...BOOKS, domain })).replaceAll(/\s+/g, ' ')
    expect(text).toContain('Available or ')
    expect(text).not.toMatch(/(Available or \w+( \w+)?), \1/)
  })

  test('of many values of a filter the first are named, and the others counted', async () => {
    const ids = Array.from({ length: 500 }, (_, i) => i + 900_000)
    const domain = JSON.stringify([['id', 'in', ids]])
    const text = pdfText(await fileOf(admin, { model: 'core.partner', fields: 'name', domain }))
    expect(text.replace(/\s+/g, ' ')).toContain('#900008 or #900009 or 490 more')
  })

  test('a record whose name cannot be seen alone lends its file the name of its model', async () => {
    const id = await admin.must<number>('core.partner', 'create', [{ name: '\u0300\u0301' }])
    const response = await admin.get(address({ model: 'core.partner', fields: 'name', id }))
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="Contact.pdf"')
    await response.body?.cancel()
  })

  test('long texts are cut with a mark, in a list soon and in a sheet late', async () => {
    const note = `<p>${'word &amp; more '.repeat(4_000)}</p>`
    const id = await admin.must<number>('core.partner', 'create', [{ name: 'Long', note }])
    const shown = async (params: Params) =>
      pdfText(await fileOf(admin, { model: 'core.partner', fields: 'name,note', ...params })).match(/word &/g)!.length
    expect(await shown({ ids: id })).toBe(25)
    const sheet = await shown({ id })
    expect(sheet).toBeGreaterThan(600)
    expect(sheet).toBeLessThan(900)
    expect(pdfText(await fileOf(admin, { model: 'core.partner', fields: 'name,note', id }))).toContain('…')
    await admin.must('core.partner', 'unlink', [[id]])
  })

  test(`a sheet has at most ${LIMITS.pdfRows} rows, by whatever way its columns lead to them`, async () => {
    const note = `<p>${'x'.repeat(5_000)}</p>`
    const id = await host.modules.asSystem((env) =>
      env.model('core.partner').create({
        name: 'Many',
        child_ids: Array.from({ length: 150 }, (_, i) => [0, 0, { name: `Child ${i}`, note }] as const),
      }),
    )
    // Each child leads to its parent, and that to every child: 150 × 150 rows.
    const again = 'child_ids/parent_id/child_ids/'
    const sheet = (fields: string) => refusal(admin, { model: 'core.partner', id, fields })
    expect(await sheet(`name,${again}name`)).toBe('BAD_REQUEST limit_exceeded')
    const file = await fileOf(admin, { model: 'core.partner', id, fields: 'name,child_ids/name,child_ids/note' })
    expect(pdfText(file)).toContain('Child 149')
  })

  test('a wide list lies on its side, and the header is on every page', async () => {
    const fields = 'name,email,phone,street,city,zip,country_id,vat,website,function,parent_id,user_id'
    await admin.must('core.partner', 'create_many', [
      Array.from({ length: 60 }, (_, i) => ({
        name: `A rather long name of a company ${i}`,
        street: 'Long Street 12345',
      })),
    ])
    const file = await fileOf(admin, { model: 'core.partner', fields })
    expect(pdfInfo(file)['Page size']).toMatch(/^841\.\d+ x 595/)
    const pages = pdfText(file).split('\f').slice(0, -1)
    expect(pages.length).toBeGreaterThan(1)
    for (const page of pages) expect(page).toMatch(/Name .*Postal/)
    expect(pages.at(-1)).toContain(`Page ${pages.length} of ${pages.length}`)
  })

  test('any text is drawn: a character that no font has is a box, but copied text has the character', async () => {
    const title = 'Łódź 東京 שלום مرحبا 👩‍👩‍👧 \u0001\u200b e\u0301 ﷽'
    const id = await admin.must<number>('library.book', 'create', [{ title, author_id: await anAuthor(admin) }])
    const file = await fileOf(admin, { model: 'library.book', fields: 'title', ids: id })
    checkPdf(file)
    expect(pdfText(file)).toContain('Łódź 東京')
    await admin.must('library.book', 'unlink', [[id]])
  })

  test('the action decides which records, as in a list', async () => {
    const text = pdfText(await fileOf(admin, { ...BOOKS, action: views.actions.available }))
    expect(text).not.toContain('Ficciones')
    expect(text).toContain('Solaris')
  })
})

const anAuthor = async (as: Agent): Promise<number> =>
  (await as.must<{ id: number }[]>('library.author', 'search_read', [[], ['id']], { limit: 1 }))[0]!.id
