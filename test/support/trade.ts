import { behavior, defineModel, type FieldsOf, field } from '#kernel'
import type { AccessTables } from '../../kernel/access/tables.ts'
import type { Env, Principal } from '../../kernel/env.ts'
import { compileRegistry } from '../../kernel/model/compile-registry.ts'
import { multiplyMoney, sumMoney } from '../../kernel/money.ts'
import { syncSchema } from '../../kernel/schema/sync.ts'
import type { Services } from '../../kernel/services.ts'
import type { Db } from '../../kernel/sql/database.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { buildViewTables, NO_VIEWS } from '../../kernel/view/build-tables.ts'
import { createEnv } from '../../kernel/work/create-env.ts'
import { accessLine, accessTables, GROUPS, principal } from './shop.ts'

/** Stands in for the users of the addon base, whom every record names. */
const user = defineModel('core.user', { label: 'User', fields: { name: field.char() } })

/** Orders whose amounts depend on each other over every kind of relation, and which say when a compute ran. */
const currency = defineModel('trade.currency', {
  label: 'Currency',
  fields: { name: field.char(), rounding: field.float({ digits: [12, 6] }) },
})

const region = defineModel('trade.region', { label: 'Region', fields: { name: field.char(), bonus: field.integer() } })

const partner = defineModel('trade.partner', {
  label: 'Partner',
  fields: {
    name: field.char({ required: true }),
    region_id: field.many2one('trade.region'),
    owner: field.integer(),
    order_ids: field.one2many('trade.order', 'partner_id'),
    spent: field.monetary({ compute: 'stored' }),
    region_bonus: field.integer({ related: 'region_id.bonus' }),
    active: field.boolean({ default: true }),
  },
})

const product = defineModel('trade.product', {
  label: 'Product',
  fields: { name: field.char(), price: field.monetary(), cost: field.monetary({ groups: 'shop.group_boss' }) },
})

const tag = defineModel('trade.tag', {
  label: 'Tag',
  fields: {
    name: field.char(),
    order_ids: field.many2many('trade.order', {
      relationTable: { table: 'trade_order_tag_ids_rel', left: 'target_id', right: 'source_id' },
    }),
  },
})

const order = defineModel('trade.order', {
  label: 'Order',
  fields: {
    name: field.char({ default: 'New' }),
    partner_id: field.many2one('trade.partner'),
    currency_id: field.many2one('trade.currency'),
    line_ids: field.one2many('trade.line', 'order_id'),
    tag_ids: field.many2many('trade.tag'),
    main_tag_ids: field.many2many('trade.tag', { compute: 'stored' }),
    note: field.char(),
    discount: field.float({ digits: [5, 2] }),
    limit: field.integer({ default: 1000 }),
    secret: field.char({ groups: 'shop.group_boss' }),
    total: field.monetary({ compute: 'stored' }),
    tax: field.monetary({ compute: 'stored' }),
    due: field.monetary({ compute: 'stored' }),
    margin: field.monetary({ compute: 'stored', groups: 'shop.group_boss' }),
    title: field.char({ compute: 'stored' }),
    tag_text: field.char({ compute: 'stored' }),
    bonus: field.integer({ compute: 'stored' }),
    line_count: field.integer({ compute: 'read' }),
    is_big: field.boolean({ compute: 'read' }),
  },
})

const line = defineModel('trade.line', {
  label: 'Line',
  fields: {
    order_id: field.many2one('trade.order', { required: true, ondelete: 'cascade' }),
    product_id: field.many2one('trade.product'),
    name: field.char(),
    quantity: field.integer({ required: true, default: 1 }),
    price: field.monetary({ compute: 'stored' }),
    asked_price: field.monetary(),
    currency_id: field.many2one('trade.currency', { related: 'order_id.currency_id' }),
    subtotal: field.monetary({ compute: 'stored' }),
  },
})

declare module '#kernel' {
  interface Models {
    'trade.currency': TradeCurrency
    'trade.region': TradeRegion
    'trade.partner': TradePartner
    'trade.product': TradeProduct
    'trade.tag': TradeTag
    'trade.order': TradeOrder
    'trade.line': TradeLine
  }
  interface TradeCurrency extends FieldsOf<typeof currency> {}
  interface TradeRegion extends FieldsOf<typeof region> {}
  interface TradePartner extends FieldsOf<typeof partner> {}
  interface TradeProduct extends FieldsOf<typeof product> {}
  interface TradeTag extends FieldsOf<typeof tag> {}
  interface TradeOrder extends FieldsOf<typeof order> {}
  interface TradeLine extends FieldsOf<typeof line> {}
}

export interface Run {
  readonly field: string
  readonly ids: readonly number[]
}

/** Every run of a compute since the last `takeRuns`, with the records it got. */
const runs: Run[] = []

export const takeRuns = (): readonly Run[] => runs.splice(0)

function each<R extends { readonly id: number }, V>(
  name: string,
  rows: readonly R[],
  value: (row: R) => V,
): Map<number, V> {
  runs.push({ field: name, ids: rows.map((row) => row.id) })
  return new Map(rows.map((row) => [row.id, value(row)]))
}

const partnerBehavior = behavior('trade.partner', {
  computes: {
    spent: {
      needs: ['order_ids.due'],
      run: (_env, rows) => each('spent', rows, (row) => sumMoney(row.order_ids.map((one) => one.due))),
    },
  },
})

