import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { read } from '../../kernel/orm/record/read.ts'
import { search } from '../../kernel/orm/record/search.ts'
import { decodeCursor, encodeCursor } from '../../kernel/orm/statement/cursor.ts'
import { modelOf } from '../../kernel/orm/statement/scope.ts'
import { webAesGcm } from '../../kernel/seal.ts'
import { openPeople, type People } from '../support/people.ts'

let people: People
let keeper: number
beforeAll(async () => {
  people = await openPeople(['base', 'library'])
  keeper = await people.hire('lib', ['library.group_librarian'])
  await people.hire('reader', ['library.group_user'])
})
afterAll(() => people.leave())

const find = (
  env: Env,
  model: string,
  query: Omit<Parameters<typeof search>[2], 'domain'> & { domain?: unknown } = {},
) => search(env, modelOf(env, model), { domain: [], ...query })

describe('a search', () => {
  test('gives named fields and id, many2one as a pair, x2many as ids', async () => {
    const { records } = await people.as('reader', (env) =>
      find(env, 'library.book', {
        domain: [['title', '=', 'Solaris']],
        fields: ['title', 'author_id', 'line_ids', 'price'],
      }),
    )
    expect(records).toEqual([
      {
        id: expect.any(Number),
        title: 'Solaris',
        author_id: [expect.any(Number), 'Stanisław Lem'],
        line_ids: [],
        price: 12.25,
      },
    ])
  })

  test('without named fields gives the whole record, with the size of heavy values and without hidden fields', async () => {
    await people.asSystem(async (env) => {
      const [id] = await env.model('library.book').search([['title', '=', 'Emma']])
      await env.model('library.book').write([id!], { scan: 'aGVsbG8=', purchase_price: 3 })
    })
    const asked = { domain: [['title', '=', 'Emma']] }
    const [mine] = (await people.as('lib', (env) => find(env, 'library.book', asked))).records
    const [theirs] = (await people.as('reader', (env) => find(env, 'library.book', asked))).records
    expect(mine).toMatchObject({ scan: 5, cover: null, purchase_price: 3, is_long: false, price_with_tax: 10.165 })
    expect(theirs).not.toHaveProperty('purchase_price')
    expect(Object.keys(mine!)).toEqual(
      expect.arrayContaining(['id', 'display_name', 'create_uid', 'write_date', 'version']),
    )
  })

  test('names a heavy value to get it', async () => {
    const { records } = await people.as('lib', (env) =>
      find(env, 'library.book', { domain: [['title', '=', 'Emma']], fields: ['scan'] }),
    )
    expect(records[0]!['scan']).toBe('aGVsbG8=')
  })

  test('takes one statement, whatever the number of links and names', async () => {
    await people.as('reader', async (env) => {
      people.database.statements.length = 0
      await find(env, 'library.book', {
        fields: ['title', 'author_id', 'shelf_id', 'tag_ids', 'co_author_ids'],
        order: 'author_id, title',
      })
    })
    expect(people.database.statements).toHaveLength(1)
  })

  test('leaves archived records out unless asked, or unless the domain speaks of active', async () => {
    const titles = (query: object) =>
      people.as('lib', async (env) =>
        (await find(env, 'library.book', { fields: ['title'], ...query })).records.map((record) => record['title']),
      )
    await people.asSystem(async (env) => {
      const [id] = await env.model('library.book').search([['title', '=', 'Persuasion']])
      await env.model('library.book').write([id!], { active: false })
    })
    expect(await titles({})).not.toContain('Persuasion')
    expect(await titles({ archived: 'include' })).toContain('Persuasion')
    expect(await titles({ archived: 'only' })).toEqual(['Persuasion'])
    expect(await titles({ domain: [['active', 'in', [true, false]]] })).toContain('Persuasion')
    expect(await titles({ domain: [['author_id.active', '=', true]] })).not.toContain('Persuasion')
  })

  test('refuses an unknown field in fields and order', async () => {
    await people.as('reader', async (env) => {
      await expect(find(env, 'library.book', { fields: ['nope'] })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
      await expect(find(env, 'library.book', { order: 'nope' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
      await expect(find(env, 'library.book', { order: 'title; drop table' })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
      })
      await expect(find(env, 'library.book', { order: 'tag_ids' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
      await expect(find(env, 'library.book', { order: 'is_long' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    })
  })

  test('refuses to sort or search by a field the caller may not read, and redacts it when named', async () => {
    await people.as('reader', async (env) => {
      await expect(find(env, 'library.book', { order: 'purchase_price' })).rejects.toMatchObject({
        code: 'ACCESS_DENIED',
      })
      const { records } = await find(env, 'library.book', { fields: ['title', 'purchase_price'], limit: 1 })
      expect(Object.keys(records[0]!)).toEqual(['id', 'title'])
    })
  })
})

describe('an order', () => {
  const titles = (order: string) =>
    people.as('lib', async (env) =>
      (await find(env, 'library.book', { fields: ['title'], order, archived: 'include' })).records.map(
        (r) => r['title'],
      ),
    )

  test('of a many2one is the order of its target', async () => {
    expect(await titles('author_id, title')).toEqual(['Emma', 'Persuasion', 'Ficciones', 'Solaris'])
    expect(await titles('author_id desc, title')).toEqual(['Solaris', 'Ficciones', 'Emma', 'Persuasion'])
  })

  test('of a related field is the order of what it shows', async () => {
    expect(await titles('author_country_id, title')).toEqual(['Ficciones', 'Solaris', 'Emma', 'Persuasion'])
  })

  test('puts unset values last ascending and first descending', async () => {
    await people.asSystem(async (env) => {
      const [id] = await env.model('library.book').search([['title', '=', 'Solaris']])
      await env.model('library.book').write([id!], { pages: null })
    })
    expect((await titles('pages')).at(-1)).toBe('Solaris')
    expect((await titles('pages desc'))[0]).toBe('Solaris')
  })

  test('of text follows language, not code points', async () => {
    await people.asSystem((env) =>
      env.model('core.tag').createMany(['zebra', 'Éclair', 'apple', 'Zoo'].map((name) => ({ name }))),
    )
    const { records } = await people.as('ann', (env) => find(env, 'core.tag', { fields: ['name'], order: 'name' }))
    expect(records.map((record) => record['name'])).toEqual(['apple', 'Éclair', 'zebra', 'Zoo'])
  })
})

describe('a cursor', () => {
  const REFUSED = { code: 'BAD_REQUEST', reason: 'cursor_invalid' }

  const walk = (query: object, limit: number) =>
    people.as('lib', async (env) => {
      const seen: unknown[] = []
      let cursor: string | undefined
      for (let page = 0; page < 50; page++) {
        const result = await find(env, 'core.country', { fields: ['name'], limit, cursor, ...query })
        seen.push(...result.records.map((record) => record['id']))
        const next = await result.nextCursor()
        if (next === null) return seen
        cursor = next
      }
      throw new Error('does not end')
    })

  test.each(['name', 'name desc', 'currency_id desc, code', 'id desc', 'phone_code, name desc'])(
    'over %s visits every record once, in order',
    async (order) => {
      const whole = await people.as('lib', (env) => find(env, 'core.country', { fields: ['name'], order }))
      expect(whole.records.length).toBeGreaterThan(150)
      expect(await walk({ order }, 37)).toEqual(whole.records.map((record) => record['id']))
    },
  )

  test('pages through an order by long texts, which compares only their beginning', async () => {
    const [first, ...others] = await people.asSystem(async (env) => {
      const [author_id] = await env.model('library.author').search([])
      const text = (i: number) => `${'é'.repeat(LIMITS.sortedChars - 1)}${i % 2}${'x'.repeat(60_000)}${9 - i}`
      const books = [0, 1, 2, 3].map((i) => ({
        title: `Long ${i}`,
        author_id: author_id!,
        currency_id: 1,
        summary: text(i),
      }))
      return env.model('library.book').createMany(books)
    })
    const domain = [['title', '=like', 'Long %']]
    const walked: unknown[] = []
    let cursor: string | undefined
    do {
      const page = await people.as('lib', (env) =>
        find(env, 'library.book', { domain, fields: [], order: 'summary', limit: 1, cursor }),
      )
      walked.push(...page.records.map((record) => record['id']))
      cursor = (await page.nextCursor()) ?? undefined
      expect(cursor?.length ?? 0).toBeLessThan(LIMITS.cursorChars)
    } while (cursor !== undefined)
    expect(walked).toEqual([first, others[1], others[0], others[2]])
    await people.asSystem((env) => env.model('library.book').unlink([first!, ...others]))
  })

  test('is not offered when no header could hold it', async () => {
    const values = Array(20).fill('é'.repeat(LIMITS.sortedChars))
    expect(await encodeCursor(people.modules.services, 'many', values)).toBeNull()
  })

  test('reveals none of its values, and is equal for the same page', async () => {
    const page = () =>
      people.as('lib', (env) => find(env, 'core.country', { fields: ['name'], limit: 2, order: 'name' }))
    const { records, nextCursor } = await page()
    const cursor = (await nextCursor())!
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain(records[1]!['name'])
    expect(await (await page()).nextCursor()).toBe(cursor)
  })

  test('of another query, or made up, is refused', async () => {
    await people.as('lib', async (env) => {
      const { nextCursor } = await find(env, 'core.country', { fields: ['name'], limit: 2, order: 'name' })
      for (const cursor of [(await nextCursor())!, 'xx', btoa('[]'), btoa('{"a":1}'), '%%%', 'A'.repeat(40)]) {
        await expect(find(env, 'core.country', { cursor, order: 'code' })).rejects.toMatchObject(REFUSED)
      }
    })
  })

  test('is refused when any byte of it was changed or cut off', async () => {
    await people.as('lib', async (env) => {
      const { nextCursor } = await find(env, 'core.country', { limit: 2, order: 'name' })
      const bytes = Buffer.from((await nextCursor())!, 'base64url')
      const changed = [...bytes.keys()].map((at) => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte)))
      const cut = [...bytes.keys()].map((at) => bytes.subarray(0, at)).slice(1)
      for (const other of [...changed, ...cut]) {
        const cursor = Buffer.from(other).toString('base64url')
        await expect(find(env, 'core.country', { cursor, order: 'name' })).rejects.toMatchObject(REFUSED)
      }
    })
  })

  test('of an installation with another secret is refused', async () => {
    const services = { ...people.modules.services, secretKey: new Uint8Array(32).fill(1) }
    const ask = (cursor: string | null) =>
      people.as('lib', (env) => find(env, 'core.country', { cursor: cursor!, order: 'code', fields: [] }))
    const order = 'core.country en code false,id false'
    await expect(ask(await encodeCursor(services, order, ['AX', '1']))).rejects.toMatchObject(REFUSED)
    expect((await ask(await encodeCursor(people.modules.services, order, ['AX', '1']))).records).not.toEqual([])
  })

  test('is the same whether the host or Web Crypto encrypts it, and either opens it', async () => {
    const { services } = people.modules
    const order = 'core.country en code false,id false'
    const hosts = [services, { ...services, aesGcm: webAesGcm }]
    const [own, web] = await Promise.all(hosts.map((host) => encodeCursor(host, order, ['Å', '1'])))
    expect(own).toBe(web)
    for (const host of hosts) expect(await decodeCursor(host, own!, order, 2)).toEqual(['Å', '1'])
  })

  test.each([
    ['values that no record has', ['AX', 'seven']],
    ['a number beyond the column', ['AX', '99999999999999999999']],
    ['a character that no text has', ['A\0', '1']],
    ['fewer values than the order', ['AX']],
  ])('with %s is refused', async (_what, values) => {
    const cursor = await encodeCursor(people.modules.services, 'core.country en code false,id false', values)
    await expect(
      people.as('lib', (env) => find(env, 'core.country', { cursor: cursor!, order: 'code', fields: [] })),
    ).rejects.toMatchObject(REFUSED)
  })
})

describe('a read', () => {
  const readBooks = (login: string, ids: readonly number[]) =>
    people.as(login, (env) => read(env, modelOf(env, 'library.shelf'), ids, ['name']))

  test('keeps the order of the ids', async () => {
    const ids = await people.asSystem((env) => env.model('library.shelf').search([], { order: 'id desc' }))
    expect((await readBooks('reader', ids)).map((record) => record['id'])).toEqual(ids)
  })

  test('of an id that does not exist is NOT_FOUND, of one a rule hides ACCESS_DENIED', async () => {
    const hidden = await people.asSystem((env) =>
      env.model('library.shelf').create({ name: 'Safe', keeper_id: keeper }),
    )
    await expect(readBooks('reader', [hidden])).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    await expect(readBooks('reader', [999_999])).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await readBooks('lib', [hidden])).toEqual([{ id: hidden, name: 'Safe' }])
  })

  test('of a model without an access line is ACCESS_DENIED, whether the id exists or not', async () => {
    await expect(readBooks('ann', [1])).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    await expect(readBooks('ann', [999_999])).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })

  test('shows a many2one whose target is hidden without its name, and leaves hidden records out of x2many', async () => {
    const { book, hall } = await people.asSystem(async (env) => {
      const [safe] = await env.model('library.shelf').search([['name', '=', 'Safe']])
      const [hall] = await env.model('library.shelf').search([['name', '=', 'Hall']])
      const [book] = await env.model('library.book').search([['title', '=', 'Ficciones']])
      await env.model('library.book').write([book!], { shelf_id: safe! })
      await env.model('library.shelf').write([safe!], { parent_id: hall! })
      return { book: book!, hall: hall! }
    })
    const asReader = await people.as('reader', async (env) => [
      ...(await env.model('library.book').read([book], ['shelf_id'])),
      ...(await env.model('library.shelf').read([hall], ['child_ids'])),
    ])
    expect(asReader).toMatchObject([{ shelf_id: [expect.any(Number), null] }, { child_ids: { length: 2 } }])
    const asKeeper = await people.as('lib', (env) => env.model('library.book').read([book], ['shelf_id']))
    expect(asKeeper).toMatchObject([{ shelf_id: [expect.any(Number), 'Safe'] }])
  })
})
