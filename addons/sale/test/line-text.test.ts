import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Values } from '#kernel'
import { onchange } from '../../../kernel/orm/onchange/onchange.ts'
import { openPeople, type People } from '../../../test/support/people.ts'

let people: People
let desk: number
let lamp: number
let german: number
let irish: number
let anybody: number

beforeAll(async () => {
  people = await openPeople(['sale'])
  await people.hire('mia', ['sale.group_manager'])
  await people.hire('jan', ['sale.group_manager'], { lang: 'de' })
  await people.as('mia', async (env) => {
    const texts = { description: 'With a drawer.', 'description@de': 'Mit Schublade.' }
    const values = { name: 'Test Desk', 'name@de': 'Prüftisch', list_price: 2, ...texts } as Values<'product.product'>
    desk = await env.model('product.product').create(values)
    lamp = await env.model('product.product').create({ name: 'Test Lamp', list_price: 3 })
    const customer = (name: string, lang?: string) =>
      env.model('core.partner').create({ name, ...(lang === undefined ? {} : { lang }) })
    german = await customer('Isar', 'de')
    irish = await customer('Liffey', 'en')
    anybody = await customer('Anybody')
  })
})
afterAll(() => people.leave())

const ENGLISH = 'Test Desk\nWith a drawer.'
const GERMAN = 'Prüftisch\nMit Schublade.'

type Line = Values<'sale.order.line'>
const order = (partner_id: number, lines: readonly Line[], login = 'mia', more: Values<'sale.order'> = {}) =>
  people.as(login, (env) =>
    env.model('sale.order').create({ partner_id, line_ids: lines.map((line) => [0, 0, line]), ...more }),
  )
const linesOf = (id: number, login = 'mia') =>
  people.as(login, (env) =>
    env
      .model('sale.order.line')
      .searchRead([['order_id', '=', id]], ['name', 'product_name', 'price_unit'], { order: 'id' }),
  )
const textsOf = async (id: number) => (await linesOf(id)).map(({ name }) => name)

describe('the description of a line', () => {
  test('is in the language of the customer, whatever the language of the user', async () => {
    const line = { product_id: desk }
    expect(await textsOf(await order(german, [line, { product_id: lamp }]))).toEqual([GERMAN, 'Test Lamp'])
    expect(await textsOf(await order(irish, [line], 'jan'))).toEqual([ENGLISH])
  })

  test('is in the language of the user if the customer has none', async () => {
    expect(await textsOf(await order(anybody, [{ product_id: desk }]))).toEqual([ENGLISH])
    expect(await textsOf(await order(anybody, [{ product_id: desk }], 'jan'))).toEqual([GERMAN])
  })

  test('is written for a line that brings its price, too', async () => {
    const [line] = await linesOf(await order(german, [{ product_id: desk, price_unit: 7 }]))
    expect(line).toMatchObject({ name: GERMAN, price_unit: 7 })
  })

  test('comes with the name of the product in the same language, which a form need not say twice', async () => {
    const id = await order(german, [{ product_id: desk }])
    expect(await linesOf(id)).toMatchObject([{ product_name: 'Prüftisch' }])
    expect(await linesOf(await order(irish, [{ product_id: desk }]), 'jan')).toMatchObject([
      { product_name: 'Test Desk' },
    ])
  })
})

describe('another customer', () => {
  const hand = (id: number, partner_id: number) =>
    people.as('mia', (env) => env.model('sale.order').write([id], { partner_id }))

  test('gets the descriptions in their language, except those a user wrote', async () => {
    const own = { product_id: desk, name: 'Desk, as agreed' }
    const id = await order(irish, [{ product_id: desk }, own, { name: 'Work', price_unit: 1 }])
    await hand(id, german)
    expect(await textsOf(id)).toEqual([GERMAN, 'Desk, as agreed', 'Work'])
    await hand(id, irish)
    expect(await textsOf(id)).toEqual([ENGLISH, 'Desk, as agreed', 'Work'])
  })

  test('of a confirmed order keeps the agreed descriptions', async () => {
    const id = await order(irish, [{ product_id: desk }])
    await people.as('mia', (env) => env.model('sale.order').call([id], 'action_confirm'))
    await hand(id, german)
    expect(await textsOf(id)).toEqual([ENGLISH])
  })
})

describe('the form', () => {
  const edit = (model: string, request: Parameters<typeof onchange>[2]) =>
    people.as('mia', (env) => onchange(env, env.registry.model(model)!, request))

  test('writes the description of a new line in the language of the customer', async () => {
    const { value } = await edit('sale.order.line', {
      values: { product_id: desk, quantity: 1 },
      changed: ['product_id'],
      parent: { field: 'order_id', values: { partner_id: german } },
    })
    expect(value).toMatchObject({ name: GERMAN, product_name: 'Prüftisch' })
  })

  test('translates the lines of an order that is not saved when its customer changes', async () => {
    const { value } = await edit('sale.order', {
      values: {
        partner_id: german,
        line_ids: [
          [0, 'a', { product_id: desk, name: ENGLISH }],
          [0, 'b', { product_id: desk, name: 'Desk, as agreed' }],
        ],
      },
      changed: ['partner_id'],
    })
    const lines = value['line_ids'] as readonly (readonly [number, string, Record<string, unknown>])[]
    const named = lines.filter(([, , values]) => 'name' in values)
    expect(named).toEqual([[0, 'a', expect.objectContaining({ name: GERMAN })]])
  })

  test('translates saved lines, but not one that is being rewritten', async () => {
    const id = await order(irish, [{ product_id: desk }, { product_id: desk }])
    const [first, second] = await linesOf(id)
    const { value } = await edit('sale.order', {
      id,
      values: { partner_id: german, line_ids: [[1, second!.id, { name: 'Desk, as agreed' }]] },
      changed: ['partner_id'],
    })
    expect(value['line_ids']).toEqual([
      [1, first!.id, expect.objectContaining({ name: GERMAN, product_name: 'Prüftisch' })],
      [1, second!.id, expect.not.objectContaining({ name: expect.anything() })],
    ])
  })
})
