import { describe, expect, test } from 'vitest'
import { sql } from '../../kernel/sql/sql.ts'
import { PIXEL } from '../support/pixel.ts'
import { asLib, change, make, newBook, people, useLibraryStaff } from './library-staff.ts'

useLibraryStaff()

describe('a create', () => {
  test('gives ids in the order of the values, with one INSERT for all of them', async () => {
    await asLib(async (env) => {
      const records = Array.from({ length: 300 }, (_, i) => ({ name: `Author ${i}` }))
      people.database.statements.length = 0
      const ids = await make(env, 'library.author', ...records)
      expect(people.database.statements.filter((text) => text.includes('insert into "library_author"'))).toHaveLength(1)
      const names = await env.model('library.author').read(ids, ['name'])
      expect(names.map((row) => row.name)).toEqual(records.map((record) => record.name))
    })
  })

  test('fills defaults, also of fields its caller may not write, and keeps the creator', async () => {
    const [row] = await asLib(async (env) =>
      env
        .model('library.book')
        .read([await newBook(env)], ['state', 'active', 'is_rare', 'company_id', 'create_uid', 'version']),
    )
    expect(row).toMatchObject({
      state: 'draft',
      active: true,
      is_rare: false,
      company_id: [1, 'My Company'],
      version: 1,
    })
    expect(row!.create_uid?.[1]).toBe('lib')
  })

  test.each([
    ['an unknown field', { nope: 1 }, 'nope'],
    ['a missing required value', { title: null }, 'title'],
    ['an empty required text', { title: '' }, 'title'],
    ['a value of the wrong type', { pages: '12' }, 'pages'],
    ['a fraction for a whole number', { pages: 1.5 }, 'pages'],
    ['a number beyond its column', { pages: 3_000_000_000 }, 'pages'],
    ['a key outside the selection', { state: 'burnt' }, 'state'],
    ['a date that does not exist', { published_on: '2026-02-30' }, 'published_on'],
    ['a text that is too long', { isbn: 'x'.repeat(18) }, 'isbn'],
    ['a NUL', { summary: 'a\0b' }, 'summary'],
    ['a lone surrogate', { summary: 'a\ud800' }, 'summary'],
    ['bad base64', { scan: 'a' }, 'scan'],
    ['a picture that is none', { cover: 'aGVsbG8=' }, 'cover'],
    ['a command of the wrong shape', { tag_ids: [[9, 1]] }, 'tag_ids'],
    ['a computed value', { loan_days: 3 }, 'loan_days'],
    ['what a SQL check refuses', { pages: 0 }, 'pages'],
    ['what a check in code refuses', { published_on: '1800-01-01' }, 'published_on'],
    ['a reference that is none', { subject: 'library.book' }, 'subject'],
  ])('refuses %s, naming the field', async (_what, values, field) => {
    await expect(asLib((env) => newBook(env, values))).rejects.toMatchObject({
      code: 'VALIDATION',
      details: { fields: { [field]: expect.any(String) } },
    })
  })

  test('names every refused field at once', async () => {
    await expect(asLib((env) => newBook(env, { pages: 'x', state: 'y', title: null }))).rejects.toMatchObject({
      details: { fields: { pages: expect.any(String), state: expect.any(String), title: expect.any(String) } },
    })
  })

  test('of a second record with a unique value is CONFLICT naming the field', async () => {
    await asLib((env) => newBook(env, { isbn: 'same' }))
    await expect(asLib((env) => newBook(env, { isbn: 'same' }))).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { fields: { isbn: expect.any(String) } },
    })
  })

  test('that links to a record which does not exist is CONFLICT', async () => {
    await expect(asLib((env) => newBook(env, { author_id: 999_999 }))).rejects.toMatchObject({ code: 'CONFLICT' })
    // The authors' side of the same link table is another field.
    await expect(asLib((env) => newBook(env, { co_author_ids: [999_999] }))).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { fields: { co_author_ids: 'Book: Further Authors must refer to existing records.' } },
    })
  })

  test('keeps every field type as it was sent', async () => {
    const values = {
      summary: 'ß 😀 %_\\',
      description: '<p>Hi</p>',
      pages: 7,
      weight: 0.125,
      price: 1234.5,
      is_rare: true,
      published_on: '1999-12-31',
      last_lent_at: '2026-03-29T01:30:00.250Z',
      scan: 'AAEC/w==',
      cover: PIXEL.png,
      metadata: { a: [1, null, { b: 'c' }] },
      subject: 'core.partner,1',
    }
    const names = Object.keys(values) as 'summary'[]
    const [row] = await asLib(async (env) => env.model('library.book').read([await newBook(env, values)], names))
    expect(row).toMatchObject(values)
  })

  test('stores an instant with an offset in UTC, and empty text as unset', async () => {
    const [row] = await asLib(async (env) => {
      const id = await newBook(env, { last_lent_at: '2026-07-01T12:00:00+02:00', summary: '' })
      return env.model('library.book').read([id], ['last_lent_at', 'summary'])
    })
    expect(row).toMatchObject({ last_lent_at: '2026-07-01T10:00:00.000Z', summary: null })
  })
})

