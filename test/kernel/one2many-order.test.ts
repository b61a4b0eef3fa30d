import { afterAll, beforeAll, expect, test } from 'vitest'
import { read } from '../../kernel/orm/record/read.ts'
import { search } from '../../kernel/orm/record/search.ts'
import { modelOf } from '../../kernel/orm/statement/scope.ts'
import { openPeople, type People } from '../support/people.ts'

let people: People
beforeAll(async () => {
  people = await openPeople(['base', 'library'])
  await people.hire('lib', ['library.group_librarian'])
})
afterAll(() => people.leave())

test('the ids of a one2many come in the default order of the target, in a search and in a read', () =>
  people.as('lib', async (env) => {
    const [author] = await env.model('library.author').search([])
    const id = await env.model('library.shelf').create({ name: 'Sorted' })
    const titles = ['Middle', 'last', 'Éarly', 'Alpha']
    const made = await env
      .model('library.book')
      .createMany(titles.map((title) => ({ title, author_id: author!, shelf_id: id })))
    const expected = ['Alpha', 'Éarly', 'last', 'Middle'].map((title) => made[titles.indexOf(title)])
    const shelf = modelOf(env, 'library.shelf')
    const { records } = await search(env, shelf, { domain: [['id', '=', id]], fields: ['book_ids'] })
    expect(records).toEqual([{ id, book_ids: expected }])
    expect(await read(env, shelf, [id], ['book_ids'])).toEqual(records)
    expect(await env.model('library.book').search([['shelf_id', '=', id]])).toEqual(expected)
  }))
