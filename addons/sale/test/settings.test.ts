import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSetting } from '#kernel'
import { readAppSettings, saveAppSettings } from '../../../kernel/admin/app-settings.ts'
import { openPeople, type People } from '../../../test/support/people.ts'
import { quotationDays, terms } from '../settings/new-quotations.ts'

let people: People

beforeAll(async () => {
  people = await openPeople(['sale'])
  await people.hire('ada', ['base.group_system', 'sale.group_manager'])
  await people.hire('tom', ['sale.group_user'])
})
afterAll(() => people.leave())

const save = (login: string, values: Readonly<Record<string, string>>) =>
  people.as(login, (env) => saveAppSettings(env, 'sale', values))
const newOrder = () =>
  people.as('tom', async (env) => {
    const partner_id = await env.model('core.partner').create({ name: 'Testing Works' })
    const id = await env.model('sale.order').create({ partner_id })
    const [order] = await env.model('sale.order').read([id], ['validity_date', 'note'])
    return { ...order!, today: env.now }
  })

test('a quotation has no expiry date and no terms without settings', async () => {
  expect(await newOrder()).toMatchObject({ validity_date: null, note: null })
})

test('new quotations follow the settings, and go back to the defaults when these are emptied', async () => {
  await save('ada', { 'sale.quotation_days': ' 30 ', 'sale.terms': 'Payment within 14 days.\nGoods <stay> ours.' })
  const { validity_date, note, today } = await newOrder()
  expect(validity_date).toBe(new Date(today.getTime() + 30 * 86_400_000).toISOString().slice(0, 10))
  expect(note).toContain('Payment within 14 days.')
  expect(note).toContain('&lt;stay&gt;')
  expect(await people.as('tom', (env) => readSetting(env, quotationDays))).toBe(30)
  await save('ada', { 'sale.quotation_days': '', 'sale.terms': '' })
  expect(await newOrder()).toMatchObject({ validity_date: null, note: null })
})

test('a company may have its own terms, and otherwise has those of all', async () => {
  const [main, nord] = await people.asSystem(async (env) => [
    (await env.model('core.company').search([['name', '=', 'My Company']]))[0]!,
    (await env.model('core.company').search([['name', '=', 'Nordlicht Trading']]))[0]!,
  ])
  await people.asSystem(async (env) => {
    const [ada] = await env.model('core.user').search([['login', '=', 'ada']])
    await env.model('core.user').write([ada!], { company_ids: [main, nord] })
  })
  const saveFor = (company: number, values: Readonly<Record<string, string>>) =>
    people.as('ada', (env) => saveAppSettings(env, 'sale', values, company))
  const termsFor = (login: string) => people.as(login, (env) => readSetting(env, terms))
  await save('ada', { 'sale.terms': 'Of all' })
  await saveFor(nord, { 'sale.terms': 'Of the north' })
  expect([await termsFor('tom'), await termsFor('mia@example.com')]).toEqual(['Of all', 'Of the north'])
  const shown = await people.as('ada', (env) => readAppSettings(env, nord))
  expect(shown).toMatchObject({
    company: nord,
    companies: [{ name: 'My Company' }, { name: 'Nordlicht Trading' }],
    apps: [{ settings: [{ text: '' }, { text: 'Of the north', default: 'Of all' }] }],
  })
  await saveFor(nord, { 'sale.terms': '' })
  expect(await termsFor('mia@example.com')).toBe('Of all')
  await expect(saveFor(nord, { 'sale.quotation_days': 'soon' })).rejects.toMatchObject({ code: 'VALIDATION' })
  const beyond = people.as('admin', (env) => saveAppSettings(env, 'sale', { 'sale.terms': 'Mine' }, nord))
  await expect(beyond).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  await save('ada', { 'sale.terms': '' })
})

test('the page shows the stored values, in the language of its reader', async () => {
  await save('ada', { 'sale.quotation_days': '21' })
  const { apps } = await people.as('ada', (env) => readAppSettings(env.inLanguage('de')))
  expect(apps).toMatchObject([
    {
      addon: 'sale',
      settings: [
        { name: 'sale.quotation_days', label: 'Gültigkeit von Angeboten', unit: 'Tage', text: '21', default: '' },
        { name: 'sale.terms', type: 'text', text: '' },
      ],
    },
  ])
})

const OUTSIDE = 'Must lie between 1 and 3650.'
const NO_NUMBER = 'Must be a whole number.'

test.each([
  ['0', OUTSIDE],
  ['-5', OUTSIDE],
  ['3651', OUTSIDE],
  ['10000000000', OUTSIDE],
  ['1.5', NO_NUMBER],
  ['two weeks', NO_NUMBER],
])('a validity of %s days is refused, however it comes: %s', async (text, problem) => {
  await expect(save('ada', { 'sale.quotation_days': text, 'sale.terms': 'x' })).rejects.toMatchObject({
    code: 'VALIDATION',
    details: {
      fields: { 'sale.quotation_days': problem },
    },
  })
  expect(await people.as('ada', (env) => readSetting(env, terms))).toBe(null)
  await expect(
    people.as('ada', async (env) => {
      const [known] = await env.model('sys.setting').search([['key', '=', quotationDays.name]])
      await env.model('sys.setting').write([known!], { value: text })
    }),
  ).rejects.toMatchObject({ details: { fields: { value: expect.any(String) } } })
})

test('a setting that the app does not have is unknown', async () => {
  await expect(save('ada', { 'sale.colour': 'red' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('they are for administrators, and the audit trail names them without their values', async () => {
  await expect(save('tom', { 'sale.terms': 'Mine' })).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  await save('ada', { 'sale.terms': 'Strictly cash' })
  const entries = await people.as('ada', (env) =>
    env.model('sys.audit').searchRead([['kind', '=', 'settings_changed']], ['actor', 'subject', 'detail']),
  )
  expect(entries).toContainEqual(expect.objectContaining({ actor: 'ada', subject: 'sale.terms' }))
  expect(JSON.stringify(entries)).not.toContain('cash')
})
