import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../kernel/limits.ts'
import { findRecords, type Sought } from '../../kernel/workspace/find-records.ts'
import { openPeople, type People } from '../support/people.ts'

let people: People
let ada: number

beforeAll(async () => {
  people = await openPeople(['library'])
  await people.hire('lena', ['library.group_librarian'])
  await people.hire('rudi', ['library.group_user'])
  await people.as('lena', async (env) => {
    ada = await env.model('library.author').create({ name: 'Ada Quillfeather' })
    for (const title of ['Night Ferry', 'Day Ferry'])
      await env.model('library.book').create({ title, author_id: ada, isbn: `x-${title}`, purchase_price: 7 })
  })
})
afterAll(() => people.leave())

const MODELS = ['library.book', 'library.author']
const find = (login: string, sought: Partial<Sought>) =>
  people.as(login, (env) => findRecords(env, { text: '', models: MODELS, of: null, ...sought }))
const names = (found: Awaited<ReturnType<typeof find>>) =>
  found.map(({ model, records }) => [model, records.map((record) => record['display_name'])])

describe('the search of the palette', () => {
  test('finds records of every model by name, by the fields a typeahead searches, and by what they are about', async () => {
    expect(names(await find('lena', { text: 'night fer' }))).toEqual([['library.book', ['Night Ferry']]])
    expect(names(await find('lena', { text: 'X-DAY' }))).toEqual([['library.book', ['Day Ferry']]])
    expect(names(await find('lena', { text: 'quillf' }))).toEqual([
      ['library.book', ['Day Ferry', 'Night Ferry']],
      ['library.author', ['Ada Quillfeather']],
    ])
  })

  test('says what kind of record each is', async () => {
    const found = await find('lena', { text: 'quillf' })
    expect(found.map(({ label }) => label)).toEqual(['Book', 'Author'])
  })

  test('costs one statement per model, and one for the authors whom books are looked for by', async () => {
    await find('lena', { text: 'ferry' })
    const before = people.database.statements.length
    await find('lena', { text: 'ferry' })
    const asked = people.database.statements.slice(before).filter((sql) => /from "library_(book|author)"/.test(sql))
    expect(asked).toHaveLength(MODELS.length + 1)
  })

  test('finds records that link to a record, and none in models without such a link', async () => {
    const of = { model: 'library.author', id: ada }
    expect(names(await find('lena', { of }))).toEqual([['library.book', ['Day Ferry', 'Night Ferry']]])
    expect(names(await find('lena', { of, text: 'night' }))).toEqual([['library.book', ['Night Ferry']]])
    expect(names(await find('lena', { of: { model: 'core.country', id: 1 }, models: ['library.loan'] }))).toEqual([])
  })

  test('shows what tells records apart, without fields the user may not read', async () => {
    const about = async (login: string) => (await find(login, { text: 'night ferry' }))[0]
    expect((await about('lena'))?.fields.map(({ name }) => name)).toEqual(['author_id', 'state', 'purchase_price'])
    expect((await about('lena'))?.records[0]).toMatchObject({ author_id: [ada, 'Ada Quillfeather'], purchase_price: 7 })
    const seen = await about('rudi')
    expect(seen?.fields.map(({ name }) => name)).toEqual(['author_id', 'state'])
    expect(seen?.records[0]).not.toHaveProperty('purchase_price')
  })

  test('leaves out models that are unknown, hidden or not to be read, and searches no private field', async () => {
    const hidden = ['no.model', 'sys.access', 'sys.rule', 'library.book']
    expect((await find('rudi', { text: 'ferry', models: hidden })).map(({ model }) => model)).toEqual(['library.book'])
    const users = await find('rudi', { text: 'lena', models: ['core.user'] })
    expect(names(users)).toEqual([['core.user', ['lena']]])
    await people.asSystem(async (env) => {
      const [lena] = await env.model('core.user').search([['name', '=', 'lena']])
      await env.model('core.user').write([lena!], { name: 'Somebody' })
    })
    expect(await find('rudi', { text: 'lena', models: ['core.user'] })).toEqual([])
  })

  test(`answers ${LIMITS.foundRecords} records of a model at most`, async () => {
    const many = Array.from({ length: LIMITS.foundRecords + 2 }, (_, at) => ({ title: `Fog ${at}`, author_id: ada }))
    await people.as('lena', (env) => env.model('library.book').createMany(many))
    expect((await find('lena', { text: 'fog' }))[0]?.records).toHaveLength(LIMITS.foundRecords)
  })
})
