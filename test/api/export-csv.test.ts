import fc from 'fast-check'
import Papa from 'papaparse'
import { beforeAll, expect, test } from 'vitest'
import type { Agent } from '../support/agent.ts'
import { describeHosts, type Host } from '../support/hosts.ts'
import { furnishLibrary, type LibraryViews } from '../support/library-views.ts'

type Params = Readonly<Record<string, string | number>>

const address = (params: Params, path = '/web/export/csv') =>
  `${path}?${new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]))}`

/** The cells of a file, without the byte order mark. */
const cellsOf = (text: string) => Papa.parse<string[]>(text, { delimiter: ',', newline: '\r\n' }).data.slice(0, -1)

describeHosts('GET /web/export/csv', (host: Host) => {
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

  const text = async (params: Params, as = admin) => {
    const response = await as.get(address(params))
    const body = await response.text()
    if (response.status !== 200) throw new Error(`${response.status}: ${body}`)
    return body
  }
  const rows = async (params: Params, as = admin) => cellsOf(await text(params, as))
  const refused = async (params: Params, as = admin) => {
    const response = await as.get(address(params), { accept: 'application/json' })
    const { error } = (await response.json()) as { error: { code: string; details: { reason: string } } }
    return `${error.code} ${error.details.reason}`
  }
  const findBook = async (title: string) =>
    (await admin.must<{ id: number }[]>('library.book', 'search_read', [[['title', '=', title]], ['id']]))[0]!.id

  test('is a file with the named fields as header and one line per record, in the order of the model', async () => {
    const response = await admin.get(address({ model: 'library.book', fields: 'title,author_id,pages,is_rare' }))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="Book.csv"')
    const body = await response.text()
    expect(body.startsWith('title,author_id,pages,is_rare\r\n')).toBe(true)
    const titles = cellsOf(body).slice(1)
    expect(titles.map(([title]) => title)).toEqual(['Emma', 'Ficciones', 'Persuasion', 'Solaris'])
    expect(titles[3]!.slice(1, 2)).toEqual(['Stanisław Lem'])
    expect(titles.every(([, , pages, rare]) => /^\d*$/.test(pages!) && /^(true|false)$/.test(rare!))).toBe(true)
  })

  test('columns have the headings that the caller chose, and the last row has the sums', async () => {
    const euro = { domain: JSON.stringify([['currency_id.name', '=', 'EUR']]) }
    const books = { model: 'library.book', fields: 'price,title,author_id', order: 'title', ...euro }
    const plain = await rows(books)
    const sum = Math.round(plain.slice(1).reduce((total, [price]) => total + Number(price), 0) * 100) / 100
    const asked = { ...books, fields: 'title,price,author_id', headings: JSON.stringify(['', '=Cost, "net"', ' ']) }
    expect((await rows(asked))[0]).toEqual(['title', `'=Cost, "net"`, 'author_id'])
    const [head, ...all] = await rows({ ...asked, labels: 1, totals: 1 })
    expect(head).toEqual(['Title', `'=Cost, "net"`, 'Author'])
    expect(all).toHaveLength(plain.length)
    expect(all.at(-1)).toEqual(['Total', String(sum), ''])
    // The word Total is left out where the first column has a sum, and a single row gets no sum.
    expect((await rows({ ...books, totals: 1 })).at(-1)).toEqual([String(sum), '', ''])
    expect(await rows({ ...books, totals: 1, limit: 1 })).toHaveLength(2)
    // Columns with ids of links have another heading than those with names.
    const ids = { model: 'library.book', fields: 'author_id,author_id/id,author_id/.id,id/id', labels: 1, limit: 1 }
    expect((await rows(ids))[0]).toEqual(['Author', 'Author/External ID', 'Author/ID', 'External ID'])
    // Amounts in several currencies have one sum for each, named in the first column with room for it.
    const mixed = { ...books, domain: '[["price", "!=", false]]' }
    const priced = (await rows({ ...mixed, fields: 'price,currency_id' })).slice(1)
    const codes = [...new Set(priced.map(([, code]) => code!))].toSorted()
    expect(codes.length).toBeGreaterThan(1)
    const sumOf = (code: string) =>
      Math.round(priced.reduce((total, [price, of]) => total + (of === code ? Number(price) : 0), 0) * 100) / 100
    expect((await rows({ ...mixed, totals: 1 })).slice(1 + priced.length)).toEqual(
      codes.map((code) => [String(sumOf(code)), `Total ${code}`, '']),
    )
    expect(await rows({ ...mixed, fields: 'price', totals: 1 })).toHaveLength(1 + priced.length)
    // The amount of a record that several rows name would count for each of them.
    const [book] = await admin.must<{ id: number; currency_id: [number, string] }[]>('library.book', 'search_read', [
      [['title', '=', 'Emma']],
      ['currency_id'],
    ])
    const {
      id: book_id,
      currency_id: [currency_id],
    } = book!
    const borrower_id = await admin.must<number>('core.partner', 'create', [{ name: 'Borrower' }])
    const line_ids = [3, 4].map((fee) => [0, 0, { book_id, fee }])
    const loan = await admin.must<number>('library.loan', 'create', [{ borrower_id, currency_id, line_ids }])
    const lines = { model: 'library.loan.line', fields: 'book_id,book_id/price,fee', totals: 1 }
    const [, ...lent] = await rows({ ...lines, domain: JSON.stringify([['loan_id', '=', loan]]) })
    expect(lent.at(-1)).toEqual(['Total', '', '7'])
    for (const headings of ['["one"]', '{}', '[1,2,3]', `["","","${'x'.repeat(201)}"]`])
      expect(await refused({ ...books, headings })).toBe('BAD_REQUEST input_invalid')
  })

  test('every field type is written as it can be imported again', async () => {
    const author = await admin.must<number>('library.author', 'create', [{ name: 'Doe, "J"' }])
    const tags = await admin.must<number[]>('core.tag', 'create_many', [[{ name: 'a, b' }, { name: 'plain' }]])
    const id = await admin.must<number>('library.book', 'create', [
      {
        title: '=SUM(A1)',
        isbn: '+1',
        summary: 'two\nlines, "quoted"',
        description: '<p>ä</p>',
        pages: 12,
        weight: 0.125,
        price: 1234.5,
        is_rare: true,
        published_on: '1999-12-31',
        state: 'available',
        author_id: author,
        tag_ids: tags,
        scan: 'AAEC',
        metadata: { a: [1, 'x'] },
        subject: `library.author,${author}`,
      },
    ])
    const fields =
      'id,title,isbn,summary,description,pages,weight,price,is_rare,published_on,last_lent_at,state,author_id,tag_ids,scan,metadata,subject,price_with_tax,author_country_id'
    const [header, cells] = await rows({ model: 'library.book', id, fields })
    expect(header!.join()).toBe(fields)
    expect(cells).toEqual([
      String(id),
      "'=SUM(A1)",
      "'+1",
      'two\nlines, "quoted"',
      '<p>ä</p>',
      '12',
      '0.125',
      '1234.5',
      'true',
      '1999-12-31',
      '',
      'available',
      'Doe, "J"',
      '"a, b",plain',
      'AAEC',
      '{"a":[1,"x"]}',
      `library.author,${author}`,
      '1320.915',
      '',
    ])
    const [[label, state]] = (await rows({ model: 'library.book', id, fields: 'isbn,state', labels: 1 })).slice(
      0,
      1,
    ) as [string[]]
    expect([label, state]).toEqual(['ISBN', 'State'])
    expect((await rows({ model: 'library.book', id, fields: 'state', labels: 1 }))[1]).toEqual(['Available'])
    await admin.must('library.book', 'unlink', [[id]])
  })

  test('links come by name, by external id and by database id, and a path steps over them', async () => {
    const fields = 'title,author_id/id,author_id/.id,author_id.name,author_id/country_id/code,id/id'
    const all = await rows({ model: 'library.book', fields, domain: '[["title","=","Solaris"]]' })
    const [author] = await admin.must<{ id: number }[]>('library.author', 'search_read', [
      [['name', '=', 'Stanisław Lem']],
      ['id'],
    ])
    expect(all[1]).toEqual([
      'Solaris',
      expect.stringMatching(/^library\.\w+$/),
      String(author!.id),
      'Stanisław Lem',
      'PL',
      expect.stringMatching(/^library\.\w+$/),
    ])
    const made = await admin.must<number>('library.author', 'create', [{ name: 'Nobody' }])
    expect(await rows({ model: 'library.author', fields: 'id/id', id: made })).toEqual([
      ['id/id'],
      [`__export__.library_author_${made}`],
    ])
    await admin.must('library.author', 'unlink', [[made]])
  })

  test('each line of a record has its own row below the record', async () => {
    const books = [await findBook('Solaris'), await findBook('Persuasion')]
    const [member] = await admin.must<{ id: number }[]>('core.partner', 'search_read', [[], ['name']], { limit: 1 })
    const loan = await admin.must<number>('library.loan', 'create', [
      {
        borrower_id: member!.id,
        line_ids: books.map((book_id, i) => [0, 0, { book_id, days: i + 3 }]),
      },
    ])
    const all = await rows({
      model: 'library.loan',
      id: loan,
      fields: '.id,line_ids.book_id.title,borrower_id,line_ids/days',
    })
    expect(all.slice(1).map(([id, , , days]) => [id, days])).toEqual([
      [String(loan), '3'],
      ['', '4'],
    ])
    expect(all.slice(1).map(([, title]) => title)).toEqual(['Solaris', 'Persuasion'])
    expect(all[2]![2]).toBe('')
  })

  test('a path that multiplies the lines of a record is refused before a file begins', async () => {
    const children = Array.from({ length: 30 }, (_, i) => [0, 0, { name: `Child ${i}` }])
    const id = await admin.must<number>('core.partner', 'create', [{ name: 'Parent', child_ids: children }])
    const around = (times: number) => `name,${'child_ids/parent_id/'.repeat(times)}child_ids/name`
    expect(await rows({ model: 'core.partner', id, fields: around(1) })).toHaveLength(1 + 900)
    expect(await refused({ model: 'core.partner', id, fields: around(2) })).toBe('BAD_REQUEST limit_exceeded')
    expect(await refused({ model: 'core.partner', id, fields: 'note,name,note' })).toBe('BAD_REQUEST input_invalid')
  })

  test('a selection, a domain, an order, a limit and the domain of an action choose the records', async () => {
    const ids = [await findBook('Solaris'), await findBook('Persuasion')]
    const titles = async (params: Params) =>
      (await rows({ model: 'library.book', fields: 'title', ...params })).slice(1).map(([title]) => title)
    expect(await titles({ ids: ids.join() })).toEqual(['Persuasion', 'Solaris'])
    expect(await titles({ ids: ids.join(), order: 'title desc' })).toEqual(['Solaris', 'Persuasion'])
    expect(await titles({ domain: '[["author_id","=","Stanisław Lem"]]' })).toEqual(['Solaris'])
    expect(await titles({ limit: 1 })).toEqual(['Emma'])
    expect(await titles({ domain: '[["title","=","No such book"]]' })).toEqual([])
    expect(await titles({ action: views.actions.available })).toEqual(['Emma', 'Persuasion', 'Solaris'])
  })

  test('the file is named after the action, whatever it is called; bom=1 marks it as UTF-8', async () => {
    const response = await admin.get(
      address({ model: 'library.book', fields: 'title', action: views.actions.books, bom: 1, limit: 1 }),
    )
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="Books.csv"')
    expect([...new Uint8Array(await response.arrayBuffer()).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  })

  test('has the access of RPC: hidden fields, hidden models and hidden records are refused', async () => {
    const book = { model: 'library.book' }
    expect(await refused({ ...book, fields: 'title,purchase_price' }, demo)).toBe('ACCESS_DENIED field_access')
    expect(await refused({ ...book, fields: 'title', domain: '[["purchase_price",">",1]]' }, demo)).toBe(
      'ACCESS_DENIED field_access',
    )
    expect(await refused({ ...book, fields: 'title', order: 'purchase_price' }, demo)).toBe(
      'ACCESS_DENIED field_access',
    )
    expect(await refused({ model: 'library.loan.line', fields: 'book_id.purchase_price' }, demo)).toBe(
      'ACCESS_DENIED field_access',
    )
    expect(await refused({ ...book, fields: 'title' }, guest)).toBe('ACCESS_DENIED model_access')
    expect(await refused({ model: 'core.user', fields: 'password' })).toBe('ACCESS_DENIED field_access')
    expect(await refused({ ...book, fields: 'title', id: 999_999 })).toBe('NOT_FOUND record_not_found')
    const seen = await demo.must<{ title: string }[]>('library.book', 'search_read', [[], ['title']])
    expect((await rows({ ...book, fields: 'title' }, demo)).slice(1).flat()).toEqual(seen.map(({ title }) => title))
  })

  test.each([
    [{ fields: 'title' }, 'BAD_REQUEST input_invalid'],
    [{ model: 'library.book' }, 'BAD_REQUEST input_invalid'],
    [{ model: 'library.book', fields: ',' }, 'BAD_REQUEST input_invalid'],
    [{ model: 'library.book', fields: 'nothing' }, 'BAD_REQUEST field_unknown'],
    [{ model: 'library.book', fields: 'author_id.nothing' }, 'BAD_REQUEST field_unknown'],
    [{ model: 'library.book', fields: 'title.name' }, 'BAD_REQUEST field_unsuitable'],
    [{ model: 'library.book', fields: 'title/id' }, 'BAD_REQUEST field_unsuitable'],
    [{ model: 'library.book', fields: `${'author_id.'.repeat(9)}name` }, 'BAD_REQUEST limit_exceeded'],
    [{ model: 'no.model', fields: 'id' }, 'NOT_FOUND model_unknown'],
    [{ model: 'library.book', fields: 'title', action: 999_999 }, 'NOT_FOUND action_unknown'],
    [{ model: 'core.partner', fields: 'name', action: 'books' }, 'BAD_REQUEST input_invalid'],
    [{ model: 'library.book', fields: 'title', id: 'x' }, 'BAD_REQUEST input_invalid'],
    [{ model: 'library.book', fields: 'title', ids: '1,x' }, 'BAD_REQUEST input_invalid'],
    [{ model: 'library.book', fields: 'title', domain: 'x' }, 'BAD_REQUEST input_invalid'],
    [{ model: 'library.book', fields: 'title', domain: '{}' }, 'BAD_REQUEST input_invalid'],
    [{ model: 'library.book', fields: 'title', domain: '[["x","=",1]]' }, 'BAD_REQUEST field_unknown'],
    [{ model: 'library.book', fields: 'title', order: 'cover' }, 'BAD_REQUEST order_invalid'],
  ] as const)('%j is refused as %s', async (params, expected) => {
    const known = 'action' in params && params.action === 'books' ? { action: views.actions.books } : {}
    expect(await refused({ ...params, ...known } as Params)).toBe(expected)
  })

  test('needs a session, and no other site may ask for it', async () => {
    const params = { model: 'library.book', fields: 'title' }
    const anonymous = await host.anonymous().get(address(params), { accept: 'application/json' })
    expect(anonymous.status).toBe(401)
    await anonymous.body?.cancel()
    const page = await host.anonymous().get(address(params), { accept: 'text/html' })
    expect([page.status, page.headers.get('location')]).toEqual([303, expect.stringContaining('/web/login?next=')])
    const crossed = await admin.get(address(params), { 'sec-fetch-site': 'cross-site', accept: 'application/json' })
    expect(crossed.status).toBe(403)
    await crossed.body?.cancel()
  })

  test('rows that the database writes as text are byte for byte those that are read value by value', async () => {
    const odd = [
      '\u001f',
      'a\u001fb',
      '"',
      'a,b',
      'a\r\nb',
      ' a',
      'a ',
      '\u00a0a',
      '=1',
      "'=1",
      "'",
      '-',
      '\ta',
      'x\u2028',
      'ß€🚀',
    ]
    const texts = [
      ...odd,
      ...fc.sample(fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }), { seed: 13, numRuns: 60 }),
    ]
      .map((text) => text.replaceAll(/[\0\p{Surrogate}]/gu, '').slice(0, 60))
      .filter((text) => text.trim() !== '')
    const [germany] = await admin.must<{ id: number }[]>('core.country', 'search_read', [[['code', '=', 'DE']], ['id']])
    const values = texts.map((name, n) => ({
      name,
      ref: texts[(n + 3) % texts.length],
      city: n % 3 === 0 ? null : texts[(n + 7) % texts.length],
      country_id: n % 2 === 0 ? null : germany!.id,
      is_company: n % 2 === 0,
    }))
    const ids = await admin.must<number[]>('core.partner', 'create_many', [values])
    await admin.must('core.partner', 'write', [ids.slice(1, 20), { parent_id: ids[0] }])
    const fields = ['id', 'name', 'ref', 'city', 'country_id', 'parent_id', 'is_company', 'active', 'create_date']
    const params = { model: 'core.partner', ids: ids.join(), order: 'id' }
    const written = await text({ ...params, fields: fields.join() })
    // A column of external ids is read after the others.
    const read = await text({ ...params, fields: [...fields, 'id/id'].join() })
    expect(cellsOf(written)).toHaveLength(ids.length + 1)
    expect(written).toBe(read.replaceAll(/,(__export__\.core_partner_\d+|id\/id)\r\n/g, '\r\n'))
  })

  test('labels of choices and names behind links are the same whether the database writes them or not', async () => {
    const params = { model: 'library.book', order: 'id', labels: '1' }
    const written = await rows({ ...params, fields: 'title,state,author_id,author_id/.id,is_rare' })
    const read = await rows({ ...params, fields: 'title,state,author_id,author_id/.id,is_rare,id/id' })
    expect(written).toEqual(read.map((cells) => cells.slice(0, -1)))
    expect(written.map(([, state]) => state)).toContain('Available')
  })

  test('GET /web/bulk/template is the header line alone', async () => {
    const path = address({ model: 'library.book', fields: 'title,author_id/id,line_ids/days' }, '/web/bulk/template')
    const response = await admin.get(path)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="Book.csv"')
    expect(await response.text()).toBe('title,author_id/id,line_ids/days\r\n')
    const denied = address({ model: 'library.book', fields: 'purchase_price' }, '/web/bulk/template')
    expect((await demo.get(denied, { accept: 'application/json' })).status).toBe(403)
  })
})
