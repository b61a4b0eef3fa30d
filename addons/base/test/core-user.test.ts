import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../kernel/limits.ts'
import type { ModelApi } from '../../../kernel/work/model-api.ts'
import { openPeople, type People } from '../../../test/support/people.ts'

const PASSWORD = 'violet harbour 42'

let people: People
let adminId: number
let annId: number

beforeAll(async () => {
  people = await openPeople()
  const users = await people.asSystem((env) => env.model('core.user').searchRead([], ['login']))
  adminId = users.find((user) => user.login === 'admin')!.id
  annId = users.find((user) => user.login === 'ann')!.id
})
afterAll(() => people.leave())

const credentialOf = (id: number) =>
  people.database.db.selectFrom('sys_credential').selectAll().where('user_id', '=', id).executeTakeFirstOrThrow()

/** Whether a user can sign in with this password. */
const fits = async (id: number, password: string) =>
  people.modules.services.passwords.verify(password, (await credentialOf(id)).password_hash ?? '')

const accessEpoch = async () =>
  (await people.database.db.selectFrom('sys_epoch').select('access').executeTakeFirstOrThrow()).access

describe('a user', () => {
  test('may change the own e-mail, language, time zone and signature', async () => {
    const values = { email: 'ann@example.com', lang: 'de', tz: 'Europe/Berlin', signature: '<p>Ann</p>' }
    await people.as('ann', (env) => env.model('core.user').write([annId], values))
    const [ann] = await people.as('ann', (env) => env.model('core.user').read([annId], ['email', 'lang', 'tz']))
    expect(ann).toMatchObject({ email: 'ann@example.com', lang: 'de', tz: 'Europe/Berlin' })
  })

  test.each([
    ['name', { name: 'Anna' }],
    ['login', { login: 'root' }],
    ['active', { active: false }],
    ['partner_id', { partner_id: null }],
    ['group_ids', { group_ids: [1, 2] }],
    ['company_ids', { company_ids: [] }],
    ['password', { password: PASSWORD }],
  ])('may not change the own %s', async (_field, values) => {
    const write = people.as('ann', (env) => env.model('core.user').write([annId], values))
    await expect(write).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })

  test('may not change other users, nor create or delete users', async () => {
    for (const attempt of [
      () => people.as('ann', (env) => env.model('core.user').write([adminId], { email: 'x@example.com' })),
      () => people.as('ann', (env) => env.model('core.user').create({ login: 'eve', name: 'Eve' })),
      () => people.as('ann', (env) => env.model('core.user').unlink([annId])),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    }
  })

  test('sees the names of colleagues but neither their groups nor their companies', async () => {
    const [row] = await people.as('ann', (env) =>
      env.model('core.user').read([adminId], ['name', 'group_ids', 'company_ids']),
    )
    expect(row).toEqual({ id: adminId, name: 'admin' })
    const search = people.as('ann', (env) => env.model('core.user').search([['group_ids', '=', 1]]))
    await expect(search).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })

  test('reads the own login, e-mail address and signature, and of colleagues the name', async () => {
    const values = { email: 'chief@example.com', signature: '<p>Chief</p>' }
    await people.asSystem((env) => env.model('core.user').write([adminId], values))
    const fields = ['name', 'login', 'email', 'signature'] as const
    const read = (login: string) => people.as(login, (env) => env.model('core.user').read([adminId, annId], fields))
    const hidden = { id: adminId, name: 'admin', login: null, email: null, signature: null }
    expect(await read('ann')).toEqual([hidden, expect.objectContaining({ login: 'ann' })])
    expect(await read('admin')).toEqual([
      { id: adminId, name: 'admin', login: 'admin', ...values },
      expect.objectContaining({ login: 'ann' }),
    ])
    const found = await people.as('ann', (env) => env.model('core.user').searchRead([['id', '=', adminId]], fields))
    expect(found).toEqual([hidden])
  })

  test.each(['login', 'email', 'signature'] as const)('does not search, sort or group by the %s', async (name) => {
    const users = <T>(work: (model: ModelApi<'core.user'>) => Promise<T>) =>
      people.as('ann', (env) => work(env.model('core.user')))
    const attempts = [
      () => users((model) => model.search([[name, 'ilike', 'a']])),
      () => users((model) => model.search([], { order: name })),
      () => people.as('ann', (env) => env.model('core.partner').search([[`user_id.${name}`, 'ilike', 'a']])),
      () => people.as('ann', (env) => env.model('core.partner').search([[`create_uid.${name}`, 'ilike', 'a']])),
    ]
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })

  test('gets a partner of the same name, which follows changes, without the address of the account', async () => {
    const id = await people.hire('carl', undefined, { name: 'Carl', email: 'carl@example.com' })
    const partnerOf = () =>
      people.asSystem(async (env) => {
        const [user] = await env.model('core.user').read([id], ['partner_id'])
        return (await env.model('core.partner').read([user!.partner_id![0]], ['name', 'email']))[0]
      })
    expect(await partnerOf()).toMatchObject({ name: 'Carl', email: null })
    await people.as('admin', (env) => env.model('core.user').write([id], { name: 'Carla', email: 'carla@example.com' }))
    expect(await partnerOf()).toMatchObject({ name: 'Carla', email: null })
  })

  test('has a unique login, ignoring case', async () => {
    const taken = { code: 'CONFLICT', details: { fields: { login: expect.any(String) } } }
    await people.hire('dora')
    await expect(people.hire('Dora')).rejects.toMatchObject(taken)
    await expect(people.hire('ＤORA')).rejects.toMatchObject(taken)
  })

  test.each([
    ['company_id', { company_ids: [] }],
    ['lang', { lang: 'english' }],
    ['tz', { tz: 'Mars/Olympus' }],
    ['email', { email: 'nobody' }],
  ])('is refused with a bad %s', async (field, values) => {
    const write = people.as('admin', (env) => env.model('core.user').write([annId], values))
    await expect(write).rejects.toMatchObject({
      code: 'VALIDATION',
      details: { fields: { [field]: expect.any(String) } },
    })
  })

  test('pins a list of names of apps, and nothing else', async () => {
    const pin = (pinned_apps: unknown) =>
      people.as('admin', (env) => env.model('core.user').write([env.user.id], { pinned_apps } as never))
    for (const other of [
      { a: 1 },
      5,
      [null],
      ['sale', 7],
      'sale',
      Array.from({ length: LIMITS.pinnedApps + 1 }, () => 'a'),
    ])
      await expect(pin(other)).rejects.toMatchObject({ details: { fields: { pinned_apps: expect.any(String) } } })
    await pin(['base'])
    await pin(null)
  })
})

describe('a password', () => {
  test('is hashed apart from the user, raises the epoch and ends the sessions of the user', async () => {
    const id = await people.hire('paul')
    expect(await credentialOf(id)).toMatchObject({ password_hash: null, auth_epoch: 0 })
    await people.database.db
      .insertInto('sys_session')
      .values({
        token_hash: new Uint8Array([1]),
        user_id: id,
        auth_epoch: 0,
        csrf_secret: new Uint8Array([2]),
        abs_expires_at: '2030-01-01T00:00:00Z',
        prev_hash: null,
        prev_until: null,
        company_id: null,
        reauth_at: null,
        ip: null,
        ua: null,
      })
      .execute()
    await people.asSystem((env) => env.model('core.user').write([id], { password: PASSWORD }))
    expect([await fits(id, PASSWORD), (await credentialOf(id)).auth_epoch]).toEqual([true, 1])
    const sessions = await people.database.db.selectFrom('sys_session').selectAll().where('user_id', '=', id).execute()
    expect(sessions).toEqual([])
  })

  test('can be given by an administrator once, and is then changed by its user alone', async () => {
    const values = { login: 'quentin', name: 'Quentin', password: PASSWORD }
    const id = await people.as('admin', (env) => env.model('core.user').create(values))
    expect(await fits(id, PASSWORD)).toBe(true)
    const write = people.as('admin', (env) => env.model('core.user').write([id], { password: `${PASSWORD}!` }))
    await expect(write).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    await people.as('admin', (env) => env.model('core.user').write([adminId], { password: `${PASSWORD}?` }))
    await people.as('admin', (env) => env.model('core.user').write([adminId], { password: `${PASSWORD}!` }))
    expect(await fits(adminId, `${PASSWORD}!`)).toBe(true)
  })

  test('cannot be read, searched or sorted by, not even by administrators', async () => {
    const [row] = await people.as('admin', (env) => env.model('core.user').read([adminId], ['login', 'password']))
    expect(row).toEqual({ id: adminId, login: 'admin' })
    const search = people.as('admin', (env) => env.model('core.user').search([['password', '!=', null]]))
    await expect(search).rejects.toMatchObject({ code: expect.stringMatching(/ACCESS_DENIED|BAD_REQUEST/) })
  })

  test.each([
    ['short', 'x1y2z3'],
    ['too long', 'ab3'.repeat(43)],
    ['on the list', 'qwertyuiop'],
    ['a listed word with a common ending', 'Welcome2026!'],
    ['of one letter', 'zzzzzzzzzzzzz'],
    ['nothing', ''],
  ])('that is %s is refused', async (_why, password) => {
    const write = people.asSystem((env) => env.model('core.user').write([annId], { password }))
    await expect(write).rejects.toMatchObject({
      code: 'VALIDATION',
      details: { fields: { password: expect.any(String) } },
    })
  })
})

describe('an administrator', () => {
  test('cannot archive or delete the last one, nor remove their rights', async () => {
    const users = people.as('admin', (env) => env.model('core.user').write([adminId], { group_ids: [] }))
    await expect(users).rejects.toMatchObject({ code: 'CONFLICT' })
    const system = (await people.modules.holder.latest()).access.groupIdByXmlid.get('base.group_system')!
    const emptied = people.as('admin', (env) => env.model('core.group').write([system], { user_ids: [] }))
    await expect(emptied).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test("two administrators cannot remove each other's rights at the same time", async () => {
    const ids = [
      await people.hire('tweedledum', ['base.group_system']),
      await people.hire('tweedledee', ['base.group_system']),
    ]
    await people.asSystem((env) => env.model('core.user').write([adminId], { active: false }))
    const results = await Promise.allSettled([
      people.as('tweedledum', (env) => env.model('core.user').write([ids[1]!], { group_ids: [] })),
      people.as('tweedledee', (env) => env.model('core.user').write([ids[0]!], { group_ids: [] })),
    ])
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected'])
    await people.asSystem(async (env) => {
      await env.model('core.user').write([adminId], { active: true })
      await env.model('core.user').unlink(ids)
    })
  })

  test('cannot archive or delete the own account, even if others remain', async () => {
    const id = await people.hire('boss', ['base.group_system'])
    const archive = people.as('boss', (env) => env.model('core.user').write([id], { active: false }))
    await expect(archive).rejects.toMatchObject({
      code: 'VALIDATION',
      details: { fields: { active: expect.any(String) } },
    })
    const unlink = people.as('boss', (env) => env.model('core.user').unlink([id]))
    await expect(unlink).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    await people.as('admin', (env) => env.model('core.user').write([id], { active: false }))
  })

  test('counts as one through a group that implies administration', async () => {
    await people.as('admin', async (env) => {
      const system = env.access.groupIdByXmlid.get('base.group_system')!
      const owners = await env
        .model('core.group')
        .create({ name: 'Owners', implied_ids: [system], user_ids: [adminId] })
      await env.model('core.user').write([adminId], { group_ids: [owners] })
      await env.model('core.user').write([adminId], { group_ids: [owners, system] })
      await env.model('core.group').unlink([owners])
    })
  })

  test('deletes a user with everything that belongs to the user alone', async () => {
    const id = await people.hire('gone')
    await people.as('gone', (env) =>
      env.model('sys.filter').create({ name: 'Mine', model: 'core.partner', domain: [] }),
    )
    await people.as('admin', (env) => env.model('core.user').unlink([id]))
    await expect(credentialOf(id)).rejects.toThrow()
  })

  test('who changes groups makes every process load access anew', async () => {
    const before = await accessEpoch()
    await people.as('admin', (env) => env.model('core.user').write([annId], { email: null }))
    expect(await accessEpoch()).toBe(before)
    await people.as('admin', async (env) => {
      const user = env.access.groupIdByXmlid.get('base.group_user')!
      await env.model('core.user').write([annId], { group_ids: [[4, user]] })
    })
    expect(await accessEpoch()).toBeGreaterThan(before)
  })
})
