import { describe, expect, test } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import type { GroupQuery, GroupQueryOptions } from '../../kernel/orm/group/group.ts'
import { accessLine, accessTables, allLines, GROUPS, principal, recordRule } from '../support/shop.ts'
import { measure, openOrders, refusal } from './shop-orders.ts'

const { group, counts, envOf, statements } = openOrders()

describe('access', () => {
  const ofCompanyOne = ['shop.order', 'shop.partner'].map((model) =>
    recordRule({ model, domain: [['company', '=', { var: 'user.company_id' }]] }),
  )
  const ruled = () => envOf({ access: accessTables({ rules: ofCompanyOne }) })

  test('only records the rules show are counted', async () => {
    expect(await group({ fields: [measure('total', 'amount', 'sum')] }, {}, ruled())).toEqual([
      { total: 1.3, __count: 4, __domain: [] },
    ])
  })

  test('a target the user may not read has no name and no place in the order', async () => {
    expect(await counts('partner_id', {}, ruled())).toEqual([
      [[1, 'Zoe'], 2],
      [[3, null], 1],
      [null, 1],
    ])
    const lines = allLines.filter((each) => each.model !== 'shop.partner')
    const blind = envOf({ access: accessTables({ lines }) })
    expect(await counts('partner_id', {}, blind)).toEqual([
      [[1, null], 2],
      [[2, null], 1],
      [[3, null], 1],
      [null, 1],
    ])
  })

  test('behind a hidden target everything is unset', async () => {
    expect(await counts('partner_id.level', {}, ruled())).toEqual([
      [2, 2],
      [null, 2],
    ])
    expect(await counts('partner_level', {}, ruled())).toEqual([
      [2, 2],
      [null, 2],
    ])
    expect(await group({ fields: [measure('levels', 'partner_id.level', 'sum')] }, {}, ruled())).toMatchObject([
      { levels: 4 },
    ])
  })

  test('a field the user may not read has no part in the order of its model', async () => {
    const boss = envOf({ user: principal([GROUPS.users, GROUPS.bosses]) })
    const names = async (as: Env) => (await counts('partner_country_id', {}, as)).map(([key]) => Object(key)[1])
    expect(await names(boss)).toEqual(['Norway', 'Chile', undefined])
    expect(await names(envOf())).toEqual(['Chile', 'Norway', undefined])
  })

  test('links to records the user may not read do not exist', async () => {
    const rules = [recordRule({ model: 'shop.tag', domain: [['name', '!=', 'red']] })]
    const user = envOf({ access: accessTables({ rules }) })
    expect(await counts('tag_ids', {}, user)).toEqual([
      [[3, 'green'], 1],
      [[1, 'blue'], 1],
      [null, 3],
    ])
    expect(await group({ fields: [measure('tags', 'tag_ids', 'count')] }, {}, user)).toMatchObject([{ tags: 2 }])
  })

  test.each<[string, Partial<GroupQuery>, GroupQueryOptions]>([
    ['grouping by a field of other groups', { groupby: ['cost'] }, {}],
    ['measuring it', { fields: [measure('total', 'cost', 'sum')] }, {}],
    ['naming it in the domain', { domain: [['cost', '>', 1]] }, {}],
    ['reaching one over a path', { groupby: ['partner_id.credit'] }, {}],
    ['reaching one through a related field', { groupby: ['partner_credit'] }, {}],
    ['measuring one over a path', { fields: [measure('total', 'partner_id.credit', 'max')] }, {}],
    ['grouping by a secret', { groupby: ['pin'] }, {}],
  ])('%s is denied', async (_name, spec, options) => {
    await expect(group(spec, options)).rejects.toEqual(refusal('ACCESS_DENIED'))
    expect(statements()).toEqual([])
  })

  test('no user can group by a secret, but bosses can group by cost', async () => {
    const boss = envOf({ user: principal([GROUPS.users, GROUPS.bosses]) })
    expect(await counts('cost', {}, boss)).toHaveLength(5)
    expect(await counts('partner_credit', {}, boss)).toHaveLength(4)
    await expect(counts('pin', {}, boss.sudo('test'))).rejects.toEqual(refusal('ACCESS_DENIED'))
  })

  test.each<[string, string, Partial<GroupQuery>]>([
    ['the model itself', 'shop.order', {}],
    ['the model itself, before its fields are told apart', 'shop.order', { groupby: ['nothing'] }],
    ['a model on the path', 'shop.partner', { groupby: ['partner_id.level'] }],
    ['the target of a many2many', 'shop.tag', { groupby: ['tag_ids'] }],
    ['the target of links that are counted', 'shop.line', { fields: [measure('n', 'line_ids', 'count')] }],
  ])('without the right to read %s it is denied', async (_name, model, spec) => {
    const lines = allLines.map((each) => (each.model === model ? accessLine({ model, operations: ['write'] }) : each))
    const user = envOf({ access: accessTables({ lines }) })
    await expect(group(spec, {}, user)).rejects.toEqual(refusal('ACCESS_DENIED'))
  })
})

