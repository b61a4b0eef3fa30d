import { expect, test } from 'vitest'
import type { Field } from '../../kernel/model/fields/field.ts'
import { cutText, longText, storedChars } from '../../kernel/report/long-text.ts'
import { writeRows } from '../../kernel/report/write-rows.ts'
import type { Services } from '../../kernel/services.ts'

const field = (name: string) => ({ type: { name } }) as Field

test('a long value is cut with a mark, and never within a character', () => {
  expect(longText(field('text'), 'abc', 3)).toBe('abc')
  expect(longText(field('text'), 'abcd', 3)).toBe('abc…')
  expect(cutText('ab😀', 3)).toBe('ab…')
  expect(longText(field('json'), { a: [1, 2] }, 5)).toBe('{"a":…')
  expect(longText(field('html'), '<p>one</p><p>two</p>', 100)).toBe('one\ntwo')
  expect(longText(field('html'), '<p>one &amp; two</p>', 5)).toBe('one &…')
})

test('of markup only as much is looked at as may be shown, and no tag or reference is left in half', () => {
  const chars = 10
  const stored = '<p></p>'.repeat(20)
  expect(longText(field('html'), stored, chars)).toBe('…')
  for (let at = 30; at < 45; at++) {
    const text = longText(
      field('html'),
      `${'x'.repeat(at)}<b title="y">&quot;</b>`.padEnd(storedChars(field('html'), chars), 'z'),
      40,
    )
    expect(text).not.toMatch(/[<&]/)
  }
})

test('rows are written in slices with a limited number of cells', async () => {
  let turns = 0
  const services = { sleep: async () => void turns++ } as unknown as Services
  const rows = Array.from({ length: 2_000 }, (_, i) => i)
  expect(await writeRows({ services }, rows, 30, (row) => row)).toEqual(rows)
  expect(turns).toBeGreaterThanOrEqual(60)
})
