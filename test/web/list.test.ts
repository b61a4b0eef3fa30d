import { signal } from '@preact/signals'
import { describe, expect, test } from 'vitest'
import type { Group } from '../../addons/web/client/store/group.ts'
import { createLayered } from '../../addons/web/client/store/layered.ts'
import type { ListStore } from '../../addons/web/client/store/list.ts'
import { createOpenGroups } from '../../addons/web/client/store/open-groups.ts'
import { moveId, renumber } from '../../addons/web/client/store/positions.ts'
import { opensAtFirst } from '../../addons/web/client/views/group-label.ts'
import { readArch } from '../../addons/web/client/views/list/column/arch.ts'
import {
  moveColumn,
  NO_PREFERENCES,
  parseColumnPreferences,
  toCard,
  toTracks,
  visibleColumns,
} from '../../addons/web/client/views/list/column/columns.ts'
import { sumUp } from '../../addons/web/client/views/list/column/sum-up.ts'
import { isMixed, measuresOf, totalColumns } from '../../addons/web/client/views/list/column/totals.ts'
import {
  GROUP_ROWS,
  indexAt,
  layOut,
  lineAt,
  lineOfRecord,
  placeOf,
  windowOf,
} from '../../addons/web/client/views/list/model/layout.ts'
import { hideRecords, insertRecord } from '../../addons/web/client/views/list/model/list-ids.ts'
import { createSelection } from '../../addons/web/client/views/list/model/selection.ts'
import type { ArchNode } from '../../kernel/view/arch/arch.ts'
import type { WireArch, WireField } from '../../kernel/view/wire.ts'

const node = (tag: string, attrs: Record<string, string> = {}, children: ArchNode[] = []): ArchNode => ({
  tag,
  attrs,
  children,
  addon: 'sale',
})

const FIELDS: readonly WireField[] = [
  { name: 'sequence', type: 'integer', label: 'Sequence' },
  { name: 'name', type: 'char', label: 'Number', sortable: true },
  { name: 'date', type: 'date', label: 'Date' },
  { name: 'partner_id', type: 'many2one', label: 'Customer', relation: 'core.partner' },
  { name: 'currency_id', type: 'many2one', label: 'Currency', relation: 'core.currency' },
  { name: 'total', type: 'monetary', label: 'Total', currencyField: 'currency_id', aggregatable: true },
  { name: 'state', type: 'selection', label: 'Status', selection: [['draft', 'Quotation']] },
  { name: 'note', type: 'char', label: 'Note' },
]

const arch = (attrs: Record<string, string>, extra: ArchNode[] = []): WireArch => ({
  type: 'list',
  model: 'sale.order',
  fields: FIELDS,
  related: {},
  access: { create: true, write: true, unlink: true },
  root: node('list', attrs, [
    node('header', {}, [node('button', { name: 'action_confirm', type: 'object', string: 'Confirm' })]),
    node('field', { name: 'date' }),
    node('field', { name: 'name' }),
    node('field', { name: 'partner_id' }),
    node('field', { name: 'currency_id', column_invisible: '1' }),
    node('field', { name: 'total', sum: 'Total' }),
    node('field', { name: 'state', widget: 'badge' }),
    node('field', { name: 'note', optional: 'hide' }),
    ...extra,
  ]),
})

const keysOf = (columns: readonly { readonly key: string }[]) => columns.map(({ key }) => key)

describe('the arch of a list', () => {
  test('gives columns, actions and what is edited in place', () => {
    const read = readArch(
      arch({ editable: 'top', 'decoration-muted': "state == 'cancel'", default_order: 'date desc' }),
    )
    expect(keysOf(read.columns)).toEqual(['date', 'name', 'partner_id', 'total', 'state', 'note'])
    expect(read.actions.map(({ attrs }) => attrs['name'])).toEqual(['action_confirm'])
    expect(read.editable).toBe('top')
    expect(read.decorations).toEqual([{ look: 'muted', condition: "state == 'cancel'" }])
    expect(read.columns.filter((column) => column.kind === 'field' && column.isMain).map(({ key }) => key)).toEqual([
      'name',
    ])
  })

  test('edits nothing in place where the user may not write', () => {
    const locked = {
      ...arch({ editable: 'top', multi_edit: '1' }),
      access: { create: true, write: false, unlink: true },
    }
    expect(readArch(locked)).toMatchObject({ editable: null, multiEdit: false, handle: null })
  })

  test('puts buttons that stand side by side into one column and takes a handle out of the columns', () => {
    const read = readArch(
      arch({}, [
        node('button', { name: 'a', type: 'object' }),
        node('button', { name: 'b', type: 'object' }),
        node('field', { name: 'sequence', widget: 'handle' }),
      ]),
    )
    expect(keysOf(read.columns).at(-1)).toBe('#a')
    expect(read.handle).toBe('sequence')
  })
})

