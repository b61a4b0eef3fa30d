import { describe, expect, test } from 'vitest'
import type { FieldRecord } from '../../addons/web/client/core/registries.ts'
import { archDomain, contextDefaults } from '../../addons/web/client/fields/edit/relation-domain.ts'
import { registerFields } from '../../addons/web/client/fields/index.ts'
import { withoutEcho, withoutEchoes } from '../../addons/web/client/fields/lines/cell-text.ts'
import { tracksOf } from '../../addons/web/client/fields/lines/column-widths.ts'
import { cardParts, readLines, shownColumns } from '../../addons/web/client/fields/lines/columns.ts'
import { applyAnswer, lineToWire, lineValue } from '../../addons/web/client/fields/lines/line-values.ts'
import { savedAs } from '../../addons/web/client/fields/lines/saved-as.ts'
import { rowsBelow, sortInSections } from '../../addons/web/client/fields/lines/sections.ts'
import { edgeNumber, renumberLines } from '../../addons/web/client/fields/lines/sequence.ts'
import { applyCommands, openLines, toCommands } from '../../addons/web/client/store/x2many.ts'
import type { WireRelated } from '../../kernel/view/wire.ts'
import { field, node } from '../support/view-parts.ts'

registerFields()

const related: WireRelated = {
  model: 'sale.order.line',
  fields: [
    field('sequence', 'integer'),
    field('name', 'char'),
    field('price', 'monetary'),
    field('tax_ids', 'many2many'),
  ],
  access: { create: true, write: true, unlink: true },
}
const arch = readLines(
  node('field', { name: 'line_ids' }, [
    node('list', { editable: 'bottom', 'decoration-muted': "parent.state == 'done'" }, [
      node('field', { name: 'sequence', widget: 'handle' }),
      node('field', { name: 'name' }),
      node('field', { name: 'price', sum: 'Total', column_invisible: 'parent.is_free' }),
      node('field', { name: 'tax_ids', widget: 'tags', optional: 'hide' }),
    ]),
  ]),
  related,
)
const scope = (parent: Record<string, unknown>) => ({
  values: {},
  uid: 1,
  today: '2026-01-01',
  parent: { values: parent, uid: 1, today: '2026-01-01' },
})
const names = (parent: Record<string, unknown>, choices: Record<string, boolean> = {}) =>
  shownColumns(arch, choices, scope(parent)).map((column) => column.field.name)

const tracks = (chars: Record<string, number>, after = 32) =>
  tracksOf({ columns: arch.columns, longest: ({ field }) => chars[field.name] ?? null, before: 24, after })
const pixelsOf = (template: string, track: number): number => Number.parseInt(template.split(' ')[track]!, 10)