const orderBehavior = behavior('trade.order', {
  computes: {
    total: {
      needs: ['line_ids.subtotal'],
      run: (_env, rows) => each('total', rows, (row) => sumMoney(row.line_ids.map((one) => one.subtotal))),
    },
    tax: {
      needs: ['line_ids.subtotal'],
      run: (_env, rows) =>
        each('tax', rows, (row) => multiplyMoney(sumMoney(row.line_ids.map((one) => one.subtotal)), 0.1)),
    },
    due: {
      needs: ['total', 'tax'],
      run: (_env, rows) => each('due', rows, (row) => sumMoney([row.total, row.tax])),
    },
    margin: {
      needs: ['total', 'line_ids.quantity', 'line_ids.product_id.cost'],
      run: (_env, rows) =>
        each('margin', rows, (row) =>
          sumMoney([row.total, ...row.line_ids.map((one) => -multiplyMoney(one.quantity, one.product_id?.cost ?? 0))]),
        ),
    },
    title: {
      needs: ['name', 'partner_id.display_name'],
      run: (_env, rows) => each('title', rows, (row) => `${row.name} for ${row.partner_id?.display_name ?? 'nobody'}`),
    },
    tag_text: {
      needs: ['tag_ids.name'],
      run: (_env, rows) => each('tag_text', rows, (row) => row.tag_ids.map((one) => one.name).join(' ') || null),
    },
    main_tag_ids: {
      needs: ['tag_ids'],
      run: (_env, rows) => each('main_tag_ids', rows, (row) => row.tag_ids.slice(0, 1)),
    },
    bonus: {
      needs: ['partner_id.region_bonus'],
      run: (_env, rows) => each('bonus', rows, (row) => row.partner_id?.region_bonus ?? 0),
    },
    line_count: {
      needs: ['line_ids'],
      run: (_env, rows) => each('line_count', rows, (row) => row.line_ids.length),
    },
    is_big: {
      needs: ['line_count', 'total'],
      run: (_env, rows) => each('is_big', rows, (row) => (row.line_count ?? 0) > 2 || (row.total ?? 0) > 100),
    },
  },
  checks: [
    {
      needs: ['line_ids.quantity', 'limit'],
      check: (_env, row) =>
        row.line_ids.some((one) => one.quantity > (row.limit ?? 0))
          ? { limit: 'A line is over the limit.' }
          : undefined,
    },
    {
      needs: ['due'],
      check: (_env, row) => ((row.due ?? 0) > 100_000 ? { due: 'Is more than anybody owes.' } : undefined),
    },
    {
      needs: ['is_big', 'note'],
      check: (_env, row) => (row.is_big && row.note === 'small' ? { note: 'This is not small.' } : undefined),
    },
  ],
  onchange: {
    partner_id: async (env, draft) => {
      if (draft.partner_id === null) return { warnings: [{ title: 'Nobody', message: 'An order needs a partner.' }] }
      const [found] = await env.model('trade.partner').read([draft.partner_id], ['name'])
      return {
        value: { note: `Hello ${found?.name}`, secret: 'set by the server' },
        domains: { tag_ids: [['name', '!=', null]], secret: [] },
        warnings: [{ field: 'secret', title: 'Secret', message: 'Nobody sees the field.' }],
      }
    },
    note: (_env, draft) => (draft.note === 'ring' ? { value: { discount: (draft.discount ?? 0) + 1 } } : undefined),
    discount: (_env, draft) => (draft.discount === 10 ? { value: { note: 'ring' } } : undefined),
    tag_ids: (_env, draft) => ({
      value: { line_ids: [[5], [0, 0, { name: `for ${draft.tag_ids?.length} tags`, asked_price: 3 }]] as const },
    }),
  },
})

const lineBehavior = behavior('trade.line', {
  computes: {
    price: {
      needs: ['product_id.price', 'asked_price'],
      run: (_env, rows) => each('price', rows, (row) => row.asked_price ?? row.product_id?.price ?? 0),
      inverse: async (env, values) => {
        for (const [id, value] of values) await env.model('trade.line').write([id], { asked_price: value })
      },
    },
    subtotal: {
      needs: ['quantity', 'price', 'order_id.discount'],
      run: (_env, rows) =>
        each('subtotal', rows, (row) =>
          multiplyMoney(row.quantity, row.price, 1 - (row.order_id?.discount ?? 0) / 100),
        ),
    },
  },
})

const models = [user, currency, region, partner, product, tag, order, line]

export const tradeAddon = { name: 'trade', models, behaviors: [partnerBehavior, orderBehavior, lineBehavior] }

export const tradeRegistry = compileRegistry([tradeAddon])

export const tradeLines = models.map(({ name }) => accessLine({ model: name }))

/** Makes the tables, and Ann. */
export async function installTrade(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await syncSchema(tx, tradeRegistry)
    await sql`insert into core_user (id, name, create_date, write_date, version) values (7, 'Ann', now(), now(), 1)`.execute(
      tx,
    )
  })
}

interface TradeEnvOptions {
  readonly user?: Principal
  readonly access?: AccessTables
  readonly sudo?: boolean
  readonly clock?: () => Date
}

/** Ann, a user of the shop, unless told otherwise. */
export const tradeEnv = (tx: Db, options: TradeEnvOptions = {}): Env =>
  createEnv({
    // The ORM asks its host for the time only.
    services: { clock: options.clock ?? (() => new Date()), sleep: async () => {} } as unknown as Services,
    state: {
      epoch: { modules: 1, access: 1, views: 1 },
      registry: tradeRegistry,
      access: options.access ?? accessTables({ lines: tradeLines }),
      views: async () => buildViewTables(tradeRegistry, 1, NO_VIEWS),
    },
    tx,
    user: options.user ?? principal([GROUPS.users]),
    requestId: 'test',
    now: new Date('2026-03-15T12:00:00Z'),
    sudo: options.sudo ?? false,
  })
