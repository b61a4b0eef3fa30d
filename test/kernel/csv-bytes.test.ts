import fc from 'fast-check'
import { expect, test } from 'vitest'
import { guardedCell } from '../../kernel/exchange/cell/csv-line.ts'
import { csvBytes } from '../../kernel/exchange/export/csv-bytes.ts'
import { SEPARATOR } from '../../kernel/exchange/export/plain-rows.ts'

/** Text in which characters that matter in cells are more frequent than in random text. */
const cell = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(...'=+-@\t\r\n\'",; \v\fäéß\u00a0\u1680\u2003\u2028\u202f\u205f\u3000\ufeff漢😀'),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join('').replaceAll(SEPARATOR, ''))

const NO_HEAD = new Uint8Array()
const rowOf = (cells: readonly string[], id = 7) => ({ line: [...cells, id].join(SEPARATOR) })
const textOf = (bytes: Uint8Array | null) =>
  bytes === null ? null : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

test('lines made of bytes are those made of strings, whatever the texts', () => {
  const toLines = csvBytes(['text', 'text', 'text'])
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, cell), { maxLength: 4 }), (rows) => {
      const expected = rows.map((cells) => `${cells.map(guardedCell).join(',')}\r\n`).join('')
      expect(
        textOf(
          toLines(
            rows.map((cells) => rowOf(cells)),
            NO_HEAD,
          ),
        ),
      ).toBe(expected)
    }),
    { numRuns: 2_000 },
  )
})

test('many quotes, and pages larger than the memory that is kept, find room', () => {
  const toLines = csvBytes(['text', 'text'])
  const cells = ['"'.repeat(5_000), `ä${'x'.repeat(500_000)}`]
  const line = `${cells.map(guardedCell).join(',')}\r\n`
  expect(textOf(toLines([rowOf(cells), rowOf(cells)], NO_HEAD))).toBe(line + line)
  expect(textOf(toLines([rowOf(['"', '']), rowOf(['"', '"'])], NO_HEAD))).toBe('"""",\r\n"""",""""\r\n')
})

test('numbers and days stay as they are, instants become those of ISO 8601, and the head comes first', () => {
  const toLines = csvBytes(['bare', 'bare', 'instant', 'instant', 'instant'])
  const cells = ['-5', '2026-01-31', '2026-01-31 12:00:00+00', '2026-01-31 12:00:00.12+00', '']
  expect(textOf(toLines([rowOf(cells)], new TextEncoder().encode('a,b\r\n')))).toBe(
    'a,b\r\n-5,2026-01-31,2026-01-31T12:00:00Z,2026-01-31T12:00:00.120Z,\r\n',
  )
})

test('an empty line is quoted', () => {
  expect(textOf(csvBytes(['text'])([rowOf(['']), rowOf(['a'])], NO_HEAD))).toBe('""\r\na\r\n')
})

test.each([1, 2, 3, 4, 5, 6])('%i separators in texts are noticed', (many) => {
  const toLines = csvBytes(['text', 'text'])
  expect(toLines([rowOf(['a', 'b']), rowOf([SEPARATOR.repeat(many), 'b']), rowOf(['a', 'b'])], NO_HEAD)).toBeNull()
})
