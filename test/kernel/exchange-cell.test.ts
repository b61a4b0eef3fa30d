import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, test } from 'vitest'
import { cellText } from '../../kernel/exchange/cell/cell-text.ts'
import { csvLine, guardedCell } from '../../kernel/exchange/cell/csv-line.ts'
import { idOfOwnExternalId, ownExternalId } from '../../kernel/exchange/cell/external-id.ts'
import { guardFormula, unguardFormula } from '../../kernel/exchange/cell/formula-guard.ts'
import { joinNames, splitNames } from '../../kernel/exchange/cell/name-list.ts'
import { richText } from '../../kernel/exchange/import/file/xml-scan.ts'
import { fitting, textCell } from '../../kernel/exchange/workbook/cell.ts'

/** Text in which characters that matter in cells are more frequent than in random text. */
const text = fc
  .array(fc.oneof(fc.string(), fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', "'", '"', ',', ' ', 'ä')), {
    maxLength: 6,
  })
  .map((parts) => parts.join(''))

describe('the formula guard', () => {
  test.each(['=1+1', '+49 30', '-5', '@SUM(A1)', '\t=1', '\r=1', "'=1"])(
    'puts an apostrophe before %j',
    (dangerous) => {
      expect(guardFormula(dangerous)).toBe(`'${dangerous}`)
    },
  )

  test.each(['a=1', '', "O'Neill", "'quoted'", '1-2', ' x'])('leaves %j as it is', (harmless) => {
    expect(guardFormula(harmless)).toBe(harmless)
  })

  test('is undone exactly, whatever the text, and leaves nothing that starts like a formula', () => {
    fc.assert(
      fc.property(text, (any) => {
        expect(unguardFormula(guardFormula(any))).toBe(any)
        expect(guardFormula(any)).not.toMatch(/^[=+\-@\t\r\n]/)
      }),
    )
  })
})

describe('a line of CSV', () => {
  test('quotes as RFC 4180 says and ends with CRLF', () => {
    expect(csvLine(['a', 'b,c', 'say "hi"', 'two\nlines', '', ' x'])).toBe(
      'a,"b,c","say ""hi""","two\nlines",," x"\r\n',
    )
  })

  test('quotes what separates cells in other countries, so that no formula stands behind it', () => {
    expect(csvLine(['a;=1+1', 'b\t=1+1', 'plain'])).toBe('"a;=1+1","b\t=1+1",plain\r\n')
    expect(['a;=1+1', 'b\t=1+1', '=1;2', 'plain'].map(guardedCell)).toEqual([
      '"a;=1+1"',
      '"b\t=1+1"',
      `"'=1;2"`,
      'plain',
    ])
  })

  test('with one empty cell is not an empty line', () => {
    expect(csvLine([''])).toBe('""\r\n')
  })

  test('is read back by any parser as the cells there were', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (cells) => {
        expect(Papa.parse(csvLine(cells), { delimiter: ',', newline: '\r\n' }).data[0]).toEqual(cells)
      }),
    )
  })
})

test('names in one cell are told apart, also those with commas and quotes', () => {
  expect(joinNames(['Smith, John', 'Lem'])).toBe('"Smith, John",Lem')
  expect(splitNames(' Red , Blue,,"a ""b""", c"d')).toEqual(['Red', 'Blue', 'a "b"', 'c"d'])
  fc.assert(
    fc.property(fc.array(text), (names) => {
      expect(splitNames(joinNames(names))).toEqual(names)
    }),
  )
})

test('a record without an external id gets one that says which record it is', () => {
  const partner = { table: 'core_partner' }
  expect(ownExternalId(partner, 7)).toBe('__export__.core_partner_7')
  expect(idOfOwnExternalId(partner, '__export__.core_partner_7')).toBe(7)
  for (const other of [
    '__export__.core_partner_x',
    '__export__.sale_order_7',
    'base.main',
    '__export__.core_partner_0',
  ])
    expect(idOfOwnExternalId(partner, other)).toBeNull()
})

test.each([
  ['char', "=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
  ['integer', -5, '-5'],
  ['float', 1e-7, '0.0000001'],
  ['monetary', 1234.5, '1234.5'],
  ['boolean', false, 'false'],
  ['date', '2026-01-31', '2026-01-31'],
  ['datetime', '2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00Z'],
  ['datetime', '2026-01-31T12:00:00.120Z', '2026-01-31T12:00:00.120Z'],
  ['selection', 'draft', 'draft'],
  ['json', -5, "'-5"],
  ['json', { a: [1] }, '{"a":[1]}'],
  ['reference', 'core.partner,7', 'core.partner,7'],
  ['text', null, ''],
] as const)('a %s %j is the cell %j', (type, value, cell) => {
  expect(cellText(type, value)).toBe(cell)
})

describe('a text in a workbook', () => {
  test('is read as it was written, also with control characters and what looks like an escape', () => {
    const parts = fc.constantFrom('_x0041_', '_x', '_', '0041_', '\r', '\n', '\x08', '&', '<', '\ufffe', 'ä', '😀')
    fc.assert(
      fc.property(fc.array(fc.oneof(parts, fc.string({ unit: 'grapheme' })), { maxLength: 8 }), (all) => {
        expect(richText(textCell(all.join('')), 32_767)).toBe(all.join(''))
      }),
    )
  })

  test('that is longer than a cell says so at its end', () => {
    expect(fitting('x'.repeat(32_767))).toHaveLength(32_767)
    const cut = fitting('😀'.repeat(20_000))
    expect(cut).toMatch(/😀 \[…32767 of 40000 characters\]$/u)
    expect(cut.length).toBeLessThanOrEqual(32_767)
  })
})
