import { describe, expect, test } from 'vitest'
import { moveId, renumber } from '../../addons/web/client/store/positions.ts'
import { sayDay } from '../../addons/web/client/views/kanban/card/day.tsx'
import { parseKanbanArch, quickFields, shownFields } from '../../addons/web/client/views/kanban/model/arch.ts'
import {
  addSums,
  type BoardColumnSpec,
  columnKey,
  countCard,
  determinesColumn,
  fromGroups,
  fromPayload,
  isMovable,
  partNames,
  recordValue,
  withEmptyColumns,
  withFigures,
} from '../../addons/web/client/views/kanban/model/columns.ts'
import type { ArchNode } from '../../kernel/view/arch/arch.ts'
import type { WireArch, WireField } from '../../kernel/view/wire.ts'

const NAME: WireField = { name: 'name', type: 'char', label: 'Subject', required: true }
const STAGE: WireField = { name: 'stage_id', type: 'many2one', label: 'Stage', relation: 'crm.stage', groupable: true }
const STATE: WireField = {
  name: 'state',
  type: 'selection',
  label: 'State',
  selection: [
    ['open', 'Open'],
    ['done', 'Done'],
  ],
}
const MONEY: WireField = {
  name: 'amount',
  type: 'monetary',
  label: 'Amount',
  aggregatable: true,
  currencyField: 'currency_id',
}
const OWNER: WireField = { name: 'user_id', type: 'many2one', label: 'Owner', relation: 'core.user' }
const MOOD: WireField = {
  name: 'mood',
  type: 'selection',
  label: 'Mood',
  readonly: true,
  selection: [['late', 'Late']],
}
const FIELDS = [NAME, STAGE, STATE, MONEY, OWNER, MOOD]

const node = (tag: string, attrs: Record<string, string> = {}, children: ArchNode['children'] = []): ArchNode => ({
  tag,
  attrs,
  children,
  addon: 'crm',
})

const field = (name: string, attrs: Record<string, string> = {}) => node('field', { name, ...attrs })

const boardOf = (attrs: Record<string, string> = {}): WireArch => ({
  type: 'kanban',
  model: 'crm.lead',
  fields: FIELDS,
  related: {},
  root: node('kanban', { default_group_by: 'stage_id', ...attrs }, [
    node('progressbar', {
      field: 'mood',
      colors: '{"late": "danger", "odd": "url(x)"}',
      sum_field: 'amount',
    }),
    node('card', {}, [
      node('strong', {}, [field('name')]),
      node('div', { class: 'muted' }, [field('state')]),
      node('footer', {}, [field('amount'), field('user_id', { widget: 'avatar' })]),
      field('mood', { invisible: '1' }),
    ]),
  ]),
  access: { create: true, write: true, unlink: false },
  archivable: true,
  kanban: { groupField: 'stage_id', draggable: true, quickCreate: true, columns: [] },
})

const ARCH = parseKanbanArch(boardOf())

const specOf = (key: string, count: number): BoardColumnSpec => ({
  key,
  value: key === '' ? null : key,
  label: key,
  domain: [['state', '=', key]],
  isFolded: false,
  stats: { count, sums: { EUR: count * 10 }, progress: {} },
})

describe('the view of a board', () => {
  test('names the heading of a card, its lines, the bar and the sum', () => {
    expect(ARCH.title?.tag).toBe('strong')
    expect(ARCH.lines.map(({ tag }) => tag)).toEqual(['div', 'footer', 'field'])
    expect(ARCH.sum).toBe(MONEY)
    expect(ARCH.progress).toEqual({ field: MOOD, colors: { late: 'danger' } })
  })

  test('allows what neither the view nor the rights of the user take away', () => {
    expect(ARCH).toMatchObject({ mayWrite: true, mayDelete: false, mayArchive: true, isDraggable: true })
    const fixed = parseKanbanArch(boardOf({ records_draggable: '0', archivable: '0' }))
    expect(fixed).toMatchObject({ isDraggable: false, mayArchive: false })
    // `create`, `edit` and `delete` of the view are in there, too.
    const reader = { ...boardOf(), access: { create: false, write: false, unlink: false } }
    expect(parseKanbanArch(reader)).toMatchObject({
      isDraggable: false,
      mayArchive: false,
      mayCreate: false,
      mayWrite: false,
    })
  })

  test('shows the fields that are not hidden for good', () => {
    expect(shownFields(ARCH).map((each) => each.field.name)).toEqual(['name', 'state', 'amount', 'user_id'])
  })

  test('makes a new card of its name and a few fields a person fills in, never of the column', () => {
    expect(quickFields(ARCH, 'state')?.map((each) => each.field.name)).toEqual(['name', 'amount'])
    expect(quickFields(ARCH, 'stage_id')?.map((each) => each.field.name)).toEqual(['name', 'state', 'amount'])
    const numbered = {
      ...boardOf(),
      fields: FIELDS.map((each) => (each === NAME ? { ...NAME, readonly: true as const } : each)),
    }
    expect(quickFields(parseKanbanArch(numbered), 'stage_id')).toBeNull()
  })
})

