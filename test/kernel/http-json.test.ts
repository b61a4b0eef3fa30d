import { describe, expect, test } from 'vitest'
import { AppError } from '../../kernel/errors.ts'
import { parseJson } from '../../kernel/http/json.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { expectCpuBelow } from '../support/cpu-time.ts'

const codeOf = (run: () => unknown): string => {
  try {
    run()
    return 'OK'
  } catch (error) {
    return error instanceof AppError ? error.code : `not ours: ${String(error)}`
  }
}

describe('parseJson', () => {
  test.each([
    ['{}', {}],
    ['[1, "a\\"b", null, true, -1.5e3]', [1, 'a"b', null, true, -1500]],
    ['"\\u00e9 \\ud83d\\ude00 \\\\ud800"', 'é 😀 \\ud800'],
    ['{"a": "constructor", "b": ["__proto__"]}', { a: 'constructor', b: ['__proto__'] }],
    [' {"a": "[[[[{{{{,,,,"} ', { a: '[[[[{{{{,,,,' }],
  ])('reads %s as it is', (text, value) => {
    expect(parseJson(text)).toEqual(value)
  })

  test.each([
    ['not JSON', 'nope'],
    ['an empty body', ''],
    ['an open string', '"abc'],
    ['an open escape', '"abc\\'],
    ['a short escape', '"\\u12"'],
    ['a bad escape', '"\\u12g4"'],
    ['a trailing comma', '[1,]'],
    ['a raw line break in a string', '"a\nb"'],
    ['a NUL as an escape', '{"a": "\\u0000"}'],
    ['half a surrogate pair', '"\\ud800"'],
    ['a low surrogate alone', '"\\udc00"'],
    ['two high surrogates', '"\\ud800\\ud800"'],
    ['the key __proto__', '{"kwargs": {"__proto__": {"limit": 1}}}'],
    ['the key constructor deep inside', '[[{"a": [{"constructor": 1}]}]]'],
    ['the key prototype', '{"prototype": 1}'],
    ['an escaped poisoned key', '{"\\u005f_proto__": 1}'],
  ])('refuses %s', (_name, text) => {
    expect(codeOf(() => parseJson(text))).toBe('BAD_REQUEST')
  })

  test(`takes ${LIMITS.jsonDepth} levels of nesting and no more`, () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expect(codeOf(() => parseJson(nested(LIMITS.jsonDepth)))).toBe('OK')
    expect(codeOf(() => parseJson(nested(LIMITS.jsonDepth + 1)))).toBe('BAD_REQUEST')
  })

  test(`takes ${LIMITS.jsonTokens} members and no more`, () => {
    const members = (count: number) => JSON.stringify(Array.from({ length: count }, () => 1))
    expect(codeOf(() => parseJson(members(LIMITS.jsonTokens)))).toBe('OK')
    expect(codeOf(() => parseJson(members(LIMITS.jsonTokens + 1)))).toBe('BAD_REQUEST')
  })

  test('a thousand records of eighteen fields are within the limits', () => {
    const record = Object.fromEntries(Array.from({ length: 18 }, (_, i) => [`field_${i}`, i]))
    const body = JSON.stringify({ args: [Array.from({ length: 1_000 }, () => record)] })
    expect(codeOf(() => parseJson(body))).toBe('OK')
  })

  test.each([
    ['brackets', '['.repeat(1_000_000)],
    ['braces', '{"a":'.repeat(200_000)],
    ['commas', `[${'1,'.repeat(500_000)}1]`],
    ['quotes', '"'.repeat(1_000_000)],
    ['backslashes', `"${'\\'.repeat(1_000_000)}`],
    ['escapes', `"${'\\u0041'.repeat(170_000)}"`],
    ['one long string', `"${'constructor'.repeat(90_000)}"`],
  ])('a megabyte of %s takes less than 50 ms of CPU', async (_name, text) => {
    await expectCpuBelow(50, () => codeOf(() => parseJson(text)))
  })
})
