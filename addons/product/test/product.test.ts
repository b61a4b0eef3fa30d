import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPeople, type People } from '../../../test/support/people.ts'
import { convertPrice, convertQuantity } from '../models/product-uom.ts'

let people: People

beforeAll(async () => {
  people = await openPeople(['product'])
  await people.hire('mia', ['product.group_manager'])
  await people.hire('tom', ['product.group_user'])
})
afterAll(() => people.leave())

test('every example product that is no service has a picture, a few hundred bytes each', async () => {
  const products = await people.asSystem((env) =>
    env.model('product.product').searchRead([], ['code', 'type', 'image'], { order: 'id' }),
  )
  expect(products.length).toBeGreaterThan(50)
  const hasPicture = (type: string) => type !== 'service'
  expect(products.filter(({ type, image }) => (image !== null) !== hasPicture(type)).map(({ code }) => code)).toEqual(
    [],
  )
  expect(Math.max(...products.map(({ image }) => (image ?? '').length))).toBeLessThan(500)
})

test('a product is counted in pieces unless another unit or none is said', async () => {
  const units = await people.as('mia', async (env) => {
    const products = env.model('product.product')
    const [kg] = await env.model('product.uom').search([['name', '=', 'kg']])
    const ids = await products.createMany([
      { name: 'One' },
      { name: 'Two', uom_id: kg! },
      { name: 'Three', uom_id: null },
    ])
    return (await products.read(ids, ['uom_id'])).map(({ uom_id }) => uom_id?.[1] ?? null)
  })
  expect(units).toEqual(['Units', 'kg', null])
})

test('a product has no unit of itself once pieces are archived', async () => {
  const found = await people.as('mia', async (env) => {
    const pieces = await env.model('product.uom').search([['name', '=', 'Units']])
    await env.model('product.uom').write(pieces, { active: false })
    const id = await env.model('product.product').create({ name: 'Four' })
    const [product] = await env.model('product.product').read([id], ['uom_id'])
    await env.model('product.uom').write(pieces, { active: true })
    return product!.uom_id
  })
  expect(found).toBeNull()
})

describe('a category', () => {
  test('is named with those above it, and so are all below when it is renamed or moved', async () => {
    const names = await people.as('mia', async (env) => {
      const categories = env.model('product.category')
      const [a, b] = await categories.createMany([{ name: 'A' }, { name: 'B' }])
      const c = await categories.create({ name: 'C', parent_id: a! })
      const d = await categories.create({ name: 'D', parent_id: c })
      const nameOf = async () => (await categories.read([d], ['complete_name']))[0]!.complete_name
      const seen = [await nameOf()]
      await categories.write([a!], { name: 'AA' })
      seen.push(await nameOf())
      await categories.write([c], { parent_id: b! })
      seen.push(await nameOf())
      return seen
    })
    expect(names).toEqual(['A / C / D', 'AA / C / D', 'B / C / D'])
  })

  test('has a full name in every language, whatever the language of the user who moves it', async () => {
    const seen = await people.as('mia', async (env) => {
      const categories = env.model('product.category')
      const namesOf = (id: number) =>
        Promise.all(
          ['en', 'de'].map(
            async (lang) =>
              (await env.inLanguage(lang).model('product.category').read([id], ['complete_name']))[0]!.complete_name,
          ),
        )
      const top = await categories.create({ name: 'Garden', 'name@de': 'Garten' } as { name: string })
      const tools = await categories.create({ name: 'Tools', 'name@de': 'Werkzeug', parent_id: top } as {
        name: string
      })
      const all = [await namesOf(tools)]
      const german = env.inLanguage('de').model('product.category')
      await german.write([tools], { parent_id: null })
      all.push(await namesOf(tools))
      await german.write([tools], { parent_id: top })
      await german.write([top], { name: 'Gärten' })
      all.push(await namesOf(tools))
      return all
    })
    expect(seen).toEqual([
      ['Garden / Tools', 'Garten / Werkzeug'],
      ['Tools', 'Werkzeug'],
      ['Garden / Tools', 'Gärten / Werkzeug'],
    ])
  })

  test('is not its own ancestor', async () => {
    const loop = people.as('mia', async (env) => {
      const a = await env.model('product.category').create({ name: 'Loop' })
      const b = await env.model('product.category').create({ name: 'Below', parent_id: a })
      return env.model('product.category').write([a], { parent_id: b })
    })
    await expect(loop).rejects.toMatchObject({ code: 'VALIDATION' })
  })
})

describe('units', () => {
  const unit = (category: number, factor: number, rounding = 0.01) => ({
    category_id: [category, null] as const,
    factor,
    rounding,
  })
  const [piece, dozen, gram, kilo] = [unit(1, 1), unit(1, 12), unit(2, 0.001), unit(2, 1, 0.001)]

  test('convert within their category, rounded by the target', () => {
    expect(convertQuantity(2, dozen, piece)).toBe(24)
    expect(convertQuantity(1, piece, dozen)).toBe(0.08)
    expect(convertQuantity(1_250, gram, kilo)).toBe(1.25)
    expect(convertPrice(1.5, piece, dozen)).toBe(18)
    expect(() => convertQuantity(1, piece, kilo)).toThrow(expect.objectContaining({ code: 'VALIDATION' }))
  })
})

describe('access', () => {
  test('the cost of a product is for managers alone', async () => {
    const id = await people.as('mia', (env) =>
      env.model('product.product').create({ name: 'Secret', standard_price: 4 }),
    )
    const [mine] = await people.as('mia', (env) => env.model('product.product').read([id], ['name', 'standard_price']))
    const [theirs] = await people.as('tom', (env) =>
      env.model('product.product').read([id], ['name', 'standard_price']),
    )
    expect(mine).toMatchObject({ standard_price: 4 })
    expect(theirs).toEqual({ id, name: 'Secret' })
    const guess = people.as('tom', (env) => env.model('product.product').search([['standard_price', '>', 1]]))
    await expect(guess).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })

  test('users look, managers change, others do neither', async () => {
    const create = (login: string) => people.as(login, (env) => env.model('product.product').create({ name: 'X' }))
    await expect(create('tom')).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    await expect(create('mia')).resolves.toEqual(expect.any(Number))
    const look = (login: string) => people.as(login, (env) => env.model('product.product').count([]))
    await expect(look('ann')).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    expect(await look('tom')).toBeGreaterThan(50)
  })

  test('a product of a company is hidden from the others', async () => {
    const seen = await people.as('tom', (env) => env.model('product.product').search([['code', 'like', 'NRD']]))
    expect(seen).toEqual([])
  })
})

test('two products do not share a barcode, and prices are not negative', async () => {
  const make = (values: Record<string, unknown>) =>
    people.as('mia', (env) => env.model('product.product').create({ name: 'B', ...values }))
  await make({ barcode: '4000000000017' })
  await expect(make({ barcode: '4000000000017' })).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(make({ list_price: -1 })).rejects.toMatchObject({ code: 'VALIDATION' })
})
