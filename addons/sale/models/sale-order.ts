import {
  behavior,
  canSendMail,
  conflict,
  type Domain,
  defineModel,
  type Env,
  type FieldsOf,
  type Form,
  field,
  htmlOfText,
  ids as idsOf,
  readSetting,
  sumMoney,
} from '#kernel'
import { companyCurrency } from '../../base/models/core-company.ts'
import { dayOf } from '../../base/models/day-of.ts'
import { quotationDays, terms } from '../settings/new-quotations.ts'
import { textsForCustomer } from './line-text.ts'
import { orderActions, passTo } from './order-actions.ts'
import {
  actionBetween,
  CONFIRMED_STATES,
  LOCKED_STATES,
  ORDER_STATES,
  type OrderState,
  QUOTATION_STATES,
  TRANSITIONS,
} from './order-state.ts'

export const saleOrder = defineModel('sale.order', {
  label: 'Sales Order',
  order: 'date_order desc, id desc',
  searchFields: ['name', 'client_ref'],
  // A confirmed order keeps its salesperson.
  handOver: { user_id: { label: 'Open quotations', domain: [['state', 'in', ['draft', 'sent']]] } },
  aboutFields: ['partner_id', 'state', 'amount_total'],
  fields: {
    name: field.char({
      label: 'Number',
      size: 64,
      sequence: 'sale.order',
      index: true,
      copy: false,
      help: 'Empty on a new order: the next number.',
    }),
    state: field.selection(ORDER_STATES, {
      label: 'Status',
      required: true,
      readonly: true,
      default: 'draft',
      copy: false,
      index: true,
      tracking: true,
    }),
    partner_id: field.many2one('core.partner', { label: 'Customer', required: true, index: true, tracking: true }),
    partner_country_id: field.many2one('core.country', { label: 'Country', related: 'partner_id.country_id' }),
    client_ref: field.char({ label: 'Customer Reference', size: 100, copy: false }),
    user_id: field.many2one('core.user', {
      label: 'Salesperson',
      index: true,
      tracking: true,
      default: (env) => env.user.id || null,
    }),
    company_id: field.many2one('core.company', {
      index: true,
      default: (env) => env.user.companyIds[0] ?? null,
    }),
    pricelist_id: field.many2one('product.pricelist', { label: 'Price List', ondelete: 'restrict' }),
    currency_id: field.many2one('core.currency', { required: true, default: companyCurrency }),
    date_order: field.datetime({
      label: 'Order Date',
      required: true,
      index: true,
      copy: false,
      default: (env) => env.now.toISOString(),
    }),
    validity_date: field.date({ label: 'Valid Until', copy: false, default: validUntil }),
    commitment_date: field.date({ label: 'Promised Delivery', copy: false }),
    confirmed_at: field.datetime({ label: 'Confirmed', readonly: true, copy: false }),
    line_ids: field.one2many('sale.order.line', 'order_id', { label: 'Lines', copy: true }),
    amount_untaxed: field.monetary({ label: 'Untaxed Amount', compute: 'stored' }),
    amount_tax: field.monetary({ label: 'Taxes', compute: 'stored' }),
    amount_total: field.monetary({ label: 'Total', compute: 'stored', tracking: true }),
    stage_id: field.many2one('sale.stage', { ondelete: 'restrict', index: true, copy: false, default: firstStage }),
    is_mailable: field.boolean({ label: 'Can be Mailed', compute: 'read' }),
    partner_order_count: field.integer({ label: 'Customer Orders', compute: 'read' }),
    tag_ids: field.many2many('sale.tag', { label: 'Tags' }),
    note: field.html({ label: 'Terms and Notes', default: usualTerms }),
  },
})

declare module '#kernel' {
  interface Models {
    'sale.order': SaleOrder
  }
  interface SaleOrder extends FieldsOf<typeof saleOrder> {}
}

async function validUntil(env: Env): Promise<string | null> {
  const days = await readSetting(env, quotationDays)
  return days === null ? null : dayOf(env, days)
}

async function usualTerms(env: Env): Promise<string | null> {
  const text = await readSetting(env, terms)
  return text === null ? null : htmlOfText(text)
}

/** Groups that may lock an order, and so also undo that. */
const LOCKERS = ['sale.group_manager', 'sale.group_accountant']