describe('bad input', () => {
  test.each<[string, Partial<GroupQuery>, GroupQueryOptions]>([
    ['an unknown field', { groupby: ['nothing'] }, {}],
    ['an empty item', { groupby: [''] }, {}],
    ['an unknown field behind a path', { groupby: ['partner_id.nothing'] }, {}],
    ['a step over an x2many', { groupby: ['line_ids.name'] }, {}],
    ['a step over a value', { groupby: ['name.name'] }, {}],
    ['a path without end', { groupby: [Array(40).fill('partner_id').join('.')] }, {}],
    ['a one2many', { groupby: ['line_ids'] }, {}],
    ['html', { groupby: ['note'] }, {}],
    ['json', { groupby: ['data'] }, {}],
    ['bytes', { groupby: ['file'] }, {}],
    ['the display name', { groupby: ['display_name'] }, {}],
    ['a field computed on read', { groupby: ['double'] }, {}],
    ['a granularity that does not exist', { groupby: ['day:decade'] }, {}],
    ['a granularity from the prototype', { groupby: ['day:toString'] }, {}],
    ['two granularities', { groupby: ['day:day:month'] }, {}],
    ['an hour of a date', { groupby: ['day:hour'] }, {}],
    ['a granularity of something else', { groupby: ['state:month'] }, {}],
    ['an item given twice', { groupby: ['state', 'state'] }, {}],
    ['too many items', { groupby: ['state', 'paid', 'name', 'day', 'quantity', 'at', 'company'] }, {}],
    ['a measure that does not exist', { fields: [measure('x', 'amount', 'median')] }, {}],
    ['a measure from the prototype', { fields: [measure('x', 'amount', 'constructor')] }, {}],
    ['the sum of text', { fields: [measure('x', 'name', 'sum')] }, {}],
    ['the average of a date', { fields: [measure('x', 'day', 'avg')] }, {}],
    ['the sum of links', { fields: [measure('x', 'partner_id', 'sum')] }, {}],
    ['a measure of a field computed on read', { fields: [measure('x', 'double', 'sum')] }, {}],
    ['a measure of the display name', { fields: [measure('x', 'display_name', 'count')] }, {}],
    ['a measure of an unknown field', { fields: [measure('x', 'nothing', 'sum')] }, {}],
    ['a name given twice', { fields: [measure('x', 'id', 'sum'), measure('x', 'id', 'max')] }, {}],
    ['a name that is an item too', { groupby: ['state'], fields: [measure('state', 'id', 'count')] }, {}],
    ['a name in capitals', { fields: [measure('Total', 'id', 'sum')] }, {}],
    ['a reserved name', { fields: [measure('__count', 'id', 'sum')] }, {}],
    ['a name that is SQL', { fields: [measure('x" from pg_user --', 'id', 'sum')] }, {}],
    ['a name that is too long', { fields: [measure('x'.repeat(64), 'id', 'sum')] }, {}],
    ['an order by what is not in the row', { groupby: ['state'] }, { order: 'name' }],
    ['an order that is SQL', { groupby: ['state'] }, { order: 'state; drop table shop_order' }],
    ['an order with an odd direction', { groupby: ['state'] }, { order: 'state up' }],
    ['a domain that is none', { domain: 'everything' }, {}],
    ['a having that is none', {}, { having: 'everything' }],
  ])('%s is refused', async (_name, spec, options) => {
    await expect(group(spec, options)).rejects.toEqual(refusal('BAD_REQUEST'))
    expect(statements()).toEqual([])
  })

  test('names chosen by the caller never appear in the SQL text', async () => {
    await group(
      { groupby: ['at:week'], fields: [measure('zebra_total', 'amount', 'sum')], domain: [['name', '=', 'zebra']] },
      { order: 'zebra_total desc', having: [['zebra_total', '>', 4711]], weekStart: 3, limit: 77, offset: 88 },
      envOf({ tz: 'Pacific/Chatham' }),
    )
    expect(statements().join()).not.toMatch(/zebra|4711|77|88|Chatham/)
  })
})
