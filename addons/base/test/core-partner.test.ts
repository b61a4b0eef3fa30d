import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Values } from '../../../kernel/model/models.ts'
import { openWorkspace } from '../../../test/support/open-workspace.ts'
import { openPeople, type People } from '../../../test/support/people.ts'
import { PIXEL } from '../../../test/support/pixel.ts'

let people: People
let otherId: number
/** Partners: of the users' company, of another company, of the users, and an ordinary one. */
const of = { company: 0, other: 0, admin: 0, ann: 0, nobody: 0 }

beforeAll(async () => {
  people = await openPeople()
  await people.asSystem(async (env) => {
    otherId = await env.model('core.company').create({ name: 'Other', currency_id: 1 })
    const companies = await env.model('core.company').read([1, otherId], ['partner_id'])
    ;[of.company, of.other] = companies.map(({ partner_id }) => partner_id![0]) as [number, number]
    for (const { login, partner_id } of await env.model('core.user').searchRead([], ['login', 'partner_id']))
      if (login === 'admin' || login === 'ann') of[login] = partner_id![0]
    of.nobody = await env.model('core.partner').create({ name: 'Nobody' })
  })
})
afterAll(() => people.leave())

const write = (login: string, id: number, values: Values<'core.partner'>) =>
  people.as(login, (env) => env.model('core.partner').write([id], values))

const REFUSED = { code: 'ACCESS_DENIED', details: { reason: 'group_required' } }
const stored = () =>
  people.asSystem((env) =>
    env
      .model('core.partner')
      .searchRead([], ['name', 'email', 'vat', 'company_id', 'active', 'parent_id'], { archived: 'include' }),
  )

const CHANGES: readonly Values<'core.partner'>[] = [
  { vat: 'DE999999999' },
  { email: 'thief@example.com' },
  { name: 'Renamed' },
  { company_id: 1 },
  { active: false },
]

describe('the partner of a company or of another user', () => {
  test.each(CHANGES)('is not changed by users: %j', async (values) => {
    const before = await stored()
    for (const id of [of.company, of.other, of.admin])
      await expect(write('ann', id, values)).rejects.toMatchObject(REFUSED)
    expect(await stored()).toEqual(before)
  })

  test('is not changed among others, nor through the lines of another partner', async () => {
    const before = await stored()
    const attempts = [
      () => people.as('ann', (env) => env.model('core.partner').write([of.nobody, of.other], { vat: 'X' })),
      () => write('ann', of.nobody, { child_ids: [[4, of.company]] }),
      () => people.as('ann', (env) => env.model('core.partner').create({ name: 'New', child_ids: [of.admin] })),
      () => people.as('ann', (env) => env.model('core.partner').unlink([of.company])),
    ]
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    expect(await stored()).toEqual(before)
  })

  test('is not changed when the company or the user is archived', async () => {
    await people.asSystem((env) => env.model('core.company').write([otherId], { active: false }))
    await expect(write('ann', of.other, { vat: 'X' })).rejects.toMatchObject(REFUSED)
    await people.asSystem((env) => env.model('core.company').write([otherId], { active: true }))
  })

  test('is changed by administrators, and the company shows it', async () => {
    for (const id of [of.company, of.admin]) await write('admin', id, { phone: '1' })
    const [row] = await people.asSystem((env) => env.model('core.company').read([1], ['phone']))
    expect(row).toMatchObject({ phone: '1' })
  })
})

test('users may change the contact details of their own partner, and no other fields', async () => {
  await write('ann', of.ann, { phone: '2', email: 'ann@example.com', city: 'Bern' })
  for (const values of [
    { name: 'Chief' },
    { company_id: 1 },
    { active: false },
    { parent_id: of.company },
    { phone: '3', vat: 'X' },
  ])
    await expect(write('ann', of.ann, values)).rejects.toMatchObject(REFUSED)
})

test.each([
  ['ann', 'admin'],
  ['admin', 'ann'],
])('a partner that stands for several users is left to administrators: %s, then %s', async (...logins) => {
  const point = (login: string, partner_id: number) =>
    people.asSystem(async (env) => {
      const users = env.model('core.user')
      await users.write(await users.search([['login', '=', login]]), { partner_id })
    })
  const shared = await people.asSystem((env) => env.model('core.partner').create({ name: 'Both' }))
  for (const login of logins) await point(login, shared)
  await expect(write('ann', shared, { phone: '4' })).rejects.toMatchObject(REFUSED)
  const shown = await people.as('ann', (env) => env.model('core.partner').read([shared], ['kept_by']))
  expect(shown).toMatchObject([{ kept_by: 'admin' }])
  await point('ann', of.ann)
  await point('admin', of.admin)
})

test('other partners are changed by every user', async () => {
  await write('ann', of.nobody, { vat: 'DE1', email: 'x@example.com', company_id: 1 })
})

test('the logo of a company is a picture that letters can show', async () => {
  const draw = (logo: string | null) => people.as('admin', (env) => env.model('core.company').write([1], { logo }))
  for (const other of [PIXEL.gif, PIXEL.webp])
    await expect(draw(other)).rejects.toMatchObject({ details: { fields: { logo: expect.stringContaining('PNG') } } })
  await draw(PIXEL.jpeg)
  await draw(null)
})

test('a form shows the partner of another user as read-only, and the own partner as partly editable', async () => {
  const open = (login: string, id: number) =>
    people.as(login, async (env) => {
      const { arch, records } = await openWorkspace(env, { model: 'core.partner', view_type: 'form', id })
      return [arch.access.write, records[0]!['kept_by']]
    })
  expect(await Promise.all([of.company, of.admin, of.ann, of.nobody].map((id) => open('ann', id)))).toEqual([
    [false, 'admin'],
    [false, 'admin'],
    [true, 'user'],
    [true, null],
  ])
  expect(await open('admin', of.company)).toEqual([true, null])
})