export const saleOrderBehavior = behavior('sale.order', {
  computes: {
    amount_untaxed: {
      needs: ['line_ids.subtotal'],
      run: (_env, orders) =>
        new Map(orders.map(({ id, line_ids }) => [id, sumMoney(line_ids.map((line) => line.subtotal))])),
    },
    amount_tax: {
      needs: ['line_ids.tax_amount'],
      run: (_env, orders) =>
        new Map(orders.map(({ id, line_ids }) => [id, sumMoney(line_ids.map((line) => line.tax_amount))])),
    },
    amount_total: {
      needs: ['amount_untaxed', 'amount_tax'],
      run: (_env, orders) =>
        new Map(orders.map((order) => [order.id, sumMoney([order.amount_untaxed, order.amount_tax])])),
    },
    is_mailable: {
      needs: [],
      async run(env, orders) {
        const isOn = await canSendMail(env)
        return new Map(orders.map(({ id }) => [id, isOn]))
      },
    },
    partner_order_count: {
      needs: ['partner_id'],
      async run(env, orders) {
        const partners = [...new Set(orders.map((order) => order.partner_id))]
        const counts = await env.model('sale.order').countBy('partner_id', [['partner_id', 'in', partners]])
        return new Map(orders.map(({ id, partner_id }) => [id, counts.get(partner_id ?? 0) ?? 0]))
      },
    },
  },
  checks: [
    {
      needs: ['state', 'line_ids.display_type'],
      check: (_env, { state, line_ids }) =>
        CONFIRMED_STATES.includes(state) && line_ids.every((line) => line.display_type !== null)
          ? { state: 'An order needs at least one line before it is confirmed.' }
          : undefined,
    },
    {
      needs: ['currency_id', 'pricelist_id.currency_id'],
      check: (_env, { currency_id, pricelist_id }) =>
        pricelist_id && pricelist_id.currency_id !== currency_id
          ? { currency_id: 'The price list is in another currency.' }
          : undefined,
    },
    {
      needs: ['date_order', 'validity_date'],
      check: (_env, { date_order, validity_date }) =>
        validity_date !== null && validity_date < date_order.slice(0, 10)
          ? { validity_date: 'An offer does not end before it was made.' }
          : undefined,
    },
  ],
  onchange: {
    async partner_id(env, draft, form) {
      if (draft.partner_id === null) return undefined
      const [partner] = await env.model('core.partner').read([draft.partner_id], ['pricelist_id', 'user_id'])
      return {
        value: {
          ...(partner?.pricelist_id ? { pricelist_id: partner.pricelist_id[0] } : {}),
          ...(partner?.user_id ? { user_id: partner.user_id[0] } : {}),
        },
        ...(isQuotation(draft.state) ? { lines: { line_ids: await translated(env, draft.partner_id, form) } } : {}),
      }
    },
    async pricelist_id(env, draft) {
      if (draft.pricelist_id === null) return undefined
      const [pricelist] = await env.model('product.pricelist').read([draft.pricelist_id], ['currency_id'])
      const isPriced = (draft.line_ids ?? []).length > 0
      return {
        value: pricelist ? { currency_id: pricelist.currency_id[0] } : {},
        warnings: isPriced
          ? [
              {
                field: 'pricelist_id',
                title: env.t('Prices'),
                message: env.t('The lines keep their prices until you update them.'),
              },
            ]
          : [],
      }
    },
  },
  actions: orderActions,
  grantedActions: { action_done: 'sale.group_accountant', action_unlock: 'sale.group_accountant' },
  undoableActions: Object.keys(TRANSITIONS),
  undoneBy: { action_done: 'action_unlock', action_unlock: 'action_done' },
  actionGroups: {
    action_send: 'sale.group_user',
    action_confirm: 'sale.group_user',
    action_done: LOCKERS,
    action_unlock: LOCKERS,
    action_cancel: 'sale.group_user',
    action_draft: 'sale.group_user',
    action_send_email: 'sale.group_user',
    action_update_prices: 'sale.group_user',
  },
  events: {
    async created(env, ids) {
      // Code that creates an order in another state, such as an old one, has also set its stage.
      await followStage(env, [...among(ids), ['state', '=', 'draft']])
    },
    async updating(env, ids, changed) {
      if (DOCUMENT.some((name) => changed.has(name))) await refuseLocked(env, among(ids))
    },
    async updated(env, ids, changed) {
      // Checked again with the rows locked, since another transaction may have locked the order after the first check.
      if (!changed.has('state') && DOCUMENT.some((name) => changed.has(name))) await refuseLocked(env, among(ids))
      if (changed.has('partner_id')) await translateLines(env, ids)
      if (!changed.has('stage_id') || changed.has('state')) return
      // It may move to another stage if the caller may make the transition of that stage, but not lose its stage.
      await refuseLocked(env, [...among(ids), ['stage_id', '=', null]])
      await followStage(env, among(ids))
    },
    async deleting(env, ids) {
      if (!env.isSudo) await refuseConfirmed(env, ids)
    },
  },
})

