import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseArch } from '../../kernel/view/arch/parse-arch.ts'
import { type EditNode, editNodes, isText, toEditTree, VIEW_BUDGET } from '../../kernel/view/inherit/edit-tree.ts'
import { parseXPath, XPATH_LIMITS, XPathError } from '../../kernel/view/inherit/xpath.ts'
import { findFirst } from '../../kernel/view/inherit/xpath-find.ts'

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
    ['//field[0]', null],
  ])('%s', (expr, id) => {
    expect(find(FORM, expr)?.attrs.get('id') ?? null).toBe(id)
  })
})

describe('an expression outside the subset is refused by name', () => {
  test.each([
    '',
    '//',
    '//field[',
    '//field[]',
    "//field[@name='a'",
    "//field[name='a']",
    '//field[count(a)>1]',
    '//field[position()=1]',
    "//field[@a='x' or @b='y']",
    '//field|//group',
    'id("x")',
    '//a/b/c/d/e/f/g/h/i',
    '//a//b//c//d',
    'ancestor::group',
    '//field/text()',
    '//.',
    '//field[//field]',
    '//a[not(@b)]',
    'a b',
    `//a${'x'.repeat(XPATH_LIMITS.chars)}`,
    `//a${'[@x]'.repeat(40)}`,
    `//a[@x${' and @x'.repeat(40)}]`,
  ])('%s', (expr) => {
    expect(() => parseXPath(expr)).toThrow(XPathError)
    expect(() => parseXPath(expr)).toThrow(`"${expr.slice(0, 200)}"`)
  })
})

describe('the cost of an expression', () => {
  /** Work of one search. */
  const costOf = (root: EditNode, expr: string): number => {
    const budget = { left: VIEW_BUDGET }
    findFirst(parseXPath(expr), root, budget)
    return VIEW_BUDGET - budget.left
  }

  test.each([
    ['nested as deep as allowed', `${'<a>'.repeat(64)}${'</a>'.repeat(64)}`, 64],
    ['as many siblings as allowed', `<a>${'<a/>'.repeat(4_999)}</a>`, 5_000],
    ['a comb', `${'<a><b/>'.repeat(60)}${'</a>'.repeat(60)}`, 120],
  ])('grows with steps times nodes, not with their power: %s', (_what, text, nodes) => {
    const root = treeOf(text)
    const steps = 8
    for (const expr of [
      '//a//a//a',
      '//*//*//*/*/*/*/*/*',
      "//a[@x and @y][hasclass('z')]",
      '//a[last()]//a[last()]//a[1]',
    ]) {
      expect(costOf(root, expr)).toBeLessThanOrEqual(6 * (steps + 1) * (nodes + 1))
    }
  })

  test('text of any kind is parsed or refused', () => {
    const piece = fc.constantFrom(
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
      '1',
      'last()',
      "hasclass('x')",
      '(',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = pieces.join('')
        try {
          const { steps } = parseXPath(text)
          expect(steps.length).toBeGreaterThan(0)
          expect(steps.length).toBeLessThanOrEqual(XPATH_LIMITS.steps)
        } catch (error) {
          expect(error).toBeInstanceOf(XPathError)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('against a search written down plainly', () => {
  interface Shape {
    readonly tag: string
    readonly name: string
    readonly children: readonly Shape[]
  }
  const shape = (depth: number): fc.Arbitrary<Shape> =>
    fc.record({
      tag: fc.constantFrom('a', 'b'),
      name: fc.constantFrom('x', 'y'),
      children: depth === 0 ? fc.constant([]) : fc.array(shape(depth - 1), { maxLength: 3 }),
    })
  const xml = ({ tag, name, children }: Shape): string =>
    `<${tag} name="${name}">${children.map(xml).join('')}</${tag}>`
  const step = fc.record({
    deep: fc.boolean(),
    tag: fc.constantFrom('a', 'b', '*'),
    name: fc.option(fc.constantFrom('x', 'y')),
    position: fc.option(fc.constantFrom('1', '2', 'last()')),
  })

  /** XPath 1.0 by the letter: per node of the context, children by test, then each predicate in turn. */
  const plainly = (
    root: EditNode,
    steps: readonly { deep: boolean; tag: string; name: string | null; position: string | null }[],
  ) => {
    const document: EditNode = { ...root, tag: '', children: [root] }
    let context = [document]
    for (const { deep, tag, name, position } of steps) {
      const from = deep ? context.flatMap((node) => [...editNodes(node)]) : context
      context = from.flatMap((node) => {
        let found = node.children.filter(
          (child): child is EditNode => !isText(child) && (tag === '*' || child.tag === tag),
        )
        if (name !== null) found = found.filter((child) => child.attrs.get('name') === name)
        if (position === null) return found
        const at = position === 'last()' ? found.length : Number(position)
        return found.slice(at - 1, at).filter(() => at > 0)
      })
    }
    return [...editNodes(root)].find((node) => context.includes(node)) ?? null
  }

  test('both find the same node', () => {
    fc.assert(
      fc.property(shape(4), fc.array(step, { minLength: 1, maxLength: 3 }), (tree, steps) => {
        const root = treeOf(xml(tree))
        const expr = steps
          .map(({ deep, tag, name, position }) =>
            [
              deep ? '//' : '/',
              tag,
              name === null ? '' : `[@name='${name}']`,
              position === null ? '' : `[${position}]`,
            ].join(''),
          )
          .join('')
        expect(find(root, expr)).toBe(plainly(root, steps))
      }),
      { numRuns: 1_000 },
    )
  })
})