describe('columns', () => {
  test('are told by the value of their field, a link by its id', () => {
    expect([[7, 'New'], 7, 'open', false, null, undefined].map(columnKey)).toEqual(['7', '7', 'open', 'false', '', ''])
  })

  test('come from the payload with fold and figures; the one of cards without a value has a name', () => {
    const [fresh, none] = fromPayload([
      {
        ...{ value: 7, label: 'New', count: 2, fold: true, sum: null, sums: { EUR: 20, USD: 10 } },
        ...{ progress: { late: 1 }, domain: [['stage_id', '=', 7]] },
      },
      { value: null, label: 'None', count: 0, fold: false, sum: 4, progress: {}, domain: [] },
    ])
    const stats = { count: 2, sums: { EUR: 20, USD: 10 }, progress: { late: 1 } }
    expect(fresh).toMatchObject({ key: '7', isFolded: true, stats })
    // A number that is no amount has no currency.
    expect(none?.stats.sums).toEqual({ '': 4 })
    expect(none).toMatchObject({ key: '', label: 'Not set' })
  })

  test('come from any grouping, with sums and shares', () => {
    const rows = [
      { stage_id: [7, 'New'], sum: 30, __count: 2, __domain: [['stage_id', '=', 7]], __set: 0 },
      { stage_id: null, sum: null, __count: 1, __domain: [['stage_id', '=', null]], __set: 0 },
      { stage_id: [7, 'New'], mood: 'late', sum: 10, __count: 1, __domain: [], __set: 1 },
      { stage_id: [7, 'New'], mood: null, sum: 20, __count: 1, __domain: [], __set: 1 },
      { stage_id: [7, 'New'], currency_id: [1, 'EUR'], sum: 20, __count: 1, __domain: [], __set: 2 },
      { stage_id: [7, 'New'], currency_id: [2, 'USD'], sum: 10, __count: 1, __domain: [], __set: 2 },
      { stage_id: null, currency_id: [1, 'EUR'], sum: null, __count: 1, __domain: [], __set: 2 },
    ]
    expect(partNames('stage_id', ARCH)).toEqual(['mood', 'currency_id'])
    expect(fromGroups('stage_id', FIELDS, rows, ARCH)).toEqual([
      {
        key: '7',
        value: 7,
        label: 'New',
        domain: [['stage_id', '=', 7]],
        isFolded: false,
        stats: { count: 2, sums: { EUR: 20, USD: 10 }, progress: { late: 1, '': 1 } },
      },
      {
        key: '',
        value: null,
        label: 'Not set',
        domain: [['stage_id', '=', null]],
        isFolded: false,
        stats: { count: 1, sums: { EUR: 0 }, progress: {} },
      },
    ])
  })

  test('exist for every choice and for yes and no, in their own order, unset last', () => {
    const specs = [specOf('', 1), specOf('done', 4)]
    const all = withEmptyColumns(specs, 'state', STATE, ARCH)
    expect(all.map(({ key, stats }) => [key, stats.count])).toEqual([
      ['open', 0],
      ['done', 4],
      ['', 1],
    ])
    expect(all[0]).toMatchObject({ label: 'Open', domain: [['state', '=', 'open']] })
    const flag: WireField = { name: 'active', type: 'boolean', label: 'Active' }
    expect(withEmptyColumns([], 'active', flag, ARCH).map(({ value }) => value)).toEqual([false, true])
    expect(withEmptyColumns(specs, 'stage_id', STAGE, ARCH)).toBe(specs)
  })

  test('keep their place when their figures are new; columns that came are behind them', () => {
    const fresh = [specOf('c', 1), specOf('b', 9)]
    const shown = withFigures([specOf('a', 3), specOf('b', 2)], fresh, ARCH)
    expect(shown.map(({ key, stats }) => [key, stats.count])).toEqual([
      ['a', 0],
      ['b', 9],
      ['c', 1],
    ])
  })
})