/** Fields of the content of an order and of what its prices depend on; not its salesperson, tags and notes. */
const DOCUMENT = [
  'name',
  'partner_id',
  'client_ref',
  'company_id',
  'pricelist_id',
  'currency_id',
  'date_order',
  'validity_date',
  'commitment_date',
  'line_ids',
] as const

const isQuotation = (state: OrderState | null): boolean => QUOTATION_STATES.some((each) => each === state)

async function translated(env: Env, partnerId: number, form: Form<'sale.order'>) {
  const { line_ids } = await form.read(['line_ids.product_id', 'line_ids.name'])
  return textsForCustomer(env, line_ids, partnerId)
}

/** Writes the texts of quotations in the language of their customers. */
async function translateLines(env: Env, ids: readonly number[]): Promise<void> {
  const kernel = env.sudo('what the service wrote on the lines follows the customer', { beyondScope: true })
  const lines = await kernel.model('sale.order.line').searchRead(
    [
      ['order_id', 'in', ids],
      ['order_id.state', 'in', QUOTATION_STATES],
      ['product_id', '!=', null],
    ],
    ['name', 'product_id', 'partner_id'],
  )
  for (const partner of new Set(lines.map(({ partner_id }) => partner_id![0]))) {
    const own = lines.filter(({ partner_id }) => partner_id![0] === partner)
    const written = own.map(({ id, name, product_id }) => ({ id, name, product_id: product_id![0] }))
    await kernel.model('sale.order.line').writeEach(await textsForCustomer(kernel, written, partner))
  }
}

const among = (ids: readonly number[]) => [['id', 'in', ids]] as const

async function firstStage(env: Env): Promise<number | null> {
  const [stage] = await env
    .sudo('a default every new order has', { beyondScope: true })
    .model('sale.stage')
    .search([], { limit: 1 })
  return stage ?? null
}

/** Changes the state of orders that were moved to the stage of another state, by the action of the button: with its groups. */
async function followStage(env: Env, which: Domain<'sale.order'>): Promise<void> {
  const orders = await env
    .sudo('asks only where the orders just written stand', { beyondScope: true })
    .model('sale.order')
    .searchRead(which, ['state', 'stage_id'])
  const stages = await env
    .sudo('which stage stands for a state is no secret', { beyondScope: true })
    .model('sale.stage')
    .read([...new Set(orders.flatMap(({ stage_id }) => stage_id?.[0] ?? []))], ['state'])
  for (const { id: stage, state: to } of stages) {
    const moved = orders.filter(({ stage_id, state }) => to !== null && stage_id?.[0] === stage && state !== to)
    for (const from of new Set(moved.map(({ state }) => state))) {
      const these = idsOf(moved.filter(({ state }) => state === from))
      const action = actionBetween(from, to!)
      await (action === undefined ? passTo(env, these, to!) : env.model('sale.order').call(these, action))
    }
  }
}

/** Throws if an order that matches is locked or cancelled. Not checked under sudo. */
async function refuseLocked(env: Env, which: Domain<'sale.order'>): Promise<void> {
  if (env.isSudo) return
  const [locked] = await env
    .model('sale.order')
    .searchRead([...which, ['state', 'in', LOCKED_STATES]], ['display_name'], { limit: 1 })
  if (locked)
    throw conflict('sale.order_locked', env.t('{order} is locked or cancelled.', { order: locked.display_name }))
}

async function refuseConfirmed(env: Env, ids: readonly number[]): Promise<void> {
  const [confirmed] = await env.model('sale.order').searchRead(
    [
      ['id', 'in', ids],
      ['state', 'in', CONFIRMED_STATES],
    ],
    ['display_name'],
    { limit: 1 },
  )
  if (!confirmed) return
  const order = confirmed.display_name
  throw conflict('sale.order_confirmed', env.t('{order} is confirmed: cancel it before you delete it.', { order }))
}