describe('the list inside a field', () => {
  test('has the columns its view, its record and its user want', () => {
    expect(names({})).toEqual(['name', 'price'])
    expect(names({ is_free: true }, { tax_ids: true })).toEqual(['name', 'tax_ids'])
  })

  test('knows its handle, its sums and what its conditions look at', () => {
    expect(arch).toMatchObject({ handle: 'sequence', editable: 'bottom' })
    expect(arch.parentNames.toSorted()).toEqual(['is_free', 'state'])
    expect(arch.columns.map(({ sum, isNumeric }) => [sum, isNumeric])).toEqual([
      [null, false],
      ['Total', true],
      [null, false],
    ])
  })

  test('fills its width, also when nothing in it grows', () => {
    const figures = arch.columns.filter(({ isNumeric }) => isNumeric)
    expect(tracksOf({ columns: figures, longest: () => 4, before: null, after: 32 }).template).toMatch(/1fr\)$/)
    expect(tracks({}).template.split(' ')).toHaveLength(5)
  })

  test('gives figures and words what they need, and the column that names the line what is left', () => {
    const short = tracks({ name: 20, price: 6, tax_ids: 4 }, 300).template
    const long = tracks({ name: 40, price: 14, tax_ids: 4 }, 300).template
    expect(short).toMatch(/^24px minmax\(160px,2fr\) \d+px minmax\(\d+px,\d+px\) 300px$/)
    expect(pixelsOf(long, 2)).toBeGreaterThan(pixelsOf(short, 2))
    expect(pixelsOf(long, 2)).toBeGreaterThan(14 * 7)
    // The content of the lines of a new record is not known yet.
    expect(tracks({}, 300).template).toContain('0.3fr')
    // Where there is room, text columns are not pushed to the end.
    expect(tracks({ name: 20, price: 6, tax_ids: 4 }).template).toContain('0.3fr')
  })

  test('has for a phone the name of the line as title, also behind a column of stars', () => {
    const stars = {
      ...related,
      fields: [field('priority', 'selection'), field('name', 'char'), field('hours', 'float')],
    }
    const { columns } = readLines(
      node('field', { name: 'task_ids' }, [
        node('list', {}, [
          node('field', { name: 'priority', widget: 'priority' }),
          node('field', { name: 'name' }),
          node('field', { name: 'hours', sum: 'Hours' }),
        ]),
      ]),
      stars,
    )
    expect([...cardParts(columns)].map(([column, part]) => [column.field.name, part])).toEqual([
      ['name', 'title'],
      ['hours', 'amount'],
      ['priority', 'meta'],
    ])
  })

  test('has for a phone what the quantity counts, and the price of one', () => {
    const order = {
      ...related,
      fields: [
        field('product_id', 'many2one'),
        field('note', 'text'),
        field('quantity', 'float'),
        field('uom_id', 'many2one'),
        field('price', 'monetary'),
        field('discount', 'float'),
        field('subtotal', 'monetary'),
      ],
    }
    const names = order.fields.map(({ name }) => node('field', { name }))
    const { columns } = readLines(node('field', { name: 'line_ids' }, [node('list', {}, names)]), order)
    const parts = [
      ['product_id', 'title'],
      ['subtotal', 'amount'],
      ['note', 'sub'],
      ['quantity', 'meta'],
      ['uom_id', 'unit'],
      ['price', 'more'],
      ['discount', 'named'],
    ]
    const partsOf = (shown: typeof columns) =>
      [...cardParts(shown)].map(
        ([
          {
            field: { name },
          },
          part,
        ]) => [name, part],
      )
    expect(partsOf(columns)).toEqual(parts)
    // A number that no unit follows is named by its heading, as a discount is.
    const bare = columns.filter(({ field: { name } }) => name !== 'uom_id' && name !== 'price')
    expect(partsOf(bare)).toContainEqual(['quantity', 'named'])
    // A unit is that also where no line says more than its product.
    const plain = columns.filter(({ field: { name } }) => name !== 'note')
    expect(partsOf(plain)).toEqual(parts.filter(([name]) => name !== 'note'))
  })

  test('does not say the name of a product twice in two languages, nor has a column for that alone', () => {
    const line = {
      ...related,
      fields: [field('product_id', 'many2one'), field('name', 'text'), field('product_name', 'char')],
    }
    const { columns } = readLines(
      node('field', { name: 'line_ids' }, [
        node('list', {}, [
          node('field', { name: 'product_id' }),
          node('field', { name: 'name', echo: 'product_name' }),
        ]),
      ]),
      line,
    )
    const lineOf = (name: string): FieldRecord => {
      const values: Record<string, unknown> = { product_id: [1, 'Oak Desk'], product_name: 'Eichentisch', name }
      return { model: 'sale.order.line', id: 1, get: (each) => values[each] }
    }
    const said = (name: string) => withoutEcho(name, columns[1]!, lineOf(name), columns)
    expect([said('Eichentisch'), said('Eichentisch\nMit Schublade'), said('Pult')]).toEqual([
      '',
      'Mit Schublade',
      'Pult',
    ])
    const left = (names: readonly string[]) => withoutEchoes(columns, names.map(lineOf)).map((each) => each.field.name)
    expect(left(['Eichentisch', 'Oak Desk'])).toEqual(['product_id'])
    expect(left(['Eichentisch', 'Pult'])).toEqual(['product_id', 'name'])
    expect(left([])).toEqual(['product_id', 'name'])
  })

  test('gives a heading of wide letters the room it needs', () => {
    const wide = (label: string) => {
      const columns = arch.columns.map((column) => ({ ...column, label }))
      return pixelsOf(tracksOf({ columns, longest: () => 4, before: 24, after: 32 }).template, 2)
    }
    // 96 pixels of text and 16 around it.
    expect(wide('Zwischensumme')).toBeGreaterThanOrEqual(112)
  })

  test('does not say the name of a product twice', () => {
    const line = { ...related, fields: [field('product_id', 'many2one'), field('name', 'text')] }
    const { columns } = readLines(
      node('field', { name: 'line_ids' }, [
        node('list', {}, [node('field', { name: 'product_id' }), node('field', { name: 'name' })]),
      ]),
      line,
    )
    const said = (text: string, product: unknown) =>
      withoutEcho(text, columns[1]!, { model: 'sale.order.line', id: 1, get: () => product }, columns)
    expect(said('Oak Desk', [1, 'DSK-1 Oak Desk'])).toBe('')
    expect(said('Oak Desk\nWith cable tray', [1, 'Oak Desk'])).toBe('With cable tray')
    expect(said('Desk, used', [1, 'Oak Desk'])).toBe('Desk, used')
    expect(said('Oak Desk', null)).toBe('Oak Desk')
  })
})

