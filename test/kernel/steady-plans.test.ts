import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import { type SearchQuery, search } from '../../kernel/orm/record/search.ts'
import { modelOf } from '../../kernel/orm/statement/scope.ts'
import { openPeople, type People } from '../support/people.ts'

let people: People
beforeAll(async () => {
  people = await openPeople(['library'])
  await people.hire('reader', ['library.group_user'])
})
afterAll(() => people.leave())

/** The statement of a search. */
async function textOf(login: string, query: Omit<SearchQuery, 'domain'> & { domain?: unknown }): Promise<string> {
  const before = people.database.statements.length
  await people.as(login, (env: Env) =>
    search(env, modelOf(env, 'library.book'), { domain: [], fields: ['title'], limit: 80, ...query }),
  )
  return people.database.statements.slice(before).findLast((text) => text.includes('from "library_book"'))!
}

describe('the plan of a page is kept', () => {
  test.each([
    ['without conditions', {}],
    ['of certain records', { domain: [['id', 'in', [1, 2, 3]]] }],
    ['after an id, in the order of ids', { domain: [['id', '>', 7]], order: 'id' }],
  ])('%s', async (_name, query) => {
    const text = await textOf('reader', query)
    expect(text).toContain('limit 80')
    // The companies of the caller are part of the text: a plan for any company would be wrong for a small one.
    expect(text).toMatch(/= any\('\{\d+\}'::bigint\[\]\)/)
  })
})

test('PostgreSQL does keep it', async () => {
  const kept = await people.as('reader', async (env) => {
    for (let time = 0; time < 8; time++)
      await search(env, modelOf(env, 'library.book'), { domain: [], fields: ['title', 'pages'], limit: 80 })
    const { rows } = await sql<{ generic: number; custom: number }>`
      select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements
      where statement like '%"pages"%"library_book"%limit 80%'`.execute(env.tx)
    return rows
  })
  expect(kept).toEqual([{ generic: expect.any(Number), custom: 0 }])
})

describe('a page is planned for its values', () => {
  test.each([
    ['where a text is looked for', { domain: [['title', 'ilike', 'solaris']] }],
    ['where a value may be rare', { domain: [['state', '=', 'lost']] }],
    ['after an id, in another order', { domain: [['id', '>', 7]], order: 'title' }],
    ['of alternatives', { domain: ['|', ['id', '=', 1], ['id', '=', 2]] }],
    ['further down', { offset: 80 }],
    ['of an unusual size', { limit: 79 }],
  ])('%s', async (_name, query) => {
    expect(await textOf('reader', query)).toMatch(/limit \$\d+ offset \$\d+/)
  })

  test('where the rule is about the caller', async () => {
    await people.asSystem(async (env) => {
      const domain = "[['create_uid', '!=', user.id]]"
      await env.model('sys.rule').create({ name: 'Not mine', model: 'library.book', domain })
    })
    expect(await textOf('reader', {})).toMatch(/limit \$\d+ offset \$\d+/)
  })
})
