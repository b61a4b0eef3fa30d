import { describe, expect, test } from 'vitest'
import { asLib, author, change, drop, make, newBook, people, useLibraryStaff } from './library-staff.ts'

useLibraryStaff()

describe('commands on linked records', () => {
  const lines = (id: number) =>
    people.asSystem(async (env) => {
      const [loan] = await env.model('library.loan').read([id], ['line_ids', 'total'])
      const rows = await env.model('library.loan.line').read(loan!.line_ids, ['days', 'fee'])
      return { total: loan!.total, lines: rows.map(({ id, days, fee }) => ({ id, days, fee })) }
    })

  const newLoan = (commands: unknown) =>
    asLib(async (env) => {
      const [partner] = await env.model('core.partner').search([], { limit: 1 })
      return (await make(env, 'library.loan', { borrower_id: partner, line_ids: commands }))[0]!
    })

  test('create, change, delete and replace lines, and totals follow', async () => {
    const book = await asLib((env) => newBook(env))
    const loan = await newLoan([
      [0, 0, { book_id: book, days: 2, fee: 1.5 }],
      [0, 'virtual', { book_id: book, days: 10, fee: 0.1 }],
    ])
    const before = await lines(loan)
    expect(before).toMatchObject({ total: 4, lines: [{ days: 2 }, { days: 10 }] })
    const [first, second] = before.lines.map((line) => line.id)
    await asLib((env) =>
      change(env, 'library.loan', [loan], {
        line_ids: [
          [1, first, { days: 4 }],
          [2, second],
        ],
      }),
    )
    expect(await lines(loan)).toMatchObject({ total: 6, lines: [{ id: first, days: 4 }] })
    await asLib((env) =>
      change(env, 'library.loan', [loan], { line_ids: [[5], [0, 0, { book_id: book, days: 1, fee: 9 }]] }),
    )
    expect(await lines(loan)).toMatchObject({ total: 9, lines: [{ days: 1 }] })
    await asLib((env) => change(env, 'library.loan', [loan], { line_ids: [] }))
    expect(await lines(loan)).toEqual({ total: 0, lines: [] })
  })

  test('cannot touch lines of another record', async () => {
    const book = await asLib((env) => newBook(env))
    const mine = await newLoan([])
    const other = await newLoan([[0, 0, { book_id: book }]])
    const [line] = (await lines(other)).lines
    await expect(
      asLib((env) => change(env, 'library.loan', [mine], { line_ids: [[1, line!.id, { days: 3 }]] })),
    ).rejects.toMatchObject({
      code: 'VALIDATION',
    })
    await expect(
      asLib((env) => change(env, 'library.loan', [mine], { line_ids: [[2, line!.id]] })),
    ).rejects.toMatchObject({ code: 'VALIDATION' })
  })

  test('set, add, remove and make many2many links', async () => {
    const [a, b] = await people.asSystem((env) => env.model('core.tag').createMany([{ name: 'a1' }, { name: 'b1' }]))
    const id = await asLib((env) => newBook(env, { tag_ids: [a] }))
    const tags = async (commands: unknown) => {
      await people.asSystem((env) => change(env, 'library.book', [id], { tag_ids: commands }))
      return (await people.asSystem((env) => env.model('library.book').read([id], ['tag_ids'])))[0]!.tag_ids
    }
    expect(
      await tags([
        [4, b],
        [4, b],
      ]),
    ).toEqual([a, b])
    expect(await tags([[3, a]])).toEqual([b])
    expect(await tags([a, b])).toEqual([a, b])
    expect(await tags([[6, 0, [b]]])).toEqual([b])
    expect(await tags([[0, 0, { name: 'made' }]])).toHaveLength(2)
    expect(await tags([[5]])).toEqual([])
  })

  test('go through the gates of the linked model', async () => {
    const tag = await people.asSystem((env) => env.model('core.tag').create({ name: 'not mine to delete' }))
    const id = await people.asSystem((env) => newBook(env, { tag_ids: [tag] }))
    await expect(asLib((env) => change(env, 'library.book', [id], { tag_ids: [[2, tag]] }))).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    })
    await asLib((env) => change(env, 'library.book', [id], { tag_ids: [[3, tag]] }))
  })
})

