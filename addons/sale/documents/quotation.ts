import { type DocumentDef, type Env, roundToFactor, type SumPart, sumMoney } from '#kernel'
import { taxOf } from '../models/line-amounts.ts'

/** The document for a customer: the offer, and after the order its confirmation. */
export const quotation: DocumentDef = {
  name: 'quotation',
  model: 'sale.order',
  title: {
    path: 'state',
    titles: {
      draft: 'Quotation',
      sent: 'Quotation',
      sale: 'Order Confirmation',
      done: 'Order Confirmation',
      cancel: 'Cancelled Order',
    },
  },
  number: 'name',
  subtitle: 'client_ref',
  lang: 'partner_id.lang',
  country: ['partner_id.country_id.code', 'company_id.country_id.code'],
  company: 'company_id',
  address: [
    ['partner_id.parent_id'],
    ['partner_id.name'],
    ['partner_id.street'],
    ['partner_id.street2'],
    ['partner_id.zip', 'partner_id.city'],
    ['partner_id.country_id'],
  ],
  facts: [
    { label: 'Number', path: 'name' },
    { label: 'Date', path: 'date_order' },
    { label: 'Valid until', path: 'validity_date' },
    { label: 'Delivery', path: 'commitment_date' },
    { label: 'Customer no.', path: 'partner_id.ref' },
    { label: 'Your contact', path: 'user_id' },
  ],
  lines: {
    path: 'line_ids',
    across: { kind: 'display_type', text: 'name', sum: 'subtotal' },
    columns: [
      { label: 'Item', path: 'name', hasDetails: true },
      { label: 'Quantity', path: 'quantity', unit: 'uom_id' },
      { label: 'Unit Price', path: 'price_unit' },
      { label: 'Disc.', path: 'discount', isPercent: true },
      { label: 'Taxes', path: 'tax_ids' },
      { label: 'Amount', path: 'subtotal' },
    ],
  },
  sum: {
    currency: 'currency_id',
    facts: [{ label: 'Untaxed Amount', path: 'amount_untaxed' }],
    parts: taxParts,
    total: { label: 'Total Amount', path: 'amount_total' },
  },
  texts: [{ heading: 'Terms and Notes', path: 'note' }],
  sign: {
    when: { path: 'state', values: ['draft', 'sent'] },
    heading: 'Acceptance',
    text: 'We order the items above at these prices and terms.',
    places: ['Place, date', 'Name in capitals', 'Signature, stamp'],
  },
}

/** Each tax with the amount it is charged on. If rates have changed since the order, only the total tax of the lines is known. */
async function taxParts(env: Env, id: number): Promise<readonly SumPart[]> {
  const [order] = await env.model('sale.order').read([id], ['amount_tax', 'currency_id', 'line_ids'])
  const lines = await env.model('sale.order.line').read(order!.line_ids, ['subtotal', 'quantity', 'tax_ids'])
  const used = [...new Set(lines.flatMap((line) => line.tax_ids))]
  const taxes = await env
    .model('sale.tax')
    .searchRead([['id', 'in', used]], ['name', 'description', 'kind', 'amount'], { archived: 'include' })
  const [currency] = await env.model('core.currency').read([order!.currency_id[0]], ['rounding'])
  const { rounding } = currency!
  const parts = taxes.map((tax) => {
    const taxed = lines.filter((line) => line.tax_ids.includes(tax.id))
    const base = sumMoney(taxed.map((line) => line.subtotal))
    const amount = sumMoney(taxed.map(({ subtotal, quantity }) => taxOf(subtotal ?? 0, quantity, [tax], rounding)))
    const label = tax.description ?? tax.name
    return tax.kind === 'percent' ? { label, base, amount } : { label, amount }
  })
  const isKnown = roundToFactor(sumMoney(parts.map(({ amount }) => amount)), rounding) === order!.amount_tax
  return isKnown ? parts : [{ label: env.t('Taxes'), amount: order!.amount_tax ?? 0 }]
}