describe('columns', () => {
  const { columns } = readArch(arch({}))

  test('are shown as in the view until the user changes that', () => {
    expect(keysOf(visibleColumns(columns, NO_PREFERENCES))).toEqual(['date', 'name', 'partner_id', 'total', 'state'])
    const preferences = moveColumn(columns, { ...NO_PREFERENCES, shown: { note: true, name: false } }, 'note', 'date')
    // What the view always shows cannot be hidden.
    expect(keysOf(visibleColumns(columns, preferences))).toEqual([
      'note',
      'date',
      'name',
      'partner_id',
      'total',
      'state',
    ])
  })

  test('that a tile adds up are shown, unless the user hid them', () => {
    const shown = (measure: string, kept = NO_PREFERENCES) => keysOf(visibleColumns(columns, kept, measure))
    expect(shown('note')).toContain('note')
    expect(shown('note:count_distinct')).toContain('note')
    expect(shown('note', { ...NO_PREFERENCES, shown: { note: false } })).not.toContain('note')
  })

  test('that the preferences do not name keep their place', () => {
    expect(keysOf(visibleColumns(columns, { ...NO_PREFERENCES, order: ['total', 'date'] }))).toEqual([
      'total',
      'name',
      'partner_id',
      'date',
      'state',
    ])
  })

  test('have the width the user chose, and share the rest', () => {
    const { template, least } = toTracks(
      visibleColumns(columns, NO_PREFERENCES),
      { name: 90 },
      new Map([['partner_id', 30]]),
      true,
    )
    expect(template).toMatch(/^32px 24px \d+px 90px minmax\(\d+px,\d+fr\) /)
    expect(least).toBeGreaterThan(400)
  })

  test('show texts beside the name in full before the name takes the rest', () => {
    const shown = visibleColumns(columns, NO_PREFERENCES)
    const lengths = new Map([
      ['name', 40],
      ['partner_id', 25],
    ])
    const { template } = toTracks(shown, {}, lengths, false)
    expect(template).toMatch(/minmax\(160px,\d+fr\)/)
    expect(template).toContain('minmax(112px,201px)')
    expect(toTracks(shown, {}, new Map([...lengths, ['partner_id', 60]]), false).template).toContain(
      'minmax(112px,240px)',
    )
    const withSentences = shown.map((column) =>
      column.key === 'partner_id' && column.kind === 'field'
        ? { ...column, field: { ...column.field, type: 'text' as const } }
        : column,
    )
    expect(toTracks(withSentences, {}, new Map([...lengths, ['partner_id', 60]]), false).template).toContain(
      'minmax(112px,400px)',
    )
  })

  test('leave room in the first heading for what opens all groups', () => {
    const shown = visibleColumns(columns, NO_PREFERENCES)
    const least = (isGrouped: boolean) => toTracks(shown, {}, new Map(), false, isGrouped).least
    expect(least(true) - least(false)).toBe(24)
  })

  test('become the parts of a card', () => {
    expect(Object.fromEntries(toCard(visibleColumns(columns, NO_PREFERENCES)))).toEqual({
      name: 'title',
      total: 'amount',
      state: 'meta',
      date: 'side',
      partner_id: 'sub',
    })
  })

  test('survive whatever is in the storage', () => {
    expect(parseColumnPreferences(null)).toBe(NO_PREFERENCES)
    expect(parseColumnPreferences({ order: ['a', 1], shown: { a: 'yes', b: true }, widths: { a: 5, b: 'x' } })).toEqual(
      {
        order: ['a'],
        shown: { b: true },
        widths: { a: 48 },
      },
    )
  })
})

const listOf = (ids: readonly (number | undefined)[], total = ids.length) =>
  ({ ids: createLayered<readonly (number | undefined)[]>(ids), total: signal(total) }) as unknown as ListStore

const groupOf = (value: string, list: ListStore, isOpen = true): Group => ({
  item: 'state',
  value,
  name: null,
  count: list.total.peek(),
  measures: {},
  domain: [],
  range: null,
  isOpen: signal(isOpen),
  inside: signal({ kind: 'list', list }),
})

const HEIGHTS = { row: 32, group: 28 }
const flat = (list: ListStore) => layOut({ list, groups: null, wholeGroups: new Set(), newAt: null }, HEIGHTS)