describe('figures', () => {
  test('follow a card in and out, and come back to what they were', () => {
    const before = { count: 2, sums: { EUR: 30, USD: 1 }, progress: { late: 1, '': 1 } }
    const card = { amount: 12.5, currency_id: [1, 'EUR'], mood: 'late' }
    const after = countCard(before, card, ARCH, 1)
    expect(after).toEqual({ count: 3, sums: { EUR: 42.5, USD: 1 }, progress: { late: 2, '': 1 } })
    expect(countCard(after, card, ARCH, -1)).toEqual(before)
  })

  test('take a card without an amount as nothing, and stay absent where there are none', () => {
    expect(countCard({ count: 0, sums: null, progress: null }, { amount: null }, ARCH, 1)).toEqual({
      count: 1,
      sums: null,
      progress: null,
    })
    expect(countCard({ count: 0, sums: {}, progress: {} }, {}, ARCH, -1)).toEqual({
      count: 0,
      sums: { '': 0 },
      progress: { '': 0 },
    })
  })

  test('of a column of a currency are in that one, and those of several columns are added up by currency', () => {
    const rows = [{ currency_id: [2, 'USD'], sum: 10, __count: 1, __domain: [], __set: 0 }]
    expect(fromGroups('currency_id', FIELDS, rows, ARCH)[0]?.stats.sums).toEqual({ USD: 10 })
    const stats = (sums: Readonly<Record<string, number>>) => ({ count: 1, sums, progress: null })
    const all = addSums([stats({ EUR: 5, CHF: 1 }), stats({ USD: 10, EUR: 2 }), stats({ CHF: -1 })])
    expect(all).toEqual([
      ['USD', 10],
      ['EUR', 7],
    ])
    expect(addSums([stats({ EUR: 0 })])).toEqual([['EUR', 0]])
  })
})

describe('cards', () => {
  test('move between columns of a value one may write, not of a computed one', () => {
    const date: WireField = { name: 'date', type: 'date', label: 'Date' }
    const tags: WireField = { name: 'tag_ids', type: 'many2many', label: 'Tags', relation: 'crm.tag' }
    expect(isMovable('stage_id', STAGE)).toBe(true)
    expect(isMovable('state', STATE)).toBe(true)
    expect(isMovable('mood', MOOD)).toBe(false)
    expect(isMovable('date:month', date)).toBe(true)
    expect(isMovable('tag_ids', tags)).toBe(true)
    expect(isMovable('stage_id', undefined)).toBe(false)
    expect([determinesColumn('stage_id', STAGE), determinesColumn('mood', MOOD)]).toEqual([true, true])
    expect([determinesColumn('date', date), determinesColumn('tag_ids', tags)]).toEqual([false, false])
  })

  test('get the value of a column as records have it', () => {
    expect(recordValue({ value: 7, label: 'New' }, STAGE)).toEqual([7, 'New'])
    expect(recordValue({ value: null, label: 'Not set' }, STAGE)).toBeNull()
    expect(recordValue({ value: 'open', label: 'Open' }, STATE)).toBe('open')
  })

  test('are put in order with the numbers there are, and as few new ones as that takes', () => {
    expect(moveId([1, 2, 3], 3, 0)).toEqual([3, 1, 2])
    expect(moveId([1, 2], 9, 5)).toEqual([1, 2, 9])
    const positions = new Map([
      [1, 10],
      [2, 20],
      [3, 30],
    ])
    expect([...renumber([2, 1, 3], positions)]).toEqual([
      [2, 10],
      [1, 20],
    ])
    expect([...renumber([1, 2, 3], positions)]).toEqual([])
    const same = new Map([
      [1, 10],
      [2, 10],
    ])
    expect([...renumber([2, 1], same)]).toEqual([[1, 11]])
  })

  test('say days as people do', () => {
    const today = '2026-11-15'
    expect(
      ['2026-11-15', '2026-11-16', '2026-11-14', '2026-11-18', '2026-11-30'].map((day) => sayDay(day, today)),
    ).toEqual(['today', 'tomorrow', 'yesterday', 'Wednesday', 'Nov 30'])
    expect(sayDay('2027-01-04', today)).toContain('2027')
  })
})
