import { afterAll, beforeAll, expect, test } from 'vitest'
import { recomputeStored } from '../../kernel/orm/record/recompute-stored.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { openPeople, type People } from '../support/people.ts'

let people: People

beforeAll(async () => {
  people = await openPeople(['library'])
})
afterAll(() => people.leave())

const look = async () => {
  const [book] = await people.asSystem((env) =>
    env.model('library.book').searchRead([], ['loan_days', 'version'], { limit: 1, order: 'id' }),
  )
  return book!
}

test('a stored value is recomputed on request, without a new version of the record', async () => {
  const before = await look()
  await sql`update library_book set loan_days = 99 where id = ${before.id}`.execute(people.database.db)
  expect((await look()).loan_days).toBe(99)
  await people.asSystem((env) => recomputeStored(env, 'library.book', [before.id], ['loan_days']))
  expect(await look()).toEqual(before)
})

test('only stored computed fields can be asked for', async () => {
  const asked = people.asSystem((env) => recomputeStored(env, 'library.book', [1], ['title']))
  await expect(asked).rejects.toThrow('title is not a stored computed field')
})
