import {
  behavior,
  byId,
  conflict,
  type Domain,
  defineModel,
  type Env,
  type FieldsOf,
  field,
  type LinkCommand,
  type NewValues,
  sumMoney,
  type Values,
} from '#kernel'
import { subtotalOf, taxOf } from './line-amounts.ts'
import { kindProblems, LINE_KINDS } from './line-kind.ts'
import { type Offer, offerOf, offersOf } from './line-offer.ts'
import { customerLanguages, customerNames, productTexts } from './line-text.ts'
import { LOCKED_STATES, ORDER_STATES } from './order-state.ts'

export const saleOrderLine = defineModel('sale.order.line', {
  label: 'Sales Order Line',
  order: 'order_id, sequence, id',
  displayName: 'name',
  // Not the order first, because then searching its name would find every line of it.
  aboutFields: ['subtotal', 'order_id', 'partner_id'],
  fields: {
    order_id: field.many2one('sale.order', { required: true, ondelete: 'cascade', index: true }),
    sequence: field.integer({ default: 10 }),
    display_type: field.selection(LINE_KINDS, {
      label: 'Kind of Line',
      help: 'A section or a note has a text and nothing else; every other line sells something.',
    }),
    product_id: field.many2one('product.product', {
      ondelete: 'restrict',
      index: true,
      domain: [['sale_ok', '=', true]],
    }),
    name: field.text({ label: 'Description', help: 'Empty on a new line: the name of the product.' }),
    quantity: field.float({
      required: true,
      default: 1,
      defaultFrom: ({ display_type }) => (display_type ? 0 : undefined),
      digits: [16, 3],
    }),
    uom_id: field.many2one('product.uom', { label: 'Unit', ondelete: 'restrict' }),
    price_unit: field.monetary({ label: 'Unit Price', help: 'Empty on a new line: the price for this customer.' }),
    discount: field.float({ label: 'Discount (%)', required: true, default: 0, digits: [7, 3] }),
    tax_ids: field.many2many('sale.tax', { label: 'Taxes' }),
    subtotal: field.monetary({ compute: 'stored' }),
    tax_amount: field.monetary({ label: 'Tax', compute: 'stored' }),
    total: field.monetary({ compute: 'stored' }),
    currency_id: field.many2one('core.currency', { related: 'order_id.currency_id', compute: 'stored' }),
    company_id: field.many2one('core.company', { related: 'order_id.company_id', compute: 'stored', index: true }),
    pricelist_id: field.many2one('product.pricelist', { related: 'order_id.pricelist_id' }),
    partner_id: field.many2one('core.partner', { label: 'Customer', related: 'order_id.partner_id' }),
    user_id: field.many2one('core.user', { label: 'Salesperson', related: 'order_id.user_id' }),
    date_order: field.datetime({ label: 'Order Date', related: 'order_id.date_order' }),
    state: field.selection(ORDER_STATES, { label: 'Order Status', related: 'order_id.state' }),
    product_name: field.char({ compute: 'read', help: 'In the language of the customer.' }),
    category_id: field.many2one('product.category', { label: 'Product Category', related: 'product_id.category_id' }),
  },
  constraints: {
    discount_range: {
      check: 'discount between -100 and 100',
      fields: ['discount'],
      message: 'A discount lies between -100 and 100 percent.',
    },
  },
})

declare module '#kernel' {
  interface Models {
    'sale.order.line': SaleOrderLine
  }
  interface SaleOrderLine extends FieldsOf<typeof saleOrderLine> {}
}

export const saleOrderLineBehavior = behavior('sale.order.line', {
  computes: {
    subtotal: {
      needs: ['quantity', 'price_unit', 'discount', 'currency_id.rounding'],
      run: (_env, lines) =>
        new Map(lines.map((line) => [line.id, subtotalOf(line, line.currency_id?.rounding ?? 0.01)])),
    },
    tax_amount: {
      // The rates are not listed: a new rate must not change existing orders.
      needs: ['subtotal', 'quantity', 'tax_ids', 'currency_id.rounding'],
      async run(env, lines) {
        const wanted = [...new Set(lines.flatMap((line) => line.tax_ids))]
        const taxes = new Map(
          (await env.model('sale.tax').read(wanted, ['kind', 'amount'])).map((tax) => [tax.id, tax]),
        )
        return new Map(
          lines.map(({ id, subtotal, quantity, tax_ids, currency_id }) => [
            id,
            taxOf(
              subtotal ?? 0,
              quantity,
              tax_ids.flatMap((tax) => taxes.get(tax) ?? []),
              currency_id?.rounding ?? 0.01,
            ),
          ]),
        )
      },
    },
    total: {
      needs: ['subtotal', 'tax_amount'],
      run: (_env, lines) => new Map(lines.map((line) => [line.id, sumMoney([line.subtotal, line.tax_amount])])),
    },
    product_name: {
      needs: ['product_id', 'order_id.partner_id.lang'],
      run: customerNames,
    },
  },
  checks: [
    {
      needs: ['display_type', 'name', 'product_id', 'uom_id', 'quantity', 'price_unit', 'discount', 'tax_ids'],
      check: kindProblems,
    },
    {
      needs: ['uom_id.category_id', 'product_id.uom_id.category_id'],
      check: (_env, { uom_id, product_id }) =>
        uom_id && product_id?.uom_id && uom_id.category_id !== product_id.uom_id.category_id
          ? { uom_id: 'The product is not counted in this kind of unit.' }
          : undefined,
    },
  ],
  onchange: {
    async product_id(env, line) {
      if (line.product_id === null) return undefined
      const offer = await offerOf(env, { ...line, product_id: line.product_id, uom_id: null })
      return { value: offer.values, warnings: offer.warnings }
    },
    async quantity(env, line) {
      if (line.product_id === null || line.pricelist_id === null) return undefined
      const { values } = await offerOf(env, { ...line, product_id: line.product_id })
      return { value: { price_unit: values.price_unit } }
    },
    async uom_id(env, line) {
      if (line.product_id === null || line.uom_id === null) return undefined
      const { values } = await offerOf(env, { ...line, product_id: line.product_id })
      return { value: { price_unit: values.price_unit } }
    },
  },
  events: {
    creating: completeLines,
    async created(env, ids) {
      // Lines created together with their order are allowed in any state, so that old orders can be imported.
      await refuseLocked(env, ids, [LOCKED, ['order_id.create_date', '<', env.now.toISOString()]])
    },
    // Checked before and after the write: a line can neither leave a locked order nor move into one.
    updating: (env, ids) => refuseLocked(env, ids, [LOCKED]),
    updated: (env, ids) => refuseLocked(env, ids, [LOCKED]),
    async deleting(env, ids, owner) {
      // An order that may be deleted takes its lines with it.
      if (owner !== 'sale.order') await refuseLocked(env, ids, [LOCKED])
    },
  },
})

