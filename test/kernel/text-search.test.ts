import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import { search } from '../../kernel/orm/record/search.ts'
import { modelOf } from '../../kernel/orm/statement/scope.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { textSearchDomain } from '../../kernel/workspace/text-search.ts'
import { openPeople, type People } from '../support/people.ts'

const YEAR = new Date().getUTCFullYear()

let people: People
beforeAll(async () => {
  people = await openPeople(['base', 'library'])
  await people.hire('lib', ['library.group_librarian'])
  await people.as('lib', async (env) => {
    const [author_id] = await env.model('library.author').search([])
    await env.model('library.book').createMany([
      { title: 'Dear', author_id: author_id!, price: 1234.5, pages: 1234, published_on: '2021-03-04' },
      { title: 'Late', author_id: author_id!, price: 1.234, pages: 7, published_on: `${YEAR}-01-02` },
    ])
  })
  await people.asSystem((env) =>
    sql`update library_book set last_lent_at = '2022-07-08T23:30:00Z' where title = 'Dear'`.execute(env.tx),
  )
})
afterAll(() => people.leave())

const COLUMNS = ['price', 'pages', 'published_on', 'last_lent_at']

const titles = (q: string, speech: Pick<Env, 'lang' | 'tz'> = { lang: 'en', tz: 'UTC' }) =>
  people.as('lib', async (given) => {
    const env = { ...given, ...speech }
    const model = modelOf(env, 'library.book')
    const { records } = await search(env, model, {
      domain: textSearchDomain(env, model, COLUMNS, q),
      fields: ['title'],
    })
    return records.map(({ title }) => title)
  })

describe('a text finds', () => {
  test('numbers as the language shows them, and as plain digits', async () => {
    for (const q of ['1234.5', '1234.50', '1,234.50', '€1,234.50', '$ 1,234.5'])
      expect(await titles(q), q).toEqual(['Dear'])
    for (const q of ['1234.5', '1.234,50', '1234,5', '1.234,50\u00a0€']) {
      expect(await titles(q, { lang: 'de', tz: 'UTC' }), q).toEqual(['Dear'])
    }
    expect(await titles('1\u202f234,50', { lang: 'fr', tz: 'UTC' })).toEqual(['Dear'])
    expect(await titles('1,234')).toEqual(['Dear'])
    for (const q of ['12,34.5', '1,2345', '1,234.50.1', '-1,234.50', ',', '.']) expect(await titles(q), q).toEqual([])
  })

  test('days as the language shows them, and in ISO form', async () => {
    for (const q of ['2021-03-04', '03/04/2021', '3/4/2021', 'Mar 4, 2021', 'march 4, 2021']) {
      expect(await titles(q), q).toEqual(['Dear'])
    }
    for (const q of ['04.03.2021', '4.3.2021', '4. März 2021', '2021-03-04']) {
      expect(await titles(q, { lang: 'de', tz: 'UTC' }), q).toEqual(['Dear'])
    }
    expect(await titles('Jan 2')).toEqual(['Late'])
    for (const q of ['2021-02-30', '04/03/2021', '13/13/2021', 'Mar 4', 'Mar']) expect(await titles(q), q).toEqual([])
  })

  test('a moment by its day in the time zone of the user', async () => {
    expect(await titles('Jul 8, 2022')).toEqual(['Dear'])
    expect(await titles('9.7.2022', { lang: 'de', tz: 'Europe/Berlin' })).toEqual(['Dear'])
    expect(await titles('8.7.2022', { lang: 'de', tz: 'Europe/Berlin' })).toEqual([])
  })
})
