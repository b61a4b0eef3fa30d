import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Values } from '#kernel'
import { openPeople, type People } from '../support/people.ts'
import { PIXEL } from '../support/pixel.ts'

let people: People
let lem: number

beforeAll(async () => {
  people = await openPeople(['library', 'library_extra'])
  await people.hire('lena', ['library.group_librarian'])
  await people.hire('rob', ['library.group_user'])
  lem = await people.asSystem(async (env) => (await env.model('library.author').search([['name', 'ilike', 'lem']]))[0]!)
})
afterAll(() => people.leave())

let books = 0
const addBook = (values: Values<'library.book'> = {}) =>
  people.as('lena', (env) => env.model('library.book').create({ title: `Book ${++books}`, author_id: lem, ...values }))

const addLoan = (values: Values<'library.loan'> = {}) =>
  people.as('rob', async (env) => {
    const borrower_id = await env.model('core.partner').create({ name: 'Reader', email: 'reader@example.com' })
    return env.model('library.loan').create({ borrower_id, ...values })
  })

describe('the library, an addon that uses everything,', () => {
  test('installs with its example books and their computed values', async () => {
    const rows = await people.as('rob', (env) =>
      env.model('library.author').searchRead([['book_count', '>', 0]], ['name', 'book_count', 'page_count']),
    )
    expect(rows.find((row) => row.name === 'Jane Austen')).toMatchObject({ book_count: 2, page_count: 723 })
  })

  test('keeps a value of every field type', async () => {
    const values: Values<'library.book'> = {
      isbn: '978-3-16-148410-0',
      summary: 'First line\nsecond line',
      description: '<p>Rich</p>',
      pages: 321,
      weight: 0.455,
      price: 19.9,
      is_rare: true,
      published_on: '1961-06-01',
      state: 'available',
      scan: 'AAEC',
      cover: PIXEL.png,
      metadata: { edition: 2, tags: ['a'] },
      subject: 'core.partner,1',
    }
    const id = await addBook(values)
    const fields = Object.keys(values) as (keyof typeof values)[]
    const [row] = await people.as('lena', (env) => env.model('library.book').read([id], fields))
    expect(row).toEqual({ id, ...values })
  })

  test('adds up lines into subtotals and totals, across relations', async () => {
    const [first, second] = [await addBook(), await addBook()]
    const id = await addLoan({
      line_ids: [
        [0, 0, { book_id: first, days: 10, fee: 0.5 }],
        [0, 0, { book_id: second, days: 3, fee: 1.1 }],
      ],
    })
    const loan = () =>
      people.as(
        'rob',
        async (env) =>
          (
            await env.model('library.loan').read([id], ['total', 'line_count', 'line_ids', 'name', 'borrower_email'])
          )[0]!,
      )
    const before = await loan()
    expect(before).toMatchObject({ total: 8.3, line_count: 2, borrower_email: 'reader@example.com' })
    expect(before.name).toMatch(/^L\/\d{4}\/\d{4}$/)
    await people.as('rob', (env) => env.model('library.loan.line').write([before.line_ids[0]!], { days: 20 }))
    expect(await loan()).toMatchObject({ total: 13.3 })
    await people.as('rob', (env) => env.model('library.loan.line').unlink([before.line_ids[1]!]))
    expect(await loan()).toMatchObject({ total: 10, line_count: 1 })
    const [book] = await people.as('rob', (env) => env.model('library.book').read([first], ['loan_days']))
    expect(book).toMatchObject({ loan_days: 20 })
  })

  test('follows a related field, stored or not, when the other record changes', async () => {
    const author = await people.as('lena', (env) => env.model('library.author').create({ name: 'A. Nonymous' }))
    const id = await addBook({ author_id: author })
    await people.as('lena', async (env) => {
      const [poland] = await env.model('core.country').search([['code', '=', 'PL']])
      await env.model('library.author').write([author], { name: 'Known', country_id: poland! })
    })
    const [row] = await people.as('rob', (env) =>
      env.model('library.book').searchRead([['author_name', '=', 'Known']], ['author_name', 'author_country_id']),
    )
    expect(row).toMatchObject({ id, author_name: 'Known', author_country_id: [expect.any(Number), 'Poland'] })
  })

  test('writes through the inverse of a computed field and searches through its search', async () => {
    const id = await addBook({ pages: 900 })
    await people.as('lena', (env) => env.model('library.book').write([id], { price_with_tax: 10.7 }))
    const [row] = await people.as('rob', (env) =>
      env.model('library.book').read([id], ['price', 'price_with_tax', 'is_long']),
    )
    expect(row).toMatchObject({ price: 10, price_with_tax: 10.7, is_long: true })
    const found = await people.as('rob', async (env) => ({
      long: await env.model('library.book').search([['is_long', '=', true]]),
      short: await env.model('library.book').search([['is_long', '!=', true]]),
    }))
    expect(found.long).toContain(id)
    expect(found.short).not.toContain(id)
  })

  test.each([
    ['published_on', { published_on: '1900-01-01' }],
    ['language', { language: 'english' }],
    ['title', { title: 'x'.repeat(201) }],
    ['state', { state: 'burnt' as 'lost' }],
  ])('refuses a bad %s', async (field, values) => {
    await expect(addBook(values)).rejects.toMatchObject({
      code: 'VALIDATION',
      details: { fields: { [field]: expect.any(String) } },
    })
  })

  test.each([
    ['no pages', 'pages', 'VALIDATION', { pages: 0 }],
    ['a rating beyond five stars', 'rating', 'VALIDATION', { rating: 5.5 }],
    ['the same title by the same author', 'title', 'CONFLICT', { title: 'Solaris' }],
    ['a number another book has', 'isbn', 'CONFLICT', { isbn: '978-0-14-143958-7' }],
  ])('lets PostgreSQL refuse %s', async (_what, field, code, values) => {
    await expect(addBook(values)).rejects.toMatchObject({ code, details: { fields: { [field]: expect.any(String) } } })
  })

  test('runs an action that redirects, and an override that goes through the original', async () => {
    const id = await addBook({ state: 'available' })
    const result = await people.as('lena', async (env) => {
      const borrower = await env.model('core.partner').create({ name: 'Reader' })
      return env.model('library.book').call([id], 'action_lend', { borrower_id: String(borrower) })
    })
    expect(result).toMatchObject({
      redirect: expect.stringMatching(/^\/web\?model=library\.loan&view_type=form&id=\d+$/),
    })
    await people.as('lena', (env) => env.model('library.book').call([id], 'action_mark_lost'))
    const [row] = await people.as('rob', (env) => env.model('library.book').read([id], ['state', 'rating_note']))
    expect(row).toMatchObject({ state: 'lost', rating_note: 'Lost.' })
    const rare = await addBook({ is_rare: true })
    const lose = people.as('lena', (env) => env.model('library.book').call([rare], 'action_mark_lost'))
    await expect(lose).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })

  test('takes the selection key another addon brings', async () => {
    // The declaration knows only its own keys; those of extensions exist at run time.
    const id = await addBook({ state: 'reserved' as 'draft' })
    expect(id).toBeGreaterThan(0)
  })

  test('shows shelves without a keeper to all and a keeper the own ones, and never lets a shelf hold itself', async () => {
    const lena = await people.as('lena', async (env) => env.user.id)
    const own = await people.as('lena', (env) => env.model('library.shelf').create({ name: 'Desk', keeper_id: lena }))
    expect(await people.as('lena', (env) => env.model('library.shelf').search([]))).toContain(own)
    expect(await people.as('rob', (env) => env.model('library.shelf').search([]))).not.toContain(own)
    const [hall] = await people.as('rob', (env) => env.model('library.shelf').search([['name', '=', 'Hall']]))
    const below = await people.as('rob', (env) => env.model('library.shelf').search([['id', 'child_of', hall!]]))
    expect(below).toHaveLength(3)
    for (const parent_id of below) {
      const write = people.as('lena', (env) => env.model('library.shelf').write([hall!], { parent_id }))
      await expect(write).rejects.toMatchObject({
        code: 'VALIDATION',
        details: { fields: { parent_id: expect.any(String) } },
      })
    }
  })

  test('hides a field from those outside its group', async () => {
    const id = await addBook({ purchase_price: 5 })
    const [row] = await people.as('rob', (env) => env.model('library.book').read([id], ['title', 'purchase_price']))
    expect(row).not.toHaveProperty('purchase_price')
    const search = people.as('rob', (env) => env.model('library.book').search([['purchase_price', '>', 1]]))
    await expect(search).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })
})