describe('an amount', () => {
  const currency = (name: string) =>
    people.asSystem(async (env) => (await env.model('core.currency').search([['name', '=', name]]))[0]!)
  const priceOf = (id: number) =>
    people.asSystem(async (env) => (await env.model('library.book').read([id], ['price', 'weight']))[0]!)

  test('is rounded by the currency of its record, halves away from zero', async () => {
    const [euro, yen, dinar] = [await currency('EUR'), await currency('JPY'), await currency('KWD')]
    const id = await asLib((env) => newBook(env, { price: 1.005, weight: 1.005, currency_id: euro }))
    expect(await priceOf(id)).toMatchObject({ price: 1.01, weight: 1.005 })
    await asLib((env) => change(env, 'library.book', [id], { price: -2.675 }))
    expect(await priceOf(id)).toMatchObject({ price: -2.68 })
    await asLib((env) => change(env, 'library.book', [id], { price: 12.5, currency_id: yen }))
    expect(await priceOf(id)).toMatchObject({ price: 13 })
    await asLib((env) => change(env, 'library.book', [id], { price: 1.2345, currency_id: dinar }))
    expect(await priceOf(id)).toMatchObject({ price: 1.235 })
    await asLib((env) => change(env, 'library.book', [id], { price: null }))
    expect(await priceOf(id)).toMatchObject({ price: null })
  })

  test('of a line is rounded by the currency its order has, and without one only by its digits', async () => {
    const euro = await currency('EUR')
    const fee = (currency_id: number | null) =>
      people.asSystem(async (env) => {
        const line_ids = [[0, 0, { book_id: await newBook(env), fee: 0.125 }]]
        const [id] = await make(env, 'library.loan', { borrower_id: 1, currency_id, line_ids })
        return (await env.model('library.loan.line').searchRead([['loan_id', '=', id!]], ['fee']))[0]!.fee
      })
    expect([await fee(euro), await fee(null)]).toEqual([0.13, 0.125])
  })
})

describe('a write', () => {
  test('raises the version once per record, and all or nothing happens', async () => {
    await asLib(async (env) => {
      const ids = [await newBook(env), await newBook(env)]
      await change(env, 'library.book', [...ids, ids[0]!], { pages: 9 })
      expect(await env.model('library.book').read(ids, ['pages', 'version'])).toMatchObject([
        { pages: 9, version: 2 },
        { pages: 9, version: 2 },
      ])
      await expect(change(env, 'library.book', [...ids, 999_999], { pages: 10 })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      })
    }).catch((error) => expect(error).toBeUndefined())
  })

  test('of a field the caller may not write is ACCESS_DENIED', async () => {
    const loan = await people.asSystem(async (env) => {
      const [partner] = await env.model('core.partner').search([], { limit: 1 })
      return env.model('library.loan').create({ borrower_id: partner! })
    })
    await expect(
      people.as('reader', (env) => change(env, 'library.loan', [loan], { note: 'mine' })),
    ).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    })
    await expect(people.as('reader', (env) => make(env, 'library.book', {}))).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    })
  })

  test("cannot move a record out of the caller's own scope", async () => {
    const loan = await people.as('reader', async (env) => {
      const [partner] = await env.model('core.partner').search([], { limit: 1 })
      return env.model('library.loan').create({ borrower_id: partner! })
    })
    const boss = await people.hire('boss')
    await expect(
      people.as('reader', (env) => change(env, 'library.loan', [loan], { user_id: boss })),
    ).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    })
    const [row] = await people.asSystem((env) => env.model('library.loan').read([loan], ['user_id']))
    expect(row!.user_id?.[1]).toBe('reader')
  })

  test('between companies is refused for links that carry one, and for companies of others', async () => {
    const other = await people.asSystem(async (env) => {
      const [main] = await env.model('core.company').read([1], ['currency_id'])
      return env.model('core.company').create({ name: 'Other Ltd', currency_id: main!.currency_id[0] })
    })
    const shelf = await people.asSystem((env) =>
      env.model('library.shelf').create({ name: 'Abroad', company_id: other }),
    )
    await expect(
      people.asSystem(async (env) =>
        change(env, 'library.book', [await newBook(env, { company_id: 1 })], { shelf_id: shelf }),
      ),
    ).rejects.toMatchObject({
      code: 'VALIDATION',
      details: { fields: { shelf_id: expect.any(String) } },
    })
    await expect(asLib((env) => newBook(env, { company_id: other }))).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })

  test('takes few statements when no rule, compute or check is touched', async () => {
    await people.as('admin', async (env) => {
      const [id] = await make(env, 'core.tag', { name: 'plain' })
      people.database.statements.length = 0
      await change(env, 'core.tag', [id!], { color: 3 })
      expect(people.database.statements).toHaveLength(1)
    })
  })
})

