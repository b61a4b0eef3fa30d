import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPeople, type People } from '../support/people.ts'

let people: People

beforeAll(async () => {
  people = await openPeople(['library'])
  await people.asSystem(async (env) => {
    const group_id = await env.model('core.group').create({ name: 'Cataloguer' })
    const lines = [
      { model: 'library.book', perm_write: true },
      { model: 'library.author', perm_write: false },
    ]
    for (const line of lines) {
      await env.model('sys.access').create({ name: line.model, group_id, perm_read: true, ...line })
    }
  })
  await people.hire('cato', ['base.group_user'])
  await people.asSystem(async (env) => {
    const [group] = await env.model('core.group').search([['name', '=', 'Cataloguer']])
    const [user] = await env.model('core.user').search([['login', '=', 'cato']])
    await env.model('core.user').write([user!], { group_ids: [[4, group!]] })
  })
})
afterAll(() => people.leave())

test('linking existing records does not require the right to create them, creating new ones does', async () => {
  const link = (command: readonly [4, number] | readonly [0, 0, { readonly name: string }]) =>
    people.as('cato', async (env) => {
      const [book] = await env.model('library.book').search([], { limit: 1 })
      await env.model('library.book').write([book!], { co_author_ids: [command] })
      const [row] = await env.model('library.book').read([book!], ['co_author_ids'])
      return row!.co_author_ids
    })
  const [author] = await people.as('cato', (env) => env.model('library.author').search([], { limit: 1 }))
  expect(await link([4, author!])).toContain(author)
  await expect(link([0, 0, { name: 'Nobody' }])).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
})
