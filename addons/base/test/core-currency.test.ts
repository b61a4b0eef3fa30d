import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPeople, type People } from '../../../test/support/people.ts'

let people: People

beforeAll(async () => {
  people = await openPeople()
})
afterAll(() => people.leave())

test('the currency of a company stays in use, others are switched off and on', async () => {
  const [company] = await people.asSystem((env) => env.model('core.company').searchRead([], ['currency_id']))
  const own = company!.currency_id[0]
  const [other] = await people.asSystem((env) =>
    env.model('core.currency').search([['id', '!=', own]], { limit: 1, archived: 'include' }),
  )
  const setActive = (ids: readonly number[], active: boolean) =>
    people.as('admin', (env) => env.model('core.currency').write(ids, { active }))
  await expect(setActive([other!, own], false)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'EUR is the currency of a company, so it stays in use.',
  })
  await setActive([other!], true)
  await setActive([other!], false)
  const states = await people.as('admin', (env) => env.model('core.currency').read([own, other!], ['active']))
  expect(states.map(({ active }) => active)).toEqual([true, false])
})