describe('a write that began on an older version', () => {
  const begin = () =>
    asLib(async (env) => {
      const id = await newBook(env, { summary: 'one', pages: 10 })
      return { id, base: new Map([[id, 1]]) }
    })

  test('merges when others changed other fields', async () => {
    const { id, base } = await begin()
    await asLib((env) => change(env, 'library.book', [id], { pages: 11 }))
    await asLib((env) => change(env, 'library.book', [id], { summary: 'two' }, base))
    const [row] = await asLib((env) => env.model('library.book').read([id], ['pages', 'summary', 'version']))
    expect(row).toMatchObject({ pages: 11, summary: 'two', version: 3 })
  })

  test('is CONFLICT with the three values of each field that both changed', async () => {
    const { id, base } = await begin()
    await asLib((env) => change(env, 'library.book', [id], { summary: 'theirs' }))
    await asLib((env) => change(env, 'library.book', [id], { summary: 'theirs again', pages: 12 }))
    await expect(
      asLib((env) => change(env, 'library.book', [id], { summary: 'mine', is_rare: true }, base)),
    ).rejects.toMatchObject({
      code: 'CONFLICT',
      details: {
        records: { [id]: { version: 3, fields: { summary: { base: 'one', mine: 'mine', theirs: 'theirs again' } } } },
      },
    })
  })

  test('is CONFLICT for lines that both changed, too', async () => {
    const { id, base } = await begin()
    const tag = await people.asSystem((env) => env.model('core.tag').create({ name: 'first' }))
    await asLib((env) => change(env, 'library.book', [id], { tag_ids: [tag] }))
    await expect(asLib((env) => change(env, 'library.book', [id], { tag_ids: [[5]] }, base))).rejects.toMatchObject({
      details: { records: { [id]: { fields: { tag_ids: { base: [], theirs: [tag] } } } } },
    })
  })

  test('passes when others have set the same value, however a link is written', async () => {
    const { id, base } = await begin()
    const shelf = await people.asSystem((env) => env.model('library.shelf').create({ name: 'Common' }))
    await people.asSystem((env) => change(env, 'library.book', [id], { shelf_id: shelf, pages: 11 }))
    for (const shelf_id of [shelf, [shelf, 'an older name']]) {
      expect(await people.asSystem((env) => change(env, 'library.book', [id], { shelf_id, pages: 11 }, base))).toBe(
        true,
      )
    }
  })

  test('is CONFLICT for a version the record never had', async () => {
    const { id } = await begin()
    const write = asLib((env) => change(env, 'library.book', [id], { pages: 12 }, new Map([[id, 99]])))
    await expect(write).rejects.toMatchObject({ code: 'CONFLICT', message: `Book ${id} never had version 99.` })
  })

  test('is CONFLICT when the history no longer reaches back', async () => {
    const { id, base } = await begin()
    await asLib((env) => change(env, 'library.book', [id], { pages: 11 }))
    await people.asSystem((env) => env.tx.deleteFrom('sys_revision').where('res_id', '=', id).execute())
    await expect(asLib((env) => change(env, 'library.book', [id], { summary: 'x' }, base))).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  test('costs the same however many old values are kept: a write reads none of them', async () => {
    const { id } = await begin()
    await people.asSystem(async (env) => {
      const scans = async () => {
        const { rows } = await sql<{ scans: number }>`select coalesce(sum(seq_scan + idx_scan), 0)::int as scans
          from pg_stat_xact_user_tables where relname = 'sys_revision'`.execute(env.tx)
        return rows[0]!.scans
      }
      const before = await scans()
      await change(env, 'library.book', [id], { pages: 13 })
      expect(await scans()).toBe(before)
    })
  })
})