describe('the order by hand', () => {
  const numbers = (known: Record<number, number | null>) => (row: number) => known[row] ?? null

  test('touches only the rows between the ends of a move', () => {
    const known = numbers({ 1: 10, 2: 20, 3: 30, 4: 40 })
    expect([...renumberLines([1, 3, 2, 4], known)]).toEqual([
      [3, 20],
      [2, 30],
    ])
  })

  test('counts anew when numbers are missing or the same', () => {
    expect([...renumberLines([2, 1], numbers({ 1: 10, 2: 10 }))]).toEqual([[1, 20]])
    expect([...renumberLines([2, -1], numbers({ 2: null }))]).toEqual([
      [2, 10],
      [-1, 20],
    ])
  })

  test('puts new rows at an end', () => {
    expect([edgeNumber([10, 30, null], 'bottom'), edgeNumber([10, 30], 'top'), edgeNumber([], 'bottom')]).toEqual([
      40, 0, 10,
    ])
  })
})

describe('sections', () => {
  const isSection = (row: number) => row % 10 === 0
  const rows = [3, 1, 10, 14, 12, 20, 30, 31]

  test('go down to the next one', () => {
    expect(rowsBelow(rows, 10, isSection)).toEqual([14, 12])
    expect(rowsBelow(rows, 20, isSection)).toEqual([])
    expect(rowsBelow(rows, 30, isSection)).toEqual([31])
  })

  test('keep their places while the rows in them are sorted', () => {
    const sorted = (some: readonly number[]) => some.toSorted((a, b) => a - b)
    expect(sortInSections(rows, isSection, sorted)).toEqual([1, 3, 10, 12, 14, 20, 30, 31])
    expect(sortInSections([2, 1], () => false, sorted)).toEqual([1, 2])
  })
})

describe('values of a line', () => {
  const taxes = related.fields[3]!

  test('are what was typed over what is saved', () => {
    const lines = { ...openLines([5]), values: { 5: { name: 'typed' } } }
    expect(lineValue(lines, 5, null, related.fields[1]!)).toBe('typed')
    expect(lineValue(lines, 5, null, taxes)).toEqual([])
  })

  test('take links an onchange answers as commands', () => {
    const added = applyCommands(openLines([]), [[0, -1, { tax_ids: [1] }]])
    const answered = applyAnswer(added, -1, { tax_ids: [[4, 2]], name: 'Desk', strange: 1 }, related.fields, (each) =>
      lineValue(added, -1, null, each),
    )
    expect(answered.values[-1]).toEqual({ tax_ids: [1, 2], name: 'Desk' })
  })

  test('of a line the answer of the whole form speaks of stay in that line', () => {
    const lines = { ...openLines([]), rows: [-1], values: { [-1]: { name: 'Desk', tax_ids: [1] } } }
    const answered = applyCommands(lines, [[0, -1, { price: 5, tax_ids: [[3, 1]] as never }]])
    expect(answered.rows).toEqual([-1])
    expect(toCommands(answered)).toEqual([[0, -1, { name: 'Desk', tax_ids: [], price: 5 }]])
  })

  test('are sent with links as ids', () => {
    expect(lineToWire({ product_id: [7, 'Desk'], tax_ids: [1, 2], name: 'x', place: null })).toEqual({
      product_id: 7,
      tax_ids: [1, 2],
      name: 'x',
      place: null,
    })
  })
})

describe('what a relation offers', () => {
  const values: Record<string, unknown> = { project_id: [3, 'Site'], tag_ids: [1, 2], kind: 'project_id' }
  const record = { get: (name: string) => values[name] ?? null, parent: { model: 'p', id: 1, get: () => [9, 'Nine'] } }
  const at = { record, uid: 4, companyId: 6, today: '2026-01-01' }

  test('follows the values of the record, and leaves texts alone', () => {
    expect(archDomain("[['project_id', '=', project_id], ('kind', '=', 'project_id')]", at)).toEqual([
      ['project_id', '=', 3],
      ['kind', '=', 'project_id'],
    ])
    expect(
      archDomain("[('id', 'in', tag_ids), ('owner', 'in', [uid, parent.user_id]), ('x', '=', missing)]", at),
    ).toEqual([
      ['id', 'in', [1, 2]],
      ['owner', 'in', [4, 9]],
      ['x', '=', null],
    ])
  })

  test('is everything when there is no domain or none that can be read', () => {
    expect([archDomain(undefined, at), archDomain('[', at)]).toEqual([[], []])
  })

  test('starts new records with the defaults of the context', () => {
    expect(contextDefaults(node('field', { context: '{"default_type": "lead", "other": 1}' }))).toEqual({
      type: 'lead',
    })
    expect(contextDefaults(node('field', { context: 'nonsense' }))).toEqual({})
  })
})

test('an edited line is followed to the id that a save gives it', () => {
  expect(savedAs(-2, [5, -1, -2], [5, 8, 9])).toBe(9)
  expect(savedAs(-1, [5, -1, -2], [9, 5, 8])).toBe(9)
  expect(savedAs(5, [5, -1], [5, 8])).toBe(5)
  // The saved lines are not read yet, or somebody else removed the line.
  expect(savedAs(-1, [5, -1], [5])).toBe(null)
  expect(savedAs(5, [5, 6], [6])).toBe(null)
})