const LOCKED = ['order_id.state', 'in', LOCKED_STATES] as const

/** Throws if a line matches `which`, that is, belongs to a locked order. Not checked under sudo. */
async function refuseLocked(env: Env, ids: readonly number[], which: Domain<'sale.order.line'>): Promise<void> {
  if (env.isSudo) return
  const [locked] = await env
    .model('sale.order.line')
    .searchRead([['id', 'in', ids], ...which], ['order_id'], { limit: 1 })
  if (!locked) return
  const order = locked.order_id[1] ?? `#${locked.order_id[0]}`
  throw conflict('sale.order_locked', env.t('{order} is locked or cancelled; its lines cannot change.', { order }))
}

type NewLine = NewValues<'sale.order.line'>

const ORDER_TERMS = ['pricelist_id', 'currency_id', 'company_id', 'date_order', 'partner_id'] as const

/** Completes lines like the form does: price of lines with only a product, and text of lines without one. */
async function completeLines(env: Env, lines: readonly NewLine[]): Promise<readonly Values<'sale.order.line'>[]> {
  const sold = lines.filter(isSold)
  const open = sold.filter(isOpen)
  const bare = sold.filter((line) => !isOpen(line) && (line.name ?? null) === null)
  if (open.length + bare.length === 0) return []
  const orderIds = [...new Set(sold.map((line) => line.order_id))]
  const read = await env
    .sudo('what a line says and costs follows from its order', { beyondScope: true })
    .model('sale.order')
    .searchRead([['id', 'in', orderIds]], ORDER_TERMS)
  const orders = byId(read)
  const customerOf = ({ order_id }: SoldLine) => orders.get(order_id)?.partner_id[0] ?? null
  const offers = await offersOf(
    env,
    open.map((line) => {
      const order = orders.get(line.order_id)
      return {
        product_id: line.product_id,
        quantity: line.quantity ?? null,
        uom_id: line.uom_id ?? null,
        pricelist_id: order?.pricelist_id?.[0] ?? null,
        currency_id: order?.currency_id[0] ?? null,
        company_id: order?.company_id?.[0] ?? null,
        date_order: order?.date_order ?? null,
        partner_id: customerOf(line),
      }
    }),
  )
  const texts = await textsForLines(env, bare, customerOf)
  const offerOfLine = new Map<NewLine, Offer>(open.map((line, index) => [line, offers[index]!]))
  return lines.map((line) => {
    const offer = offerOfLine.get(line)
    if (offer === undefined) return texts.get(line) ?? {}
    const { tax_ids, name, ...values } = offer.values
    return { ...values, name: line.name ?? name, ...(line.tax_ids?.some(isAdding) ? {} : { tax_ids }) }
  })
}

async function textsForLines(
  env: Env,
  lines: readonly SoldLine[],
  customerOf: (line: SoldLine) => number | null,
): Promise<ReadonlyMap<NewLine, { readonly name?: string }>> {
  if (lines.length === 0) return new Map()
  const languages = await customerLanguages(env, lines.map(customerOf))
  const wanted = lines.map((line) => ({ product_id: line.product_id, lang: languages(customerOf(line)) }))
  const text = await productTexts(env, wanted)
  return new Map(
    lines.map((line, index) => {
      const name = text(wanted[index]!)
      return [line, name === undefined ? {} : { name }]
    }),
  )
}

type SoldLine = NewLine & { readonly order_id: number; readonly product_id: number }

const isSold = (line: NewLine): line is SoldLine =>
  typeof line.product_id === 'number' && typeof line.order_id === 'number'

const isOpen = (line: NewLine): boolean => (line.price_unit ?? null) === null

/** Whether a command adds a link. */
const isAdding = (command: LinkCommand): boolean =>
  command[0] === 0 || command[0] === 4 || (command[0] === 6 && command[2].length > 0)
