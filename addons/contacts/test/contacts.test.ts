import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPeople, type People } from '../../../test/support/people.ts'

let people: People

beforeAll(async () => {
  people = await openPeople(['contacts'])
  await people.hire('mia', ['contacts.group_manager'])
})
afterAll(() => people.leave())

test('the examples are companies and their people, in many countries, each where it is', async () => {
  await people.asSystem(async (env) => {
    const partners = env.model('core.partner')
    expect(await partners.count([['is_company', '=', true]])).toBeGreaterThan(40)
    expect(await partners.count([['parent_id', '!=', null]])).toBeGreaterThan(50)
    const [berlin] = await partners.searchRead([['city', '=', 'Berlin']], ['latitude', 'longitude'], { limit: 1 })
    expect(berlin!.latitude).toBeCloseTo(52.5, 0)
    expect(berlin!.longitude).toBeCloseTo(13.4, 0)
    const placed = await partners.searchRead([['latitude', '!=', null]], ['country_id', 'email'], { limit: 500 })
    expect(new Set(placed.map((row) => row.country_id?.[1])).size).toBeGreaterThan(20)
    for (const { email } of placed) expect(email).toMatch(/\.example$/)
  })
})

test('the example companies have what the head and the foot of a letter show', async () => {
  await people.asSystem(async (env) => {
    const wanted = ['street', 'zip', 'city', 'country_id', 'phone', 'email', 'vat', 'company_registry'] as const
    const companies = await env.model('core.company').searchRead([], [...wanted, 'name', 'logo'], { order: 'id' })
    expect(companies.map(({ name }) => name)).toEqual(['My Company', 'Nordlicht Trading'])
    for (const company of companies) for (const field of wanted) expect(company[field]).not.toBeNull()
    expect(companies[0]!.logo).not.toBeNull()
  })
})

test('managers delete contacts, others only archive them', async () => {
  const id = await people.as('ann', (env) => env.model('core.partner').create({ name: 'Short-lived' }))
  const remove = (login: string) => people.as(login, (env) => env.model('core.partner').unlink([id]))
  await expect(remove('ann')).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  await people.as('ann', (env) => env.model('core.partner').write([id], { active: false }))
  await expect(remove('mia')).resolves.toBe(true)
})

test('a user of one company does not see the contacts of another', async () => {
  const count = (login: string) =>
    people.as(login, (env) => env.model('core.partner').count([['company_id.name', '=', 'Nordlicht Trading']]))
  expect(await count('demo@example.com')).toBeGreaterThan(3)
  expect(await count('mia@example.com')).toBe(await count('demo@example.com'))
  expect(await count('ann')).toBe(0)
})
