import { describe, expect, test } from 'vitest'
import { bindVariables } from '../../kernel/domain/bind.ts'
import { parseDomainText } from '../../kernel/domain/literal.ts'
import { parseDomain } from '../../kernel/domain/parse.ts'
import { addDays } from '../../kernel/domain/zone.ts'
import { AppError } from '../../kernel/errors.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { behavior } from '../../kernel/model/behavior.ts'
import { compileRegistry } from '../../kernel/model/compile-registry.ts'
import { defineModel, type FieldsOf } from '../../kernel/model/define.ts'
import { field } from '../../kernel/model/field-types.ts'
import { expectCpuBelow } from '../support/cpu-time.ts'

const book = defineModel('parse.book', {
  label: 'Book',
  fields: {
    name: field.char(),
    pages: field.integer(),
    price: field.float(),
    sold: field.boolean(),
    printed: field.date(),
    read_at: field.datetime(),
    cover: field.binary(),
    key: field.char({ secret: true }),
    next_id: field.many2one('parse.book'),
    author_ids: field.many2many('parse.author'),
    thick: field.boolean({ compute: 'read' }),
    rank: field.integer({ compute: 'read' }),
    loop: field.integer({ compute: 'read' }),
    sequel_id: field.many2one('parse.book', { compute: 'read' }),
    next_name: field.char({ related: 'next_id.name' }),
  },
})
const author = defineModel('parse.author', {
  label: 'Author',
  fields: { name: field.char(), book_ids: field.many2many('parse.book') },
})

declare module '#kernel' {
  interface ParseBook extends FieldsOf<typeof book> {}
  interface Models {
    'parse.book': ParseBook
    'parse.author': FieldsOf<typeof author>
  }
}

const none = { needs: [], run: () => new Map() }
const registry = compileRegistry([
  {
    name: 'parse',
    models: [book, author],
    behaviors: [
      behavior('parse.book', {
        computes: {
          thick: {
            ...none,
            search: (_env, operator, value) => [['pages', operator === '=' && value ? '>' : '<=', 500]],
          },
          rank: none,
          loop: { ...none, search: (_env, operator, value) => [['loop', operator as '=', value as number]] },
          sequel_id: { ...none, search: (_env, _operator, value) => [['next_id', 'any', value as []]] },
        },
      }),
    ],
  },
])

const context = { registry, now: new Date('2024-05-05T12:00:00Z'), tz: 'UTC' }
const parse = (domain: unknown, model = 'parse.book') =>
  parseDomain(domain, registry.model(model)!, {
    ...context,
    searchComputed: (searched, operator, value) => searched.compute!.search!(null as never, operator, value),
  })

