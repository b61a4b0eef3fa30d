import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMON_PASSWORDS, COMMON_STEMS, COMMON_TAILS } from '../../../kernel/admin/common-passwords.ts'
import { planSync } from '../../../kernel/schema/sync.ts'
import { openPeople, type People } from '../../../test/support/people.ts'
import { decimalPlaces } from '../models/core-currency.ts'

let people: People

beforeAll(async () => {
  people = await openPeople()
})
afterAll(() => people.leave())

describe('the shipped data', () => {
  test('has the currencies of ISO 4217 with their decimals', async () => {
    const rows = await people.as('ann', (env) =>
      env.model('core.currency').searchRead([], ['name', 'decimal_places', 'symbol', 'position']),
    )
    const byCode = new Map(rows.map((row) => [row.name, row]))
    expect(rows.length).toBeGreaterThanOrEqual(150)
    expect(byCode.get('EUR')).toMatchObject({ decimal_places: 2, symbol: '€', position: 'after' })
    expect(byCode.get('USD')).toMatchObject({ decimal_places: 2, symbol: '$', position: 'before' })
    expect(byCode.get('JPY')).toMatchObject({ decimal_places: 0 })
    expect(byCode.get('KWD')).toMatchObject({ decimal_places: 3 })
  })

  test('has the countries of ISO 3166 with calling code and currency', async () => {
    const rows = await people.as('ann', (env) =>
      env.model('core.country').searchRead([], ['name', 'code', 'phone_code', 'currency_id']),
    )
    expect(rows).toHaveLength(249)
    expect(rows.find((row) => row.code === 'JP')).toMatchObject({
      name: 'Japan',
      phone_code: 81,
      currency_id: [expect.any(Number), 'JPY'],
    })
    expect(rows.filter((row) => row.currency_id === null).map((row) => row.code)).toEqual(['AQ'])
    const german = await people.as('ann', (env) =>
      env.inLanguage('de').model('core.country').searchRead([], ['name', 'code']),
    )
    const names = new Map(german.map(({ code, name }) => [code, name]))
    expect(['AT', 'DE', 'FR', 'GB', 'AD'].map((code) => names.get(code))).toEqual([
      'Österreich',
      'Deutschland',
      'Frankreich',
      'Vereinigtes Königreich',
      'Andorra',
    ])
  })

  test('gives each entry of the administration a different icon', async () => {
    const menus = await people.asSystem((env) =>
      env.model('sys.menu').searchRead([['parent_id.name', 'in', ['Users & Companies', 'Localisation']]], ['icon']),
    )
    const icons = menus.map(({ icon }) => icon)
    expect(icons.length).toBeGreaterThan(10)
    expect(icons.filter((icon, at) => icons.indexOf(icon) !== at)).toEqual([])
  })

  test('names groups, the apps they belong to and what they may in German', async () => {
    const groups = await people.as('admin', (env) =>
      env.inLanguage('de').model('core.group').searchRead([], ['display_name', 'comment']),
    )
    expect(groups.map(({ display_name, comment }) => [display_name, comment])).toEqual([
      ['Allgemein Administrator', 'Verwaltet Benutzer, Zugriff, Module und Einstellungen.'],
      ['Allgemein Benutzer', 'Alle, die mit dem Dienst arbeiten.'],
    ])
  })

  test('finds the administrators by what their groups give, in every language', async () => {
    const found = (lang: string, value: boolean) =>
      people.as('admin', async (env) => {
        const users = await env
          .inLanguage(lang)
          .model('core.user')
          .searchRead([['is_administrator', '=', value]], ['login', 'is_administrator'])
        return users.map(({ login, is_administrator }) => [login, is_administrator])
      })
    expect(await found('en', true)).toEqual([['admin', true]])
    expect(await found('de', true)).toEqual([['admin', true]])
    expect(await found('en', false)).toContainEqual(['ann', false])
    const search = people.as('ann', (env) => env.model('core.user').search([['is_administrator', '=', true]]))
    await expect(search).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })

  test('has a main company with its own partner, and active scheduled jobs', async () => {
    await people.as('admin', async (env) => {
      const [company] = await env.model('core.company').searchRead([], ['name', 'partner_id', 'currency_id', 'city'])
      expect(company).toMatchObject({ name: 'My Company', partner_id: [expect.any(Number), 'My Company'], city: null })
      expect(await env.model('sys.cron').count([['active', '=', true]])).toBe(3)
    })
  })

  test('leaves a schema that needs no further step', async () => {
    const { registry } = await people.modules.holder.latest()
    const plan = await people.database.db.transaction().execute((tx) => planSync(tx, registry))
    expect(plan.steps).toEqual([])
  })

  test('knows at least 3,000 common passwords, all of them long enough to matter', () => {
    const made = [...COMMON_STEMS].flatMap((stem) => COMMON_TAILS.map((tail) => stem + tail))
    const long = new Set([...COMMON_PASSWORDS, ...made].filter((password) => password.length >= 10))
    expect(long.size).toBeGreaterThanOrEqual(3_000)
    expect([...COMMON_PASSWORDS].filter((password) => password !== password.toLowerCase())).toEqual([])
  })
})

test.each([
  [1, 0],
  [10, 0],
  [0.5, 1],
  [0.1, 1],
  [0.05, 2],
  [0.01, 2],
  [0.001, 3],
  [0.0001, 4],
])('amounts rounded to %d have %d decimal places', (rounding, places) => {
  expect(decimalPlaces(rounding)).toBe(places)
})
