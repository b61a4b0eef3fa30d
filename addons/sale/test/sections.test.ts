import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composeDocument, confirmImport, copyRecords, renderDocument } from '#kernel'
import { csvParts } from '../../../kernel/exchange/export/csv.ts'
import { prepareExport } from '../../../kernel/exchange/export/export-query.ts'
import { exportRows } from '../../../kernel/exchange/export/export-rows.ts'
import { stageImport } from '../../../kernel/exchange/import/stage.ts'
import { onchange } from '../../../kernel/orm/onchange/onchange.ts'
import { declaredContent } from '../../../kernel/report/declared.ts'
import { checkPdf, pdfText } from '../../../test/support/pdf.ts'
import { openPeople, type People } from '../../../test/support/people.ts'
import { quotation } from '../documents/quotation.ts'

let people: People
let customer: number
let tax: number

beforeAll(async () => {
  people = await openPeople(['sale'])
  await people.hire('mia', ['sale.group_manager'])
  await people.as('mia', async (env) => {
    customer = await env.model('core.partner').create({ name: 'Testing Works' })
    tax = await env.model('sale.tax').create({ name: 'Tenth', amount: 10 })
  })
})
afterAll(() => people.leave())

type Line = Readonly<Record<string, unknown>>

const create = (lines: readonly Line[]) =>
  people.as('mia', (env) =>
    env.model('sale.order').create({
      partner_id: customer,
      line_ids: lines.map((line, i) => [0, 0, { sequence: (i + 1) * 10, ...line }] as const),
    }),
  )
const linesOf = (order: number) =>
  people.as('mia', (env) =>
    env
      .model('sale.order.line')
      .searchRead([['order_id', '=', order]], ['display_type', 'name', 'quantity', 'price_unit', 'subtotal', 'total']),
  )

const shown = async (order: number) => (await linesOf(order)).map(({ id: _, ...line }) => line)

const FURNISHED: readonly Line[] = [
  { name: 'Survey', quantity: 1, price_unit: 80 },
  { display_type: 'section', name: 'Ground floor' },
  { name: 'Desk', quantity: 2, price_unit: 300 },
  { display_type: 'note', name: 'Delivered in May.\nCarried up by us.' },
  { name: 'Chair', quantity: 4, price_unit: 50 },
  { display_type: 'section', name: 'First floor' },
  { name: 'Shelf', quantity: 1, price_unit: 120.5 },
]

