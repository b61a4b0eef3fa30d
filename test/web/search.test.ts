import { describe, expect, test } from 'vitest'
import { changeRoute, formatRoute, parseRoute } from '../../addons/web/client/router/codec.ts'
import { toTree } from '../../addons/web/client/search/panel/panel-values.ts'
import { searchChanges } from '../../addons/web/client/search/query/change-search.ts'
import { facetsOf } from '../../addons/web/client/search/query/facets.ts'
import { defaultRoute, favourites } from '../../addons/web/client/search/query/favourites.ts'
import { describeRules, rulesDomain } from '../../addons/web/client/search/query/filter-rules.ts'
import { periodLabel, periodsAround } from '../../addons/web/client/search/query/periods.ts'
import { searchOf } from '../../addons/web/client/search/query/search-model.ts'
import { readSearchState, writeSearchState } from '../../addons/web/client/search/query/search-state.ts'
import { suggestionsFor } from '../../addons/web/client/search/query/suggestions.ts'
import type { WireField, WireWorkspace } from '../../kernel/view/wire.ts'

const field = (name: string, type: string, more: Partial<WireField> = {}): WireField => ({
  name,
  type,
  label: name.toUpperCase(),
  searchable: true,
  ...more,
})

const state = field('state', 'selection', {
  selection: [
    ['draft', 'Draft'],
    ['done', 'Done'],
  ],
})
const partner = field('partner_id', 'many2one', { relation: 'core.partner' })

/** As much of a workspace as a search needs. */
const workspace = {
  model: 'sale.order',
  viewType: 'list',
  domain: [['active', '=', true]],
  searchDomain: [['state', '=', 'draft']],
  arch: { fields: [state, partner, field('amount', 'float'), field('date', 'date', { groupable: true })] },
  search: {
    fields: [
      {
        name: 'name',
        label: 'Order',
        type: 'char',
        filterDomain: ['|', ['name', 'ilike', 'self'], ['ref', 'ilike', 'self']],
      },
      { name: 'partner_id', label: 'Customer', type: 'many2one' },
      { name: 'state', label: 'Status', type: 'selection' },
      { name: 'amount', label: 'Amount', type: 'float' },
    ],
    filters: [
      { name: 'mine', label: 'Mine', set: 0, domain: [['user_id', '=', 1]] },
      { name: 'open', label: 'Open', set: 1, domain: [['state', '=', 'draft']] },
      { name: 'sent', label: 'Sent', set: 1, domain: [['state', '=', 'sent']] },
      { name: 'date', label: 'Date', set: 2, date: 'date' },
      { name: 'by_partner', label: 'Customer', set: 3, groupBy: 'partner_id' },
    ],
    panel: [{ field: 'categ_id', label: 'Category', multi: false, hierarchical: true }],
    grouped: [],
    defaultFilters: ['mine'],
    defaultValues: { state: 'draft' },
  },
  // The parts of a workspace that searching reads.
} as unknown as WireWorkspace

const at = (address: string) => parseRoute(address)
const textOf = (address: string) =>
  facetsOf(workspace, at(address)).map(({ label, values }) =>
    [label, ...values].filter((part) => part !== null).join(' '),
  )

describe('the fragment of a search', () => {
  test('comes back as it was written', () => {
    const own = {
      group: ['partner_id', 'date:month'],
      by: [
        { field: 'partner_id', value: 3, label: 'Kestrel' },
        { field: 'name', value: 'S01', label: 'S01' },
      ],
      where: [{ label: 'Large', domain: ['|', ['amount', '>', 5], ['amount', '<', 1]] }],
      panel: [{ field: 'categ_id', value: null, label: 'Not set' }],
      favourite: 7,
    }
    const route = changeRoute(parseRoute('/web'), {}, writeSearchState(own))
    expect(readSearchState(parseRoute(formatRoute(route)).state)).toEqual(own)
  })

  test('that is invalid is ignored', () => {
    expect(readSearchState({ by: '[[', where: '{"a":1}', panel: '[1,["x"],["x",{}]]', fav: '-3' })).toEqual({
      group: null,
      by: [],
      where: [],
      panel: [],
      favourite: null,
    })
  })

  test('can say that nothing is grouped', () => {
    expect(readSearchState({ group: 'none' }).group).toEqual([])
    expect(searchOf(workspace, at('/web#group=none')).groupBy('stage_id')).toEqual([])
  })
})

