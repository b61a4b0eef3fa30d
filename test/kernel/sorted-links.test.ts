import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../kernel/limits.ts'
import { searchIds } from '../../kernel/orm/record/search.ts'
import { modelOf } from '../../kernel/orm/statement/scope.ts'
import { addPartners, buildIndexes, PAGE, pageOfPartners } from '../support/large-partners.ts'
import { openPeople, type People } from '../support/people.ts'

/** Rows that a page may read: those that are counted to see whether they are many, its own, and as many of each group that begins in it. */
const FEW = LIMITS.listTotal + 20 * PAGE

let people: People
beforeAll(async () => {
  people = await openPeople()
  await people.hire('clerk')
  await people.asSystem(async (env) => {
    const [first] = await env.model('core.country').search([], { order: 'id' })
    const domain = JSON.stringify([['id', 'not in', [first!, first! + 3]]])
    await env.model('sys.rule').create({ name: 'Countries', model: 'core.country', domain })
  })
  await addPartners(people)
  await buildIndexes(people)
})
afterAll(() => people.leave())

const page = (login: string, order: string, asked = {}) => pageOfPartners(people, login, order, asked)

/** The same by looking up the country of every partner. */
const sorted = (login: string, order: string) =>
  people.as(login, (env) => searchIds(env, modelOf(env, 'core.partner'), { domain: [], order }))

describe.each(['country_id', 'country_id desc', 'country_id, id desc'])('a list by %s', (order) => {
  test('is found country by country, and reads few rows', async () => {
    const { ids, rows } = await page('admin', order)
    expect(ids).toEqual((await sorted('admin', order)).slice(0, PAGE))
    expect(rows).toBeLessThan(FEW)
  })

  test('reads few rows, too, where one target has them all', async () => {
    const asked = order.replace('country_id', 'user_id')
    const { ids, rows } = await page('admin', asked)
    expect(ids).toEqual((await sorted('admin', asked)).slice(0, PAGE))
    expect(rows).toBeLessThan(FEW)
  })

  test('has the records without a country, and with one that a rule hides, where records without a value belong', async () => {
    const whole = await sorted('clerk', order)
    for (const offset of [0, PAGE, 1_000, 2_400, whole.length - 2_500, whole.length - 30]) {
      expect((await page('clerk', order, { offset })).ids, `at ${offset}`).toEqual(whole.slice(offset, offset + PAGE))
    }
  })

  test('continues after a cursor, within a country and from one to the next', async () => {
    const whole = await sorted('clerk', order)
    for (const offset of [0, 330, 1_700, 2_480, whole.length - 2_600]) {
      const { cursor } = await page('clerk', order, { offset })
      const next = await page('clerk', order, { cursor })
      expect(next.ids, `behind ${offset}`).toEqual(whole.slice(offset + PAGE, offset + 2 * PAGE))
      expect(next.rows).toBeLessThan(FEW)
    }
  })
})