describe('a section or a note among the lines of an order', () => {
  test('has only a text, and adds no amount to the order', async () => {
    const id = await create(FURNISHED)
    const lines = await linesOf(id)
    expect(lines.map(({ display_type, name }) => [display_type, name?.split('\n')[0]])).toEqual(
      FURNISHED.map(({ display_type = null, name }) => [display_type, String(name).split('\n')[0]]),
    )
    expect(lines[1]).toMatchObject({ quantity: 0, price_unit: null, subtotal: 0, total: 0 })
    const [order] = await people.as('mia', (env) => env.model('sale.order').read([id], ['amount_untaxed']))
    expect(order).toMatchObject({ amount_untaxed: 1000.5 })
  })

  test.each([
    ['quantity', { quantity: 1 }],
    ['price_unit', { price_unit: 5 }],
    ['discount', { discount: 5 }],
    ['tax_ids', () => ({ tax_ids: [[6, 0, [tax]]] })],
    ['name', { name: '  ' }],
  ])('is refused with a wrong %s, when it is made and when it is changed', async (field, wrong) => {
    const values: Line = typeof wrong === 'function' ? wrong() : wrong
    const refused = field === 'name' ? 'name' : 'display_type'
    const refusal = { code: 'VALIDATION', details: { fields: { [refused]: expect.any(String) } } }
    await expect(create([{ display_type: 'section', name: 'Extras', ...values }])).rejects.toMatchObject(refusal)
    const id = await create([{ display_type: 'note', name: 'Extras' }])
    const [line] = await linesOf(id)
    await expect(
      people.as('mia', (env) => env.model('sale.order.line').write([line!.id], values)),
    ).rejects.toMatchObject(refusal)
  })

  test('is not made of a line that sells something', async () => {
    const id = await create([{ name: 'Desk', quantity: 2, price_unit: 300 }])
    const [line] = await linesOf(id)
    await expect(
      people.as('mia', (env) => env.model('sale.order.line').write([line!.id], { display_type: 'section' })),
    ).rejects.toMatchObject({
      message: 'A section or a note has no product, quantity, unit, price, discount or tax.',
    })
  })

  test('is no reason to confirm an order', async () => {
    const id = await create([{ display_type: 'section', name: 'Extras' }])
    const confirm = () => people.as('mia', (env) => env.model('sale.order').call([id], 'action_confirm'))
    await expect(confirm()).rejects.toMatchObject({ details: { fields: { state: expect.any(String) } } })
    await people.as('mia', (env) =>
      env.model('sale.order').write([id], { line_ids: [[0, 0, { name: 'Desk', price_unit: 1 }]] }),
    )
    await confirm()
  })

  test('is copied with its order', async () => {
    const id = await create(FURNISHED)
    const [copy] = await people.as('mia', (env) => copyRecords(env, 'sale.order', [id]))
    expect(await shown(copy!)).toEqual(await shown(id))
  })

  test('leaves in an export of the order and comes back with an import of it', async () => {
    const id = await create(FURNISHED)
    const paths = ['sequence', 'display_type', 'name', 'quantity', 'price_unit'].map((name) => `line_ids/${name}`)
    const csv = await people.as('mia', async (env) => {
      const { tree, query, columns } = await prepareExport(env, {
        ...{ model: 'sale.order', id, fields: ['partner_id', ...paths] },
      })
      const parts: string[] = []
      for await (const part of csvParts(env, columns, exportRows(env, tree, query))) parts.push(part)
      return parts.join('')
    })
    expect(csv).toContain('section,Ground floor,0')
    const bytes = new TextEncoder().encode(csv)
    const result = await people.as('mia', async (env) => {
      const batch = await stageImport(env, { model: 'sale.order', file: { name: 'orders.csv', bytes } })
      return confirmImport(env, batch, {})
    })
    expect(result).toMatchObject({ created: 1 })
    const [copy] = await people.as('mia', (env) => env.model('sale.order').search([], { order: 'id desc', limit: 1 }))
    expect(copy).not.toBe(id)
    expect(await shown(copy!)).toEqual(await shown(id))
  })

  test('begins in the form without a quantity, in its own form and among the lines of an order', async () => {
    const ask = (model: string, values: Line, changed: readonly string[] = []) =>
      people.as('mia', (env) => onchange(env, env.registry.model(model)!, { values, changed }))
    const { value } = await ask('sale.order.line', { display_type: 'section' })
    expect(value).toMatchObject({ quantity: 0 })
    const line_ids = [[0, -1, { display_type: 'note', name: 'By ship' }]]
    const { value: order } = await ask('sale.order', { partner_id: customer, line_ids }, ['line_ids'])
    expect(JSON.stringify(order['line_ids'] ?? [])).not.toContain('"quantity":1')
  })
})

describe('the quotation', () => {
  test('shows a section with the sum of its lines and a note across, and numbers only lines that are sold', async () => {
    const id = await create(FURNISHED)
    const { blocks } = await people.as('mia', (env) => declaredContent(env, quotation, id))
    const table = blocks.find((block) => block.kind === 'table')!
    expect(table.columns.map(({ label }) => label)).toEqual(['No.', 'Item', 'Quantity', 'Unit Price', 'Amount'])
    expect(table.rows.map((row) => ('across' in row ? row : row[0]))).toEqual([
      '1',
      { across: 'section', text: 'Ground floor', sum: { column: 4, text: '800.00' } },
      '2',
      { across: 'note', text: 'Delivered in May.\nCarried up by us.', sum: null },
      '3',
      { across: 'section', text: 'First floor', sum: { column: 4, text: '120.50' } },
      '4',
    ])
  })

  test('prints them in their places', async () => {
    const id = await create(FURNISHED)
    const { file } = await people.as('mia', async (env) =>
      renderDocument(env, await composeDocument(env, { model: 'sale.order', id, document: 'quotation' })),
    )
    checkPdf(file)
    const text = pdfText(file)
    const places = ['1 Survey', 'Ground floor 800.00', '2 Desk', 'Carried up by us.', '3 Chair', 'First floor 120.50']
    const found = places.map((part) => text.indexOf(part))
    expect(found).not.toContain(-1)
    expect(found).toEqual(found.toSorted((a, b) => a - b))
  })
})

describe('a line that sells something', () => {
  test.each([{}, { quantity: 2, price_unit: 5 }, { name: '  ' }])(
    'is refused without product and description: %j',
    async (line) => {
      await expect(create([line])).rejects.toMatchObject({
        code: 'VALIDATION',
        details: { fields: { name: 'A line needs a product or a description.' } },
      })
    },
  )

  test('keeps one of both when it is changed', async () => {
    const id = await create([{ name: 'Desk', price_unit: 300 }])
    const [line] = await linesOf(id)
    await expect(
      people.as('mia', (env) => env.model('sale.order.line').write([line!.id], { name: null })),
    ).rejects.toMatchObject({ message: 'A line needs a product or a description.' })
  })
})
