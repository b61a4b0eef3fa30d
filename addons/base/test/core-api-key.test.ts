import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiKey } from '../../../kernel/auth/api-key.ts'
import { openPeople, type People } from '../../../test/support/people.ts'

let people: People
let bobId: number

beforeAll(async () => {
  people = await openPeople()
  bobId = await people.hire('bob')
})
afterAll(() => people.leave())

const issue = (userId: number, scope: Readonly<Record<string, unknown>> | null = null) =>
  people.asSystem((env) => createApiKey(env, { userId, name: 'Integration', expiresAt: null, scope }))

const secretsOf = (key_id: number) =>
  people.database.db.selectFrom('sys_api_key_secret').selectAll().where('key_id', '=', key_id).execute()

describe('an API key', () => {
  test('is seen by its owner and by administrators, with a hint and no hash', async () => {
    const { id, key } = await issue(bobId)
    for (const login of ['bob', 'admin']) {
      const [row] = await people.as(login, (env) => env.model('core.api.key').read([id], ['name', 'hint', 'active']))
      expect(row).toMatchObject({ name: 'Integration', active: true })
      expect(row!.hint).toBe(`${key.slice(0, 7)}…${key.slice(-4)}`)
    }
    expect(await people.as('ann', (env) => env.model('core.api.key').search([]))).toEqual([])
    const read = people.as('ann', (env) => env.model('core.api.key').read([id], ['name']))
    await expect(read).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })

  test('is not made by a plain create, not even by an administrator', async () => {
    for (const login of ['bob', 'admin']) {
      const create = people.as(login, (env) => env.model('core.api.key').create({ name: 'Mine', user_id: bobId }))
      await expect(create).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    }
  })

  test.each([{ model: 'core.partner' }, { models: { 'core.partner': 'read' } }, { read_only: 'yes' }])(
    'has a scope that can be understood, which %j cannot',
    async (scope) => {
      const problem = { code: 'VALIDATION', details: { fields: { scope: expect.any(String) } } }
      await expect(issue(bobId, scope)).rejects.toMatchObject(problem)
    },
  )

  test('is revoked by its owner permanently', async () => {
    const { id } = await issue(bobId)
    expect(await secretsOf(id)).toHaveLength(1)
    await people.as('bob', (env) => env.model('core.api.key').call([id], 'action_revoke'))
    expect(await secretsOf(id)).toHaveLength(0)
    const revive = people.as('admin', (env) => env.model('core.api.key').write([id], { active: true }))
    await expect(revive).rejects.toMatchObject({ code: 'VALIDATION' })
  })

  test('is not revoked by others', async () => {
    const { id } = await issue(bobId)
    const write = people.as('ann', (env) => env.model('core.api.key').write([id], { active: false }))
    await expect(write).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    expect(await secretsOf(id)).toHaveLength(1)
  })

  test('is deleted with its user', async () => {
    const userId = await people.hire('temp')
    const { id } = await issue(userId)
    await people.as('admin', (env) => env.model('core.user').unlink([userId]))
    expect(await secretsOf(id)).toHaveLength(0)
  })
})
