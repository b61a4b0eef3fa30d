import { defineModel, type FieldsOf, field } from '#kernel'
import type { AccessLine, AccessTables, Operation, RecordRule } from '../../kernel/access/tables.ts'
import type { Env, Principal } from '../../kernel/env.ts'
import { behavior } from '../../kernel/model/behavior.ts'
import { compileRegistry } from '../../kernel/model/compile-registry.ts'
import type { Services } from '../../kernel/services.ts'
import type { Db } from '../../kernel/sql/database.ts'
import { buildViewTables, NO_VIEWS } from '../../kernel/view/build-tables.ts'
import { createEnv } from '../../kernel/work/create-env.ts'

/** A small shop with a field of every groupable kind, for tests that need rules and groups of their own making. */
const country = defineModel('shop.country', {
  label: 'Country',
  order: 'rank, name',
  fields: { name: field.char(), rank: field.integer({ groups: 'shop.group_boss' }) },
})

const tag = defineModel('shop.tag', {
  label: 'Tag',
  order: 'rank desc, name',
  fields: { name: field.char(), rank: field.integer() },
})

const stage = defineModel('shop.stage', {
  label: 'Stage',
  order: 'rank',
  expandGroups: true,
  fields: { name: field.char(), rank: field.integer(), active: field.boolean({ default: true }) },
})

/** Stands in for the companies of the addon base. */
const company = defineModel('core.company', { label: 'Company', fields: { name: field.char() } })

const partner = defineModel('shop.partner', {
  label: 'Partner',
  order: 'level desc, name',
  fields: {
    name: field.char(),
    level: field.integer(),
    country_id: field.many2one('shop.country'),
    tag_ids: field.many2many('shop.tag'),
    vip: field.boolean(),
    since: field.date(),
    company: field.integer(),
    company_id: field.many2one('core.company'),
    credit: field.monetary({ groups: 'shop.group_boss' }),
  },
})

const line = defineModel('shop.line', {
  label: 'Line',
  fields: { name: field.char(), order_id: field.many2one('shop.order') },
})

const order = defineModel('shop.order', {
  label: 'Order',
  order: 'name',
  fields: {
    name: field.char(),
    state: field.selection({ draft: 'Draft', sent: 'Sent', done: 'Done' }),
    partner_id: field.many2one('shop.partner'),
    stage_id: field.many2one('shop.stage'),
    tag_ids: field.many2many('shop.tag'),
    line_ids: field.one2many('shop.line', 'order_id'),
    day: field.date(),
    at: field.datetime(),
    amount: field.monetary(),
    weight: field.float(),
    quantity: field.integer(),
    paid: field.boolean(),
    note: field.html(),
    data: field.json(),
    file: field.binary(),
    company: field.integer(),
    active: field.boolean({ default: true }),
    cost: field.monetary({ groups: 'shop.group_boss' }),
    pin: field.char({ secret: true }),
    partner_country_id: field.many2one('shop.country', { related: 'partner_id.country_id' }),
    partner_vip: field.boolean({ related: 'partner_id.vip' }),
    partner_level: field.integer({ related: 'partner_id.level' }),
    partner_credit: field.monetary({ related: 'partner_id.credit' }),
    double: field.integer({ compute: 'read' }),
  },
})

declare module '#kernel' {
  interface Models {
    'shop.country': ShopCountry
    'shop.tag': ShopTag
    'shop.stage': ShopStage
    'shop.partner': ShopPartner
    'shop.line': ShopLine
    'shop.order': ShopOrder
  }
  interface ShopCountry extends FieldsOf<typeof country> {}
  interface ShopTag extends FieldsOf<typeof tag> {}
  interface ShopStage extends FieldsOf<typeof stage> {}
  interface ShopPartner extends FieldsOf<typeof partner> {}
  interface ShopLine extends FieldsOf<typeof line> {}
  interface ShopOrder extends FieldsOf<typeof order> {}
}

