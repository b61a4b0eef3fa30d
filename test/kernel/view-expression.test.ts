import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evaluate, isTrue, type Scope } from '../../kernel/expression/evaluate.ts'
import { EXPRESSION_LIMITS, ExpressionError, namesOf, parseExpression } from '../../kernel/expression/parse.ts'

const scope: Scope = {
  values: {
    state: 'draft',
    amount: 10,
    partner_id: [7, 'Ann'],
    hidden_id: [8, null],
    tag_ids: [1, 2],
    pair_ids: [3, 4],
    none_ids: [],
    empty: null,
    done: false,
    day: '2026-03-15',
    moment: '2026-03-15T09:30:00.000Z',
  },
  parent: { values: { state: 'sale', partner_id: [9, 'Bob'] }, uid: 5, today: '2026-03-16' },
  uid: 5,
  today: '2026-03-16',
}

describe('a condition', () => {
  test.each([
    ["state == 'draft'", true],
    ['state == "draft"', true],
    ["state === 'draft' && amount >= 10", true],
    ["state != 'draft' or amount > 10", false],
    ["state in ('draft', 'sent')", true],
    ["state in ['sent',]", false],
    ["state not in ['sent']", true],
    ["not state == 'draft'", false],
    ['!done', true],
    ['not done and not empty', true],
    ['done or empty or none_ids', false],
    ['partner_id', true],
    ['partner_id == 7', true],
    ['partner_id in [6, 7]', true],
    ['hidden_id == 8', true],
    ['partner_id != parent.partner_id', true],
    ["parent.state == 'sale'", true],
    ['parent.parent.state', false],
    ['1 in tag_ids', true],
    ['4 in pair_ids', true],
    ['5 not in tag_ids', true],
    ['tag_ids == [1, 2]', true],
    ['none_ids', false],
    ['empty == False', true],
    ['empty == None and done == null', true],
    ["empty == ''", true],
    ['amount == false', false],
    ['empty < 3', false],
    ['empty >= 3', false],
    ['state > 3', false],
    ['day < today', true],
    ['moment <= day', true],
    ['moment < today', true],
    ["'raf' in state", true],
    ['uid == 5', true],
    ['amount - 3 * 2 == 4', true],
    ['-amount < 0', true],
    ['amount + empty', false],
    ['True', true],
    ['true', true],
    ['1', true],
    ['0', false],
    ['unheard_of', false],
    ['constructor or toString', false],
    ['(amount > 5) and (amount < 20 or done)', true],
    ["state == 'it\\'s'", false],
  ])('%s', (text, expected) => {
    expect(isTrue(parseExpression(text), scope)).toBe(expected)
  })

  test.each([
    '',
    'a ==',
    '== a',
    'a = 1',
    'a and',
    '(a',
    'a)',
    'a b',
    '[1, 2',
    'a < b < c',
    'a == b == c',
    'a not b',
    'partner_id.name',
    'parent',
    'user.parent',
    'f(x)',
    'a ? b : c',
    "'open",
    'a; b',
    '`x`',
    'a == {}',
    'a & b',
  ])('is refused: %s', (text) => {
    expect(() => parseExpression(text)).toThrow(ExpressionError)
  })

  test('names the fields it looks at', () => {
    const names = namesOf(parseExpression("a == 1 and (b in [c, 'd'] or not parent.e) and uid == f - today and a"))
    expect(names).toEqual(['a', 'b', 'c', 'parent.e', 'f'])
  })

  test('has caps on its length and depth', () => {
    expect(() => parseExpression(`${'('.repeat(40)}1${')'.repeat(40)}`)).toThrow('nested deeper')
    expect(() => parseExpression('not '.repeat(40))).toThrow('nested deeper')
    expect(() => parseExpression(`${'- '.repeat(40)}1`)).toThrow('nested deeper')
    expect(() => parseExpression(`a${' or a'.repeat(600)}`)).toThrow('too many parts')
    expect(() => parseExpression('a'.repeat(EXPRESSION_LIMITS.chars + 1))).toThrow('longer')
  })

  test('is parsed or refused for any text', () => {
    const piece = fc.constantFrom(
      'a',
      'parent.b',
      '1',
      "'x'",
      '==',
      '<',
      'in',
      'not',
      'and',
      'or',
      '(',
      ')',
      '[',
      ']',
      ',',
      '-',
      '*',
      '+',
      '!',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 15 }).map((pieces) => pieces.join(' ')),
          fc.string(),
        ),
        (text) => {
          try {
            evaluate(parseExpression(text), scope)
          } catch (error) {
            expect(error).toBeInstanceOf(ExpressionError)
          }
        },
      ),
      { numRuns: 3_000 },
    )
  })
})