describe('an unlink', () => {
  test('deletes cascading children through the ORM and unlinks other records', async () => {
    await asLib(async (env) => {
      const [top] = await env
        .sudo('test')
        .model('library.shelf')
        .createMany([{ name: 'top' }])
      const below = await env.sudo('test').model('library.shelf').create({ name: 'below', parent_id: top! })
      const book = await newBook(env, { shelf_id: null })
      await env.sudo('test').model('library.book').write([book], { shelf_id: below })
      await drop(env.sudo('test'), 'library.shelf', [top!])
      expect(
        await env
          .sudo('test')
          .model('library.shelf')
          .search([['id', 'in', [top!, below]]]),
      ).toEqual([])
      const [row] = await env.model('library.book').read([book], ['shelf_id'])
      expect(row!.shelf_id).toBeNull()
      expect([...env.outbox.changes.get('library.shelf')!.values()]).toMatchObject([
        { channel: 'record.deleted' },
        { channel: 'record.deleted' },
      ])
    })
  })

  test('of a record others refer to is CONFLICT naming the referring model', async () => {
    await expect(asLib((env) => drop(env, 'library.author', [author]))).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('Book'),
    })
  })

  test('of an absent record is NOT_FOUND, and nothing else goes', async () => {
    const id = await asLib((env) => newBook(env))
    await expect(asLib((env) => drop(env, 'library.book', [id, 999_999]))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await asLib((env) => env.model('library.book').search([['id', '=', id]]))).toEqual([id])
  })
})

describe('an object action', () => {
  test("runs with the caller's rights and may redirect to a local page", async () => {
    const id = await asLib((env) => newBook(env))
    await asLib((env) => env.model('library.book').call([id], 'action_make_available'))
    const [row] = await asLib((env) => env.model('library.book').read([id], ['state']))
    expect(row!.state).toBe('available')
    const [partner] = await people.asSystem((env) => env.model('core.partner').search([], { limit: 1 }))
    const answer = await asLib((env) =>
      env.model('library.book').call([id], 'action_lend', { borrower_id: String(partner) }),
    )
    expect(answer).toEqual({ redirect: expect.stringMatching(/^\/web\?model=library\.loan/) })
    await expect(
      people.as('reader', (env) => env.model('library.book').call([id], 'action_mark_lost')),
    ).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    })
  })

  test('that the model does not have is NOT_FOUND', async () => {
    await expect(asLib((env) => env.model('library.book').call([1], 'constructor'))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test("reads every active id with the caller's rights", async () => {
    const id = await asLib((env) => newBook(env))
    await expect(
      asLib((env) => env.model('library.book').call([id], 'action_make_available', { active_ids: `${id},999999` })),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(
      asLib((env) => env.model('library.book').call([id], 'action_make_available', { active_ids: '1; drop' })),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })
})

describe('the outbox', () => {
  const events = async () => {
    const { db } = people.database
    const rows = await db.selectFrom('sys_outbox').select(['channel', 'payload']).orderBy('id').execute()
    await db.deleteFrom('sys_outbox').execute()
    return rows
  }

  test('publishes every create, write and unlink in its transaction, with ids only', async () => {
    await events()
    const id = await people.as('admin', async (env) => (await make(env, 'core.tag', { name: 'told' }))[0]!)
    expect(await events()).toEqual([{ channel: 'record.created', payload: { model: 'core.tag', id } }])
    await people.as('admin', (env) => change(env, 'core.tag', [id], { color: 2, name: 'told again' }))
    expect(await events()).toEqual([
      { channel: 'record.updated', payload: { model: 'core.tag', id, fields: ['color', 'name'] } },
    ])
    await people.as('admin', (env) => drop(env, 'core.tag', [id]))
    expect(await events()).toEqual([
      { channel: 'record.deleted', payload: { model: 'core.tag', id, by: [expect.any(Number), 'admin'] } },
    ])
  })

  test('has no events of a transaction that failed', async () => {
    await events()
    const failing = people.as('admin', async (env) => {
      await make(env, 'core.tag', { name: 'never' })
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await events()).toEqual([])
  })

  test('says model.changed once instead of naming more than a hundred records', async () => {
    await events()
    await people.as('admin', (env) =>
      make(env, 'core.tag', ...Array.from({ length: 101 }, (_, i) => ({ name: `many ${i}` }))),
    )
    expect(await events()).toEqual([{ channel: 'model.changed', payload: { model: 'core.tag' } }])
  })

  test('publishes records whose stored computed fields changed', async () => {
    const book = await asLib((env) => newBook(env))
    await events()
    await asLib(async (env) => {
      const [partner] = await env.model('core.partner').search([], { limit: 1 })
      await make(env, 'library.loan', { borrower_id: partner, line_ids: [[0, 0, { book_id: book, days: 3 }]] })
    })
    const updated = (await events()).filter((event) => event.channel === 'record.updated').map((event) => event.payload)
    expect(updated).toContainEqual({ model: 'library.book', id: book, fields: ['loan_days'] })
  })
})