function refusal(work: () => unknown): AppError {
  try {
    work()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('was accepted')
}

const deep = (levels: number): unknown[] => (levels === 0 ? [] : [['next_id', 'any', deep(levels - 1)]])
const leaf = ['pages', '=', 1]

describe('a domain that is none is refused, naming the position', () => {
  const bad: readonly (readonly [what: string, domain: unknown, position: readonly number[]])[] = [
    ['not a list', 'name', []],
    ['an object', { 0: leaf }, []],
    ['null', null, []],
    ['a condition that is no list', [7], [0]],
    ['an unknown prefix', ['^', leaf], [0]],
    ['a condition of two', [['name', '=']], [0]],
    ['a condition of four', [['name', '=', 'a', 'b']], [0]],
    ['an operator without operands', ['&', leaf], [0]],
    ['a negation of nothing', [leaf, '!'], [1]],
    ['too few operands in the middle', ['|', leaf, '&', leaf], [2]],
    ['a path that is no text', [[1, '=', 1]], [0, 0]],
    ['an unknown field', [leaf, ['nope', '=', 1]], [1, 0]],
    ['an unknown field behind a relation', [['next_id.nope', '=', 1]], [0, 0]],
    ['a prototype key', [['__proto__', '=', 1]], [0, 0]],
    ['an empty step', [['next_id.', '=', 1]], [0, 0]],
    ['a step after a plain field', [['name.x', '=', 1]], [0, 0]],
    ['a part of what is no date', [['pages.year', '=', 1]], [0, 0]],
    ['an hour of a plain date', [['printed.hour', '=', 1]], [0, 0]],
    ['a part of a part', [['printed.year.month', '=', 1]], [0, 0]],
    ['an unknown operator', [['name', '~', 'a']], [0, 1]],
    ['an operator that is no text', [['name', null, 'a']], [0, 1]],
    ['like on a number', [['pages', 'like', '1']], [0, 1]],
    ['less on a relation', [['next_id', '<', 1]], [0, 1]],
    ['less on a boolean', [['sold', '>', true]], [0, 1]],
    ['any on a plain field', [['name', 'any', []]], [0, 1]],
    ['child_of on a plain field', [['name', 'child_of', 1]], [0, 1]],
    ['child_of without a tree', [['author_ids', 'child_of', 1]], [0, 1]],
    ['a number for text', [['name', '=', 1]], [0, 2]],
    ['a list for =', [['name', '=', ['a']]], [0, 2]],
    ['no list for in', [['name', 'in', 'a']], [0, 2]],
    ['a wrong value in a list', [['pages', 'in', [1, '2']]], [0, 2, 1]],
    ['a fraction for a whole number', [['pages', '=', 1.5]], [0, 2]],
    ['a number past 2^53', [['pages', '=', 2 ** 53]], [0, 2]],
    ['not a number', [['price', '=', Number.NaN]], [0, 2]],
    ['infinity', [['price', '<', Number.POSITIVE_INFINITY]], [0, 2]],
    ['a number as text', [['pages', '=', '1e3']], [0, 2]],
    ['true for a number', [['pages', '=', true]], [0, 2]],
    ['a fraction as id', [['next_id', '=', 1.5]], [0, 2]],
    ['a pair as id', [['next_id', '=', [1, 'x']]], [0, 2]],
    ['text for a boolean', [['sold', '=', 'yes']], [0, 2]],
    ['a day that is none', [['printed', '=', '2024-02-30']], [0, 2]],
    ['an instant for a plain date', [['printed', '=', '2024-02-01T00:00:00Z']], [0, 2]],
    ['an instant without zone', [['read_at', '=', '2024-02-01T00:00:00']], [0, 2]],
    ['an unknown word', [['read_at', '=', 'tomorrow']], [0, 2]],
    ['a step off the calendar', [['read_at', '=', '+9999y']], [0, 2]],
    ['text for a part', [['printed.year', '=', '2024']], [0, 2]],
    ['a value for a binary', [['cover', '=', 'abc']], [0, 2]],
    ['NUL', [['name', '=', 'a\0b']], [0, 2]],
    ['a lone surrogate', [['name', 'ilike', 'a\ud800']], [0, 2]],
    ['a lone surrogate in a list', [['name', 'in', ['ok', '\udc00']]], [0, 2, 1]],
    ['an object as value', [['name', '=', { var: 'x' }]], [0, 2]],
    ['no domain for any', [['next_id', 'any', 'x']], [0, 2]],
    ['a mistake inside any', [leaf, ['next_id', 'any', [leaf, ['nope', '=', 1]]]], [1, 2, 1, 0]],
    ['a computed field without search', [['rank', '=', 1]], [0, 0]],
    ['a computed field that searches itself', [['loop', '=', 1]], [0]],
    ['an object for a computed field', [['thick', '=', {}]], [0, 2]],
  ]
  test.each(bad)('%s', (_, domain, position) => {
    const error = refusal(() => parse(domain))
    expect(error.code).toBe('BAD_REQUEST')
    expect(error.details).toMatchObject({ position })
    expect(error.message).toMatch(/^Domain(\[\d+\])*: [^\n]{5,160}\.$/)
  })
})

describe('caps', () => {
  test(`${LIMITS.domainLeaves} conditions are allowed, one more is not, also spread over any`, () => {
    expect(() => parse(Array(LIMITS.domainLeaves).fill(leaf))).not.toThrow()
    expect(refusal(() => parse(Array(LIMITS.domainLeaves + 1).fill(leaf))).code).toBe('BAD_REQUEST')
    const half = Array(LIMITS.domainLeaves / 2).fill(leaf)
    expect(refusal(() => parse([...half, ['next_id', 'any', half]])).code).toBe('BAD_REQUEST')
  })

  test(`${LIMITS.domainDepth} levels are allowed, one more is not, in whatever way they nest`, () => {
    const negations = (count: number) => [...Array(count).fill('!'), leaf]
    const path = (steps: number) => [[`${'next_id.'.repeat(steps)}pages`, '=', 1]]
    const turns = (count: number) => [...Array.from({ length: count }, (_, i) => ['&|'[i % 2], leaf]).flat(), leaf]
    for (const nest of [negations, path, deep, turns]) {
      expect(() => parse(nest(LIMITS.domainDepth))).not.toThrow()
      expect(refusal(() => parse(nest(LIMITS.domainDepth + 1))).message).toMatch(/deeper|steps/)
    }
  })

  test('a long chain of one operator is one level', () => {
    expect(() => parse([...Array(49).fill('|'), ...Array(50).fill(leaf)])).not.toThrow()
    expect(() => parse([...Array.from({ length: 49 }, () => ['|', leaf]).flat(), leaf])).not.toThrow()
  })

  test('lists, patterns and texts have a longest length', () => {
    const ids = Array.from({ length: LIMITS.domainValues + 1 }, (_, i) => i)
    expect(() => parse([['id', 'in', ids.slice(1)]])).not.toThrow()
    expect(refusal(() => parse([['id', 'in', ids]])).details).toMatchObject({ position: [0, 2] })
    expect(refusal(() => parse([['next_id', 'child_of', ids]])).code).toBe('BAD_REQUEST')
    expect(refusal(() => parse([['thick', 'in', ids]])).code).toBe('BAD_REQUEST')
    expect(() => parse([['name', 'ilike', 'x'.repeat(LIMITS.likeOperandChars)]])).not.toThrow()
    expect(refusal(() => parse([['name', 'ilike', 'x'.repeat(LIMITS.likeOperandChars + 1)]])).code).toBe('BAD_REQUEST')
    expect(refusal(() => parse([['name', '=', 'x'.repeat(LIMITS.textChars + 1)]])).code).toBe('BAD_REQUEST')
  })

  test('the days of all lists count together', () => {
    const days = Array.from({ length: LIMITS.domainValues }, (_, i) => addDays('2024-01-01', i))
    expect(() => parse([['read_at', 'in', days]])).not.toThrow()
    expect(
      refusal(() =>
        parse([
          ['read_at', 'in', days],
          ['read_at', '=', 'today'],
        ]),
      ).message,
    ).toMatch(/days in all/)
  })

  test('bombs are refused at once', async () => {
    for (const bomb of [Array(20_000).fill('!'), Array(20_000).fill('&'), [['a.'.repeat(400_000), '=', 1]]]) {
      expect(refusal(() => parse(bomb)).code).toBe('BAD_REQUEST')
      await expectCpuBelow(200, () => refusal(() => parse(bomb)))
    }
  })
})

describe('what a caller names stays in the tree to be checked', () => {
  const named = (domain: unknown) => {
    const names = new Set<string>()
    JSON.stringify(parse(domain), (key, value) => {
      if (key === 'field' || key === 'parentField') names.add(value.name)
      return key === 'field' ? value.name : value
    })
    return [...names]
  }
  test.each([
    [['key', '=', 'x']],
    [['key', 'in', []]],
    [['key', '=?', null]],
    [['key', '<', null]],
    [['next_id.key', 'not in', []]],
  ])('%j', (condition) => {
    expect(named(['|', condition, ['id', 'not in', []]])).toContain('key')
  })

  test('a related and a computed field beside the fields that answer for them', () => {
    expect(named([['next_name', '=', 'x']])).toEqual(['next_name', 'next_id', 'name'])
    expect(named([['thick', '=', true]])).toEqual(['thick', 'pages'])
    expect(named([['sequel_id.pages', '>', 1]])).toEqual(['sequel_id', 'next_id', 'pages'])
    expect(named([['author_ids', '=?', null]])).toEqual(['author_ids'])
  })
})

describe('variables', () => {
  const variables = new Map<string, unknown>([
    ['user.id', 7],
    ['company_ids', [1, 2]],
  ])
  const bind = (domain: readonly unknown[]) => bindVariables(domain, variables)

  test('stand for their value, written as object or as text', () => {
    expect(bind([['user_id', '=', { var: 'user.id' }]])).toEqual([['user_id', '=', 7]])
    expect(bind(['|', ['user_id', '=', 'user.id'], ['name', '=', 'user']])).toEqual([
      '|',
      ['user_id', '=', 7],
      ['name', '=', 'user'],
    ])
    expect(bind([['company_id', 'in', 'company_ids']])).toEqual([['company_id', 'in', [1, 2]]])
  })

  test('a list spreads inside a list', () => {
    expect(bind([['company_id', 'in', [{ var: 'company_ids' }, null]]])).toEqual([['company_id', 'in', [1, 2, null]]])
  })

  test('are bound inside any, but never in paths', () => {
    expect(bind([['company_ids', 'any', [['user.id', '=', 'user.id']]]])).toEqual([
      ['company_ids', 'any', [['user.id', '=', 7]]],
    ])
  })

  test('an unknown variable is refused', () => {
    expect(refusal(() => bind([['a', '=', { var: 'user.password' }]])).code).toBe('BAD_REQUEST')
    expect(refusal(() => bind([['a', 'in', [{ var: {} }]]])).code).toBe('BAD_REQUEST')
  })
})

describe('a domain written as text', () => {
  test.each<[string, unknown]>([
    ['[]', []],
    [
      '[["a", "=", 1.5e1], "&", ["b.c", "in", [true, null, "x\\u0041\\n"]]]',
      [['a', '=', 15], '&', ['b.c', 'in', [true, null, 'xA\n']]],
    ],
    ["['|', ('a', '!=', False), ('b', '=', None,),]", ['|', ['a', '!=', false], ['b', '=', null]]],
    [
      "[('user_id', '=', user.id), ('company_id', 'in', company_ids)]",
      [
        ['user_id', '=', { var: 'user.id' }],
        ['company_id', 'in', { var: 'company_ids' }],
      ],
    ],
    ['[["user_id", "=", {"var": "user.id"}]]', [['user_id', '=', { var: 'user.id' }]]],
    ["[('a', 'in', (1, -2, .5))]", [['a', 'in', [1, -2, 0.5]]]],
    ["[('a', '=', (1)), ()]", [['a', '=', 1], []]],
    ["[('it\\'s', 'ilike', \"\\\\ \\x41\")]", [["it's", 'ilike', '\\ A']]],
  ])('%s', (text, domain) => {
    expect(parseDomainText(text)).toEqual(domain)
  })

  test.each<[string, number]>([
    ['', 0],
    ['   ', 3],
    ['name', 0],
    ['[1', 2],
    ['[1 2]', 3],
    ['[1,,2]', 3],
    ['[)', 1],
    ["['a]", 1],
    ["['\\q']", 1],
    ['[1] x', 4],
    ['[{"a": 1}]', 1],
    ['[{1}]', 1],
    ['[1e999]', 1],
    ['[a.]', 2],
    ["['a\nb']", 1],
    ['[lambda: 1]', 7],
    ['['.repeat(40), 33],
  ])('%s is refused at its position', (text, position) => {
    const error = refusal(() => parseDomainText(text))
    expect(error.code).toBe('BAD_REQUEST')
    expect(error.details).toMatchObject({ position })
  })

  test('takes time in proportion to its length, however it is built', async () => {
    const longest = LIMITS.textChars - 4
    for (const piece of ["'", '"\\', '[', '(', '1e', 'a.', '\\', '-', '{', "'a',"]) {
      const text = `[${piece.repeat(Math.floor(longest / piece.length))}`
      await expectCpuBelow(100, () => refusal(() => parseDomainText(text)))
    }
    refusal(() => parseDomainText('x'.repeat(LIMITS.textChars + 1)))
  })
})
