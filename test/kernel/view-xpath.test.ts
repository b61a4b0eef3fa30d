import { DOMParser } from '@xmldom/xmldom'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import xpath from 'xpath'
import { parseArch, VIEW_LIMITS } from '../../kernel/view/arch/parse-arch.ts'
import { BudgetSpent, type EditNode, toEditTree, VIEW_BUDGET } from '../../kernel/view/inherit/edit-tree.ts'
import { parseXPath, XPATH_LIMITS, XPathError } from '../../kernel/view/inherit/xpath.ts'
import { findFirst } from '../../kernel/view/inherit/xpath-find.ts'
import { repeats } from '../support/soak.ts'

const treeOf = (text: string): EditNode => {
  const parsed = parseArch(text, { addon: 'base', viewId: 1 })
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems))
  return toEditTree(parsed.root, { left: VIEW_BUDGET })
}

const find = (root: EditNode, expr: string) => findFirst(parseXPath(expr), root, { left: VIEW_BUDGET })

const FORM = treeOf(`
  <form id="1">
    <header id="2"><button name="go" id="3"/></header>
    <group id="4">
      <field name="a" id="5"/>
      <group id="6" class="wide o_x"><field name="b" id="7"/><field name="a" id="8"/></group>
    </group>
    <field name="c" id="9"><list id="10"><field name="a" id="11"/></list></field>
    <p id="12">Total <b id="13">sum</b></p>
  </form>`)

describe('an expression finds the first match', () => {
  test.each([
    ['//field', '5'],
    ["//field[@name='b']", '7'],
    ['//field[@name="b"]', '7'],
    ["//group/field[@name='a']", '5'],
    ["//group/group/field[@name='a']", '8'],
    ['/form', '1'],
    ['/form/group', '4'],
    ['/*/header/*', '3'],
    ['.', '1'],
    ['group', '4'],
    ['./group/group', '6'],
    [".//field[@name='b']", '7'],
    ["//field[@name='b']/..", '6'],
    ['//list/..', '9'],
    ['//group[2]', null],
    ['//group/field[1]', '5'],
    ['//group/group/field[2]', '8'],
    ['//group/group/field[last()]', '8'],
    ['//group/group/*[last()][@name]', '8'],
    ["//group[hasclass('o_x')]", '6'],
    ["//group[hasclass('wide') and @id='6']", '6'],
    ["//group[hasclass('wid')]", null],
    ['//field[@widget]', null],
    ["//field[@name='a'][2]", null],
    ["//list//field[@name='a']", '11'],
    ['//form', '1'],
    ['..', null],
    ['/', null],
    ['//text()', null],
    ['//@name', null],
    ['//@name/..', '3'],
    ['//field[0]', null],
    ["//group[field[@name='b']]", '6'],
    ['//group[not(group)]', '6'],
    ['(//field)[2]', '7'],
    ['(//field)[last()]', '11'],
    ['(//group/field)[2]/..', '6'],
    ["//field[contains(@name, 'b')]", '7'],
    ["//*[starts-with(@class, 'wide')]", '6'],
    ["//field[@name='b' or @name='c']", '7'],
    ['//group/field[position()=2]', '8'],
    ['//group/*[position()>1]', '6'],
    ["//field[@name='b']/following-sibling::field", '8'],
    ['//field/preceding-sibling::header', '2'],
    ["//field[@name='c']/preceding-sibling::*[1]", '4'],
    ["//field[@name='a']/ancestor::field", '9'],
    ['descendant::list', '10'],
    ['//list | //header', '2'],
    ["//group[hasclass('wide', 'o_x')]", '6'],
    ["//group[hasclass('wide', 'other')]", null],
    ["//*[not(hasclass('wide'))]", '1'],
    ['//*[count(field) = 2]', '6'],
    ["//*[normalize-space(@class) = 'wide o_x']", '6'],
    ["//*[translate(@name, 'c', 'C') = 'C']", '9'],
    ["//*[name() = 'list']", '10'],
    ['//field[string-length(@name) = 1][2]', '8'],
    ["//p[. = 'Total sum']", '12'],
  ])('%s', (expr, id) => {
    expect(find(FORM, expr)?.attrs.get('id') ?? null).toBe(id)
  })
})

