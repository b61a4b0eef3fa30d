import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../kernel/limits.ts'
import { openPeople, type People } from '../support/people.ts'

/** More than any page of RPC and any list in a domain of RPC may hold. */
const MANY = LIMITS.domainValues + 1

let people: People
let company: number
let ids: readonly number[]

beforeAll(async () => {
  people = await openPeople()
  ids = await people.asSystem(async (env) => {
    company = await env.model('core.partner').create({ name: 'Crowd Ltd', is_company: true })
    const all = Array.from({ length: MANY }, (_, i) => ({ name: `Crowd ${i}`, parent_id: company }))
    return env.model('core.partner').createMany(all)
  })
})
afterAll(() => people.leave())

describe('env.model', () => {
  test('searchRead gives every record that matches, however many they are', async () => {
    const rows = await people.as('admin', (env) =>
      env.model('core.partner').searchRead([['parent_id', '=', company]], ['name']),
    )
    expect(rows).toHaveLength(MANY)
  })

  test('search and count take a list of any length', async () => {
    const partners = people.as('admin', async (env) => [
      (await env.model('core.partner').search([['id', 'in', ids]])).length,
      await env.model('core.partner').count([['id', 'in', ids]]),
    ])
    expect(await partners).toEqual([MANY, MANY])
  })

  test('cuts at a limit only where the caller names one', async () => {
    const rows = await people.as('admin', (env) =>
      env.model('core.partner').searchRead([['parent_id', '=', company]], ['name'], { limit: 3, order: 'id' }),
    )
    expect(rows.map(({ id }) => id)).toEqual(ids.slice(0, 3))
  })

  test('countBy counts what the caller may read by the id of a link, in one statement', async () => {
    const before = people.database.statements.length
    const counts = await people.as('admin', (env) =>
      env.model('core.partner').countBy('parent_id', [['id', 'in', ids.slice(1)]]),
    )
    expect(counts).toEqual(new Map([[company, MANY - 1]]))
    const counting = people.database.statements.slice(before).filter((text) => text.includes('group by 1'))
    expect(counting).toHaveLength(1)
  })
})