describe('the layout', () => {
  test('of 100,000 rows draws those in view', () => {
    const layout = flat(listOf([1, 2, 3], 100_000))
    expect(layout).toMatchObject({ count: 100_000, height: 3_200_000 })
    const { from, to } = windowOf(layout, 1_600_000, 800)
    expect([from <= 50_000, to >= 50_025, to - from <= 60]).toEqual([true, true, true])
    expect(lineAt(layout, 99_999)).toMatchObject({ kind: 'record', at: 99_999 })
    expect(lineAt(layout, 100_000)).toBeNull()
  })

  test('finds lines by pixel and pixels by line, over groups of other heights', () => {
    const long = listOf(Array.from({ length: 100 }, (_, at) => at))
    const groups = [groupOf('a', listOf([501, 502])), groupOf('b', listOf([503]), false), groupOf('c', long)]
    const layout = layOut({ list: listOf([]), groups, wholeGroups: new Set(), newAt: null }, HEIGHTS)
    const kinds = Array.from({ length: 6 }, (_, at) => lineAt(layout, at)?.kind)
    expect(kinds).toEqual(['group', 'record', 'record', 'group', 'group', 'record'])
    // Of a large group some rows, then a line for the rest.
    expect(layout.count).toBe(3 + 2 + GROUP_ROWS + 1)
    expect(lineAt(layout, layout.count - 1)).toMatchObject({ kind: 'more', rest: 60 })
    for (let line = 0; line < layout.count; line++) expect(indexAt(layout, placeOf(layout, line).top + 1)).toBe(line)
    expect(lineOfRecord(layout, 502)).toBe(2)
    expect(lineOfRecord(layout, 503)).toBeNull()
  })

  test('has room for a row that is being entered', () => {
    const layout = layOut({ list: listOf([1]), groups: null, wholeGroups: new Set(), newAt: 'top' }, HEIGHTS)
    expect([lineAt(layout, 0)?.kind, lineAt(layout, 1)?.kind]).toEqual(['new', 'record'])
  })

  test('closes the gap of rows taken away for now, and opens it again', () => {
    const list = listOf([1, 2, undefined, 4], 10)
    const show = hideRecords([list], new Set([2]))
    expect([flat(list).count, list.ids.value.value]).toEqual([9, [1, undefined, 4]])
    show()
    expect(flat(list).count).toBe(10)
  })

  test('takes a new record in where it was entered', () => {
    const list = listOf([1, 2])
    insertRecord(list, 9, 'bottom')
    insertRecord(list, 8, 'top')
    expect([list.ids.value.value, list.total.value]).toEqual([[8, 1, 2, 9], 4])
  })
})

describe('groups', () => {
  test('open by themselves until a screen is full', () => {
    const groups = [groupOf('a', listOf([1])), groupOf('b', listOf([], 30)), groupOf('c', listOf([], 5))]
    expect([...opensAtFirst(groups, 20)].map(({ value }) => value)).toEqual(['a', 'b'])
  })

  test('stay open or closed as the user left them, per grouping', () => {
    const kept = new Map<string, string>()
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
    }
    createOpenGroups(storage, 'k').set(['state'], '/draft', false)
    const again = createOpenGroups(storage, 'k')
    expect([again.get(['state'], '/draft'), again.get(['user_id'], '/draft')]).toEqual([false, undefined])
    kept.set('k', '[[1,2],"x"]')
    expect(createOpenGroups(storage, 'k').get(['state'], '/draft')).toBeUndefined()
  })
})

describe('the selection', () => {
  test('of everything ends when one row is let go', () => {
    const selection = createSelection()
    selection.all([1, 2, 3])
    selection.toggle(2)
    expect([selection.isAll.value, [...selection.ids.value]]).toEqual([false, [1, 3]])
  })

  test('of everything includes records that are not loaded yet', () => {
    const selection = createSelection()
    expect(selection.isAny.value).toBe(false)
    selection.all([])
    expect([selection.isAny.value, selection.has(7)]).toEqual([true, true])
    selection.clear()
    expect([selection.isAny.value, selection.has(7)]).toEqual([false, false])
  })

  test('of a range is exactly that range', () => {
    const selection = createSelection()
    selection.only([1, 2, 3])
    selection.only([1, 2])
    expect([...selection.ids.value]).toEqual([1, 2])
  })
})

describe('totals', () => {
  const read = readArch(arch({}))

  test('ask for the sum and for the number of currencies', () => {
    expect(measuresOf(read)).toEqual([
      { name: 'total', field: 'total', measure: 'sum' },
      { name: 'total_currencies', field: 'currency_id', measure: 'count_distinct' },
    ])
  })

  test('of selected rows say when currencies are mixed', () => {
    const rows = [
      { total: 10, currency_id: [1, 'EUR'] },
      { total: 5.5, currency_id: [1, 'EUR'] },
      { total: null, currency_id: [1, 'EUR'] },
    ]
    const totals = sumUp(totalColumns(read), rows)
    expect([totals['total'], isMixed(totals, 'total')]).toEqual([15.5, false])
    expect(isMixed(sumUp(totalColumns(read), [...rows, { total: 1, currency_id: [2, 'USD'] }]), 'total')).toBe(true)
  })
})

describe('the order by hand', () => {
  test('moves one row and keeps the others', () => {
    expect(moveId([1, 2, 3, 4], 4, 1)).toEqual([1, 4, 2, 3])
    expect(moveId([1, 2, 3, 4], 1, 99)).toEqual([2, 3, 4, 1])
  })

  test('writes only the positions that change, and makes equal ones differ', () => {
    const positions = new Map([
      [1, 10],
      [2, 20],
      [3, 30],
      [4, 40],
    ])
    expect([...renumber([2, 1, 3, 4], positions)]).toEqual([
      [2, 10],
      [1, 20],
    ])
    expect([
      ...renumber(
        [2, 1],
        new Map([
          [1, 0],
          [2, 0],
        ]),
      ),
    ]).toEqual([[1, 1]])
  })
})