describe('an expression that costs too much or is none is refused by name', () => {
  const many = (count: number, part: string, between: string) => Array(count).fill(part).join(between)

  test.each([
    ['', 'is not an XPath expression.'],
    ['//', 'is not an XPath expression.'],
    ['//field[', 'is not an XPath expression.'],
    ['//field[]', 'is not an XPath expression.'],
    ["//field[@name='a'", 'is not an XPath expression.'],
    ['a b', 'is not an XPath expression.'],
    ['//field\0', 'is not an XPath expression.'],
    ['count(//field)', 'gives a value, not an element.'],
    ["'field'", 'gives a value, not an element.'],
    ['//a = //b', 'gives a value, not an element.'],
    ['id("x")', 'has the function id, which is not offered.'],
    ['//a[constructor()]', 'has the function constructor, which is not offered.'],
    ['//a[not()]', 'not() takes 1 arguments.'],
    ["//a[count('x') > 1]", 'count() takes a path.'],
    ["//a | 'x'", '"|" joins paths only.'],
    ["'x'[1]", 'has a step or a predicate after a value.'],
    ['//a[$b]', 'has a variable, and there are none.'],
    ['//x:a', 'has a name with a prefix, and views have no namespaces.'],
    ['//a/following::b', 'has the axis following, which is not offered.'],
    ['//a/preceding::b', 'has the axis preceding, which is not offered.'],
    ['//namespace::a', 'has the axis namespace, which is not offered.'],
    ['//a/b/c/d/e/f/g/h/i', 'has more than 8 steps in a path.'],
    ['(//a/b/c/d/e)/f/g/h/i', 'has more than 8 steps in a path.'],
    ['//a[b/c/d/e/f/g/h/i/j]', 'has more than 8 steps in a path.'],
    ['//a//b//c//d', 'has more than 3 "//".'],
    ['//a[.//b[.//c]]//d', 'has more than 3 "//".'],
    ['descendant::a/descendant::b/descendant-or-self::c/descendant::d', 'has more than 3 "//".'],
    ['//a | //b | //c | //d', 'has more than 3 "//".'],
    ['//a[b[c[d]]]', 'has predicates nested deeper than 2 levels.'],
    ['(//a)[b[(c)[d]]]', 'has predicates nested deeper than 2 levels.'],
    ['//a[not(b[count(c[d]) = 1])]', 'has predicates nested deeper than 2 levels.'],
    [`//a${'x'.repeat(XPATH_LIMITS.chars)}`, 'is longer than 1000 characters.'],
    [`//a${'[@x]'.repeat(80)}`, 'has more than 64 parts.'],
    [`//a[${many(40, '@x', ' and ')}]`, 'has more than 64 parts.'],
    [`//a[${many(200, '1', '+')}]`, 'has more than 64 parts.'],
    [`${'('.repeat(400)}//a${')'.repeat(400)}`, 'has more than 64 parts.'],
    [`//a[${'-'.repeat(900)}1]`, 'has more than 64 parts.'],
  ])('%s', (expr, reason) => {
    expect(() => parseXPath(expr)).toThrow(XPathError)
    expect(() => parseXPath(expr)).toThrow(reason)
  })
})