describe('what a view searches', () => {
  test('is the action, its parameters and the fragment', () => {
    const { domain, isNarrowed } = searchOf(
      workspace,
      at(`/web#by=${encodeURIComponent('[["partner_id",3,"Kestrel"]]')}`),
    )
    expect(domain).toEqual([
      ['active', '=', true],
      ['state', '=', 'draft'],
      ['partner_id', '=', 3],
    ])
    expect(isNarrowed).toBe(true)
    expect(searchOf(workspace, at('/web')).isNarrowed).toBe(false)
  })

  test('values of one field widen each other, fields narrow', () => {
    const by = encodeURIComponent('[["name","a"],["name","b"],["state","done","Done"]]')
    expect(searchOf(workspace, at(`/web#by=${by}`)).extra).toEqual([
      '|',
      '|',
      ['name', 'ilike', 'a'],
      ['ref', 'ilike', 'a'],
      '|',
      ['name', 'ilike', 'b'],
      ['ref', 'ilike', 'b'],
      ['state', 'in', ['done']],
    ])
  })

  test('a branch of the panel counts everything below it', () => {
    expect(searchOf(workspace, at(`/web#panel=${encodeURIComponent('[["categ_id",4,"Chairs"]]')}`)).extra).toEqual([
      ['categ_id', 'child_of', 4],
    ])
  })

  test('groups come from the fragment, else from filters, else from the view', () => {
    expect(searchOf(workspace, at('/web?filter=by_partner#group=state')).groupBy('stage_id')).toEqual(['state'])
    expect(searchOf(workspace, at('/web?filter=by_partner')).groupBy('stage_id')).toEqual(['partner_id'])
    expect(searchOf(workspace, at('/web')).groupBy('stage_id')).toEqual(['stage_id'])
  })
})

describe('facets', () => {
  test('join filters of a set and name periods, values, texts and groups', () => {
    expect(
      textOf(`/web?filter=open,sent,date:2026-Q1&q=oak#group=partner_id&where=${encodeURIComponent('[["Large",[]]]')}`),
    ).toEqual(['Open Sent', 'Date Q1 2026', 'Large', 'oak', 'Group Customer'])
  })

  test('show what the action switches on, until the address says otherwise', () => {
    expect(textOf('/web')).toEqual(['Mine', 'Status draft'])
    expect(textOf('/web?filter=')).toEqual([])
  })

  test('lead to the address without them', () => {
    const [first] = facetsOf(workspace, at('/web?action=5&filter=mine,open&q=x&offset=80'))
    expect(formatRoute(first!.without())).toBe('/web?action=5&filter=open&q=x')
  })

  test('of an action are named once one of them goes', () => {
    const [mine] = facetsOf(workspace, at('/web'))
    expect(decodeURIComponent(formatRoute(mine!.without()))).toBe('/web?filter=#by=[["state","draft"]]')
  })
})

describe('steps of a search', () => {
  test('grouping by hand replaces filters that group', () => {
    const next = searchChanges(workspace, at('/web?filter=by_partner')).toggleGroup('state')
    expect(decodeURIComponent(formatRoute(next))).toBe('/web?filter=#group=partner_id,state')
  })

  test('a view that groups by itself is told when it shall not', () => {
    const route = at('/web?filter=')
    expect(formatRoute(searchChanges(workspace, route, 'stage_id').toggleGroup('stage_id'))).toBe(
      '/web?filter=#group=none',
    )
    expect(formatRoute(searchChanges(workspace, at('/web?filter=#group=state')).toggleGroup('state'))).toBe(
      '/web?filter=',
    )
  })

  test('what is typed is offered for every field it can be in', () => {
    const offered = (typed: string) =>
      suggestionsFor(workspace, at('/web?filter='), typed).map(({ lead, text }) => `${lead} ${text}`)
    expect(offered('do')).toEqual(['Search for do', 'Search Order for do', 'Search Customer for do', 'Status Done'])
    expect(offered('12')).toEqual([
      'Search for 12',
      'Search Order for 12',
      'Search Customer for 12',
      'Search Amount for 12',
    ])
    expect(offered('min')).toContain('Filter Mine')
    expect(offered('  ')).toEqual([])
  })
})