const orderBehavior = behavior('shop.order', {
  computes: {
    double: {
      needs: ['quantity'],
      run: (_env, rows) => new Map(rows.map((row) => [row.id, row.quantity === null ? null : row.quantity * 2])),
    },
  },
})

const models = [company, country, tag, stage, partner, line, order]

export const shopRegistry = compileRegistry([{ name: 'shop', models, behaviors: [orderBehavior] }])

/** Ids of groups. Bosses are users; guests are in no access line or rule of their own. */
export const GROUPS = { users: 1, bosses: 2, guests: 3, system: 9 } as const

const EVERYTHING: readonly Operation[] = ['read', 'write', 'create', 'unlink']

const tellEach = (operations: readonly Operation[]): Readonly<Record<Operation, boolean>> => ({
  read: operations.includes('read'),
  write: operations.includes('write'),
  create: operations.includes('create'),
  unlink: operations.includes('unlink'),
})

type LineOptions = Pick<AccessLine, 'model'> & Partial<AccessLine> & { readonly operations?: readonly Operation[] }

export const accessLine = ({ operations = EVERYTHING, ...options }: LineOptions): AccessLine => ({
  id: 1,
  groupId: GROUPS.users,
  allows: tellEach(operations),
  ...options,
})

type RuleOptions = Pick<RecordRule, 'model' | 'domain'> &
  Partial<RecordRule> & { readonly operations?: readonly Operation[] }

export const recordRule = ({ operations = EVERYTHING, ...options }: RuleOptions): RecordRule => ({
  id: 1,
  name: `rule on ${options.model}`,
  groupIds: [],
  applies: tellEach(operations),
  ...options,
})

interface AccessOptions {
  /** Default: users may do anything with every model. */
  readonly lines?: readonly AccessLine[]
  readonly rules?: readonly RecordRule[]
}

const byModel = <T extends { readonly model: string }>(items: readonly T[]) =>
  new Map(items.map(({ model }) => [model, items.filter((item) => item.model === model)]))

export const allLines = models.map(({ name }) => accessLine({ model: name }))

export const accessTables = ({ lines = allLines, rules = [] }: AccessOptions = {}): AccessTables => ({
  epoch: 1,
  groupIdByXmlid: new Map([
    ['base.group_user', GROUPS.users],
    ['shop.group_user', GROUPS.users],
    ['shop.group_boss', GROUPS.bosses],
    ['base.group_system', GROUPS.system],
  ]),
  ruleData: {},
  impliedGroups: new Map<number, ReadonlySet<number>>([
    [GROUPS.users, new Set([GROUPS.users])],
    [GROUPS.bosses, new Set([GROUPS.bosses, GROUPS.users])],
    [GROUPS.guests, new Set([GROUPS.guests])],
    [GROUPS.system, new Set([GROUPS.system])],
  ]),
  lines: byModel(lines),
  rules: byModel(rules),
})

export const principal = (groupIds: readonly number[], rest: Partial<Principal> = {}): Principal => ({
  id: 7,
  login: 'ann',
  name: 'Ann',
  groupIds: new Set(groupIds),
  companyIds: [1],
  allowedCompanyIds: [1, 2],
  lang: 'en',
  tz: 'UTC',
  scope: null,
  credentials: 'allowed',
  ...rest,
})

interface ShopEnvOptions {
  readonly user?: Principal
  readonly access?: AccessTables
  readonly tz?: string
}

/** Ann, a user, unless told otherwise. Nothing here reaches a port of the host, so there is none. */
export const shopEnv = (tx: Db, options: ShopEnvOptions = {}): Env =>
  createEnv({
    services: { sleep: async () => {} } as unknown as Services,
    state: {
      epoch: { modules: 1, access: 1, views: 1 },
      registry: shopRegistry,
      access: options.access ?? accessTables(),
      views: async () => buildViewTables(shopRegistry, 1, NO_VIEWS),
    },
    tx,
    user: options.user ?? principal([GROUPS.users]),
    requestId: 'test',
    now: new Date('2026-03-15T12:00:00Z'),
    tz: options.tz ?? 'UTC',
  })