describe('the cost of an expression', () => {
  const wide = treeOf(`<a>${'<a/>'.repeat(VIEW_LIMITS.nodes - 1)}</a>`)
  const deep = treeOf(`${'<a>'.repeat(64)}${'</a>'.repeat(64)}`)
  const comb = treeOf(`${`<a>${'<b/>'.repeat(31)}`.repeat(62)}${'</a>'.repeat(62)}`)
  const attributes = treeOf(
    `<a>${`<a ${Array.from({ length: 60 }, (_, i) => `a${i}=""`).join(' ')}/>`.repeat(250)}</a>`,
  )
  const text = treeOf(`<a t="${' '.repeat(100_000)}x">${'<a/>'.repeat(1_900)}</a>`)

  test.each([
    ['every element at each element', wide, '//a[//a]'],
    ['every element at each element, twice', wide, '//a[//a[//a]]'],
    ['up and down again', wide, '//*/..//*/..//*'],
    ['up and down a ladder', deep, '//a/ancestor::*//a/ancestor::*//a'],
    ['each element below each element', comb, '//*//*//*'],
    ['siblings of siblings', wide, '//a/following-sibling::a/preceding-sibling::a'],
    ['siblings of siblings in a condition', wide, '//a[following-sibling::a[last()]]'],
    ['counting at each element', wide, '//a[count(../a) > 3]'],
    ['comparing each text with each text', comb, '//*[. = //*]'],
    ['each attribute with each attribute', attributes, '//*[@* = ../*/@*]'],
    ['a set of all attributes', attributes, '(//@*)[last()]'],
    ['a long text at each element', text, "//a[translate(/a/@t, ' ', '') = 'y']"],
    ['the text of the view at each element', text, "//a[contains(/, 'yy')]"],
  ])('%s is stopped by the budget', (_what, root, expr) => {
    expect(() => find(root, expr)).toThrow(BudgetSpent)
  })

  test('a search through the largest view takes a tenth of its budget at most', () => {
    for (const root of [wide, comb, text]) {
      for (const expr of ['//a', '/a/a', "//a[@name='x']", '(//a)[last()]']) {
        const budget = { left: VIEW_BUDGET }
        findFirst(parseXPath(expr), root, budget)
        expect(VIEW_BUDGET - budget.left).toBeLessThan(VIEW_BUDGET / 10)
      }
    }
  })

  test('text of any kind is parsed or refused', () => {
    const piece = fc.constantFrom(
      ...[
        '/',
        '//',
        '.',
        '..',
        '*',
        'a',
        '[',
        ']',
        '@b',
        "='x'",
        ' and ',
        ' or ',
        '1',
        'last()',
        "hasclass('x')",
        '(',
        ')',
        ' ',
      ],
      ...['|', '$a', 'a:b', 'self::', 'not(', 'count(', ',', '-', "'", 'text()', 'following::', 'a::'],
    )
    const small = treeOf('<a b="x"><a/>text<b/></a>')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        try {
          find(small, pieces.join(''))
        } catch (error) {
          expect(error).toBeInstanceOf(XPathError)
        }
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('against the package on a document of its own', () => {
  interface Shape {
    readonly tag: string
    readonly name: string
    readonly children: readonly (Shape | string)[]
  }
  const shape = (depth: number): fc.Arbitrary<Shape> =>
    fc.record({
      tag: fc.constantFrom('a', 'b'),
      name: fc.constantFrom('x', 'y', 'xy'),
      children:
        depth === 0
          ? fc.constant([])
          : fc.array(fc.oneof({ weight: 4, arbitrary: shape(depth - 1) }, fc.constantFrom('x', 'y')), { maxLength: 3 }),
    })

  const axis = fc.constantFrom(
    '',
    'descendant::',
    'self::',
    'following-sibling::',
    'preceding-sibling::',
    'ancestor::',
    'ancestor-or-self::',
    'parent::',
  )
  const nodeTest = fc.constantFrom('a', 'b', '*', 'node()')
  const inner = fc.oneof(
    fc.constantFrom(
      '@name',
      'a',
      '*',
      '..',
      'text()',
      'following-sibling::*',
      'last()',
      '1',
      '2',
      'position() = 2',
      'position() < last()',
    ),
    fc.constantFrom(
      "@name = 'x'",
      "contains(@name, 'y')",
      "starts-with(@name, 'x')",
      "substring(@name, 2) = 'y'",
      'count(*) > 1',
    ),
    fc.constantFrom(
      ". = 'x'",
      'string-length(.) > 1',
      "name() = 'a'",
      '@name = ../@name',
      "concat(@name, name()) = 'xa'",
    ),
  )
  const combined = (base: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc.oneof(
      base,
      base.map((one) => `not(${one})`),
      fc.tuple(base, fc.constantFrom(' and ', ' or '), base).map((parts) => parts.join('')),
    )
  const nested = fc
    .tuple(axis, nodeTest, combined(inner))
    .map(([along, node, condition]) => `${along}${node}[${condition}]`)
  const predicate = combined(fc.oneof(inner, nested)).map((condition) => `[${condition}]`)
  const step = fc
    .tuple(axis, nodeTest, fc.array(predicate, { maxLength: 2 }))
    .map(([along, node, all]) => `${along}${node}${all.join('')}`)
  const path = fc
    .tuple(fc.constantFrom('', '/', '//'), step, fc.array(fc.tuple(fc.constantFrom('/', '//'), step), { maxLength: 2 }))
    .map(([start, first, rest]) => [start, first, ...rest.flat()].join(''))
  const expression = fc.oneof(
    path,
    fc.tuple(path, predicate).map(([inside, condition]) => `(${inside})${condition}`),
    fc.tuple(path, path).map((paths) => paths.join(' | ')),
  )

  /** Null: refused, or too much work for the budget. */
  const answer = (expr: string, source: string): { readonly id: string | null } | null => {
    try {
      return { id: find(treeOf(source), expr)?.attrs.get('id') ?? null }
    } catch (error) {
      if (error instanceof XPathError || error instanceof BudgetSpent) return null
      throw error
    }
  }

  test('both find the same element first', () => {
    let compared = 0
    let found = 0
    fc.assert(
      fc.property(shape(3), expression, (tree, expr) => {
        let id = 0
        const xml = (node: Shape | string): string =>
          typeof node === 'string'
            ? node
            : `<${node.tag} name="${node.name}" id="${++id}">${node.children.map(xml).join('')}</${node.tag}>`
        const source = xml(tree)
        const ours = answer(expr, source)
        if (ours === null) return
        compared++
        const document = new DOMParser().parseFromString(source, 'text/xml')
        // The package is written against the DOM of browsers, which xmldom follows without sharing its types.
        const matches = xpath.select(expr, document.documentElement as unknown as Node)
        const first = [matches].flat().find((node) => Object(node).nodeType === 1)
        if (first !== undefined) found++
        expect(ours.id).toBe(first === undefined ? null : Object(first).getAttribute('id'))
      }),
      { numRuns: repeats(1_000, 50_000) },
    )
    expect([compared > 700, found > 50]).toEqual([true, true])
  })
})