test('periods lie around a day, with this month free to move', () => {
  const periods = periodsAround('2026-01-20')
  expect(periods.map(({ key }) => key)).toEqual([
    '',
    '2025-12',
    '2025-11',
    '2026-Q4',
    '2026-Q3',
    '2026-Q2',
    '2026-Q1',
    '2026',
    '2025',
    '2024',
  ])
  expect(periodLabel('2026-Q1')).toBe('Q1 2026')
  expect(periodLabel('2025-12')).toBe('December 2025')
})

test('a built filter is a domain and a sentence', () => {
  const rules = [
    { path: [partner, field('city', 'char')], operator: 'ilike', value: 'Bremen' },
    { path: [state], operator: '=', value: 'done' },
    { path: [field('date', 'datetime')], operator: 'week', value: null },
    { path: [partner], operator: 'unset', value: null },
  ]
  expect(rulesDomain(rules, false)).toEqual([
    ['partner_id.city', 'ilike', 'Bremen'],
    ['state', '=', 'done'],
    ['date', '>=', '-7d'],
    ['date', '<=', 'now'],
    ['partner_id', '=', null],
  ])
  expect(rulesDomain(rules.slice(0, 2), true)).toEqual([
    '|',
    ['partner_id.city', 'ilike', 'Bremen'],
    ['state', '=', 'done'],
  ])
  expect(describeRules(rules.slice(0, 2), true)).toBe('PARTNER_ID › CITY contains Bremen or STATE is Done')
})

test('a tree of values counts what is below each', () => {
  const rows = [
    { id: 1, display_name: 'All', parent_id: null },
    { id: 2, display_name: 'Chairs', parent_id: [1, 'All'] },
    { id: 3, display_name: 'Stools', parent_id: [2, 'Chairs'] },
  ]
  const counted = [
    { value: 3, label: 'Stools', count: 4, depth: 0 },
    { value: 2, label: 'Chairs', count: 2, depth: 0 },
  ]
  expect(toTree(rows, counted)).toEqual([
    { value: 1, label: 'All', count: 6, depth: 0 },
    { value: 2, label: 'Chairs', count: 6, depth: 1 },
    { value: 3, label: 'Stools', count: 4, depth: 2 },
  ])
})

describe('an action that switches nothing on', () => {
  const plain = { ...workspace, search: { ...workspace.search, defaultFilters: [], defaultValues: {} } }

  test('has no word of filters in its address until there are some', () => {
    const changes = searchChanges(plain, at('/web?model=sale.order'))
    expect(formatRoute(changes.findText('oak'))).not.toContain('filter=')
    expect(formatRoute(changes.toggleFilter('open'))).toContain('filter=open')
    expect(
      formatRoute(searchChanges(plain, at('/web?model=sale.order&filter=open')).toggleFilter('open')),
    ).not.toContain('filter=')
    expect(formatRoute(searchChanges(workspace, at('/web?model=sale.order&filter=mine')).clear())).toContain('filter=')
  })

  test('says in its address that a default search was taken away, so that it does not come back', () => {
    favourites.value = [
      {
        id: 4,
        name: 'Oak',
        model: 'sale.order',
        actionId: null,
        isShared: false,
        isDefault: true,
        domain: [],
        sort: null,
        address: { q: 'oak' },
      },
    ]
    const opened = defaultRoute(plain, at('/web?model=sale.order'))!
    expect(opened.params.q).toBe('oak')
    const without = searchChanges(plain, opened).findText('')
    expect(formatRoute(without)).toBe('/web?model=sale.order&filter=')
    expect(defaultRoute(plain, without)).toBeNull()
    favourites.value = []
  })
})
