import { afterAll, beforeAll, expect, test } from 'vitest'
import { changesRights } from '../../kernel/access/rights-change.ts'
import type { Env } from '../../kernel/env.ts'
import type { Values } from '../../kernel/model/models.ts'
import { openPeople, type People } from '../support/people.ts'

let people: People

beforeAll(async () => {
  people = await openPeople(['library'])
  // Authors of a book on whose side somebody is, and books that have never been lent.
  const rule = { perm_write: false, perm_create: false, perm_unlink: false }
  await people.asSystem((env) =>
    env.model('sys.rule').createMany([
      { ...rule, name: 'co-authors', model: 'library.book', domain: "[['co_author_ids.name', '!=', 'Nobody']]" },
      { ...rule, name: 'never lent', model: 'library.book', domain: "[['line_ids', '=', false]]" },
    ]),
  )
})
afterAll(() => people.leave())

/** Whether a transaction counts as a change of rights. */
const counts = (work: (env: Env) => Promise<unknown>): Promise<boolean> =>
  people.asSystem(async (env) => {
    await work(env)
    return changesRights(env)
  })

const first = async (env: Env, model: 'library.book' | 'library.author' | 'library.shelf' | 'core.user') =>
  (await env.model(model).search([], { limit: 1 }))[0]!

test('a change of users, groups or rules is one', async () => {
  expect(
    await counts(async (env) => env.model('core.user').write([await first(env, 'core.user')], { tz: 'UTC' })),
  ).toBe(true)
  expect(await counts((env) => env.model('core.group').create({ name: 'Night shift' }))).toBe(true)
  const rule = { name: 'all', model: 'core.tag', domain: '[]' }
  expect(await counts((env) => env.model('sys.rule').create(rule))).toBe(true)
})

test('a change of a field that a rule compares counts, one of another field of the same record does not', async () => {
  const shelf = (values: Values<'library.shelf'>) =>
    counts(async (env) => env.model('library.shelf').write([await first(env, 'library.shelf')], values))
  expect(await shelf({ name: 'Poetry' })).toBe(false)
  expect(await shelf({ keeper_id: 1 })).toBe(true)
})

test('links that a rule follows count from both sides, and so do the records at their end', async () => {
  const author = (values: Values<'library.author'>) =>
    counts(async (env) => env.model('library.author').write([await first(env, 'library.author')], values))
  expect(await author({ name: 'Nobody' })).toBe(true)
  expect(await author({ country_id: null })).toBe(false)
  const book = await people.asSystem((env) => first(env, 'library.book'))
  expect(await author({ co_book_ids: [book] })).toBe(true)
})

test('a new record counts only where a rule looks for records like it', async () => {
  expect(await counts((env) => env.model('core.tag').create({ name: 'New' }))).toBe(false)
  expect(await counts((env) => env.model('library.shelf').create({ name: 'New' }))).toBe(false)
  const lent = counts(async (env) => {
    const [partner] = await env.model('core.partner').search([], { limit: 1 })
    const line = { book_id: await first(env, 'library.book') }
    await env.model('library.loan').create({ borrower_id: partner!, line_ids: [[0, 0, line]] })
  })
  expect(await lent).toBe(true)
})
