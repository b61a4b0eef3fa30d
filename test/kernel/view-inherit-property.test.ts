import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ArchNode } from '../../kernel/view/arch/arch.ts'
import { parseArch, parseSpecs, VIEW_LIMITS } from '../../kernel/view/arch/parse-arch.ts'
import { measure, toEditTree, VIEW_BUDGET } from '../../kernel/view/inherit/edit-tree.ts'
import { extendArch } from '../../kernel/view/inherit/inherit.ts'
import { XPATH_LIMITS } from '../../kernel/view/inherit/xpath.ts'
import { archText } from '../support/arch-text.ts'
import { repeats } from '../support/soak.ts'

const RUNS = { numRuns: repeats(150, 20_000) }

const read = (parse: typeof parseArch, text: string, addon: string): ArchNode => {
  const parsed = parse(text, { addon, viewId: 1 })
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems))
  return freeze(parsed.root)
}

/** A view is shared by every request of the process: whoever changes it throws here. */
function freeze(node: ArchNode): ArchNode {
  for (const child of node.children) if (typeof child !== 'string') freeze(child)
  Object.freeze(node.attrs)
  Object.freeze(node.children)
  return Object.freeze(node)
}

const view = (text: string) => read(parseArch, text, 'base')
const extend = (root: ArchNode, specs: string) =>
  extendArch(root, read(parseSpecs, specs, 'extra'), { left: VIEW_BUDGET })

/** The view after changes that fit. */
function changed(root: ArchNode, ...specs: readonly string[]): ArchNode {
  return specs.reduce((tree, spec) => {
    const extended = extend(tree, spec)
    if (extended.root === null) throw new Error(`${spec}: ${JSON.stringify(extended.problems)}`)
    return freeze(extended.root)
  }, root)
}

const nodesOf = (node: ArchNode): readonly ArchNode[] => [
  node,
  ...node.children.flatMap((child) => (typeof child === 'string' ? [] : nodesOf(child))),
]
const childrenOf = (node: ArchNode) => node.children.filter((child): child is ArchNode => typeof child !== 'string')

interface Shape {
  readonly kind: 'group' | 'field'
  readonly label: string
  readonly children: readonly Shape[]
}
const shape = (depth: number): fc.Arbitrary<Shape> =>
  fc.record({
    kind: fc.constantFrom('group' as const, 'field' as const),
    label: fc.constantFrom('', 'Label'),
    children: depth === 0 ? fc.constant([]) : fc.array(shape(depth - 1), { maxLength: 3 }),
  })

/** A form whose elements have names of their own, so that an XPath expression matches one place. */
const form = fc.array(shape(3), { minLength: 2, maxLength: 4 }).map((shapes) => {
  let count = 0
  const text = ({ kind, label, children }: Shape): string => {
    const name = `${kind[0]}${++count}`
    return `<${kind} name="${name}"${label && ` string="${label}"`}>${children.map(text).join('')}</${kind}>`
  }
  return view(`<form>${shapes.map(text).join('')}</form>`)
})

/** Positions in a list of any length. */
const index = fc.nat(1_000)
const pick = (nodes: readonly ArchNode[], at: number): ArchNode => nodes[at % nodes.length]!
const named = (root: ArchNode) => nodesOf(root).slice(1)
const at = (node: ArchNode, rest: string) => `<${node.tag} name="${node.attrs['name']}" ${rest}`
const around = (node: ArchNode, position: string, inside: string) =>
  `${at(node, `position="${position}">`)}${inside}</${node.tag}>`

const contains = (node: ArchNode, other: ArchNode) => nodesOf(node).includes(other)

describe('a change and its inverse give the view as it was', () => {
  test('inserted elements are removed again', () => {
    fc.assert(
      fc.property(form, index, fc.constantFrom('before', 'after', 'inside'), (root, n, position) => {
        const put = around(pick(named(root), n), position, '<field name="new"/>')
        expect(archText(changed(root, put, '<field name="new" position="replace"/>'))).toBe(archText(root))
      }),
      RUNS,
    )
  })

  test('wrapped elements are unwrapped again', () => {
    fc.assert(
      fc.property(form, index, (root, n) => {
        const node = pick(named(root), n)
        const unwrap = `<div name="new" position="replace">${at(node, 'position="move"/>')}</div>`
        expect(archText(changed(root, around(node, 'replace', '<div name="new">$0</div>'), unwrap))).toBe(
          archText(root),
        )
      }),
      RUNS,
    )
  })

  test('moved elements are moved back', () => {
    fc.assert(
      fc.property(form, index, index, (root, n, m) => {
        const parents = nodesOf(root).filter((node) => childrenOf(node).length > 1)
        const siblings = childrenOf(pick(parents, n))
        const moved = siblings[0]!
        const target = pick(
          named(root).filter((node) => !contains(moved, node)),
          m,
        )
        const there = around(target, 'after', at(moved, 'position="move"/>'))
        const back = around(siblings[1]!, 'before', at(moved, 'position="move"/>'))
        expect(archText(changed(root, there, back))).toBe(archText(root))
      }),
      RUNS,
    )
  })

  test.each([
    ['groups', 'x.a', ','],
    ['class', 'wide', ' '],
    ['invisible', "state == 'done'", 'or'],
    ['readonly', 'not active', 'and'],
    ['decoration-info', 'a &lt; 3', 'or'],
  ])('what is added to %s is removed', (name, value, separator) => {
    const change = (node: ArchNode, how: string) =>
      around(node, 'attributes', `<attribute name="${name}" ${how}="${value}" separator="${separator}"/>`)
    fc.assert(
      fc.property(form, index, (root, n) => {
        const node = pick(named(root), n)
        expect(archText(changed(root, change(node, 'add'), change(node, 'remove')))).toBe(archText(root))
      }),
      { numRuns: 50 },
    )
  })
})

describe('changes of different places', () => {
  type Change = (node: ArchNode, name: string) => string
  const harmless: readonly Change[] = [
    (node, name) => around(node, 'before', `<field name="${name}"/>`),
    (node, name) => around(node, 'after', `<field name="${name}"/>`),
    (node, name) => around(node, 'inside', `<field name="${name}"/>`),
    (node, name) => around(node, 'attributes', `<attribute name="string">${name}</attribute>`),
    (node, name) => `<xpath expr="//*[@name='${node.attrs['name']}']" position="after"><p name="${name}"/></xpath>`,
  ]
  const removing: Change = (node, name) => around(node, 'replace', `<p name="${name}"/>`)
  const change = fc.constantFrom(...harmless, removing)

  test('give the same view in either order, and every node knows whose it is', () => {
    fc.assert(
      fc.property(form, index, index, change, change, (root, n, m, one, two) => {
        const first = pick(named(root), n)
        const second = pick(named(root), m)
        fc.pre(!contains(first, second) && !contains(second, first))
        const specs = [one(first, 'new1'), two(second, 'new2')] as const
        const result = changed(root, ...specs)
        expect(archText(changed(root, ...specs.toReversed()))).toBe(archText(result))
        const together = changed(root, specs.join(''))
        expect(archText(together)).toBe(archText(result))
        for (const node of nodesOf(result)) {
          expect(node.addon).toBe(node.attrs['name']?.startsWith('new') ? 'extra' : 'base')
        }
      }),
      RUNS,
    )
  })
})

describe('changes of any kind', () => {
  const attribute = fc.oneof(
    fc.tuple(
      fc.constant('position'),
      fc.constantFrom('before', 'after', 'inside', 'replace', 'attributes', 'move', 'sideways', ''),
    ),
    fc.tuple(fc.constant('name'), fc.constantFrom('g1', 'f1', 'f2', 'g2', 'invisible', 'class', 'zz', '')),
    fc.tuple(
      fc.constant('expr'),
      fc.constantFrom('/form', '//field', '//group', '//*[2]', '..', '//f[', '', '//a//b//c//d', '//field[last()]/..'),
    ),
    fc.tuple(fc.constant('mode'), fc.constantFrom('inner', 'outer', 'other')),
    fc.tuple(fc.constantFrom('add', 'remove', 'separator'), fc.constantFrom('x', 'or', 'and', ',', ' ', '')),
  )
  const spec = (depth: number): fc.Arbitrary<string> =>
    fc
      .tuple(
        fc.constantFrom('xpath', 'field', 'group', 'form', 'data', 'attribute', 'div'),
        fc.uniqueArray(attribute, { selector: ([name]) => name, maxLength: 4 }),
        depth === 0
          ? fc.constantFrom('', 'text', '$0', '$0$0')
          : fc
              .array(fc.oneof(spec(depth - 1), fc.constantFrom('', 'text', '$0')), { maxLength: 3 })
              .map((all) => all.join('')),
      )
      .map(
        ([tag, attributes, inside]) =>
          `<${[tag, ...attributes.map(([name, value]) => `${name}="${value}"`)].join(' ')}>${inside}</${tag}>`,
      )

  test('are made or reported with a reason, never thrown, and the view they start from stays as it is', () => {
    fc.assert(
      fc.property(form, fc.array(spec(2), { minLength: 1, maxLength: 4 }), (root, specs) => {
        const before = archText(root)
        const extended = extend(root, `<data>${specs.join('')}</data>`)
        expect(archText(root)).toBe(before)
        if (extended.root === null) {
          expect(extended.problems.length).toBeGreaterThan(0)
          for (const { expr, reason } of extended.problems)
            expect([expr.length > 0, reason.endsWith('.')]).toEqual([true, true])
          return
        }
        const { nodes, depth, chars } = measure(toEditTree(extended.root, { left: VIEW_BUDGET }))
        expect(nodes <= VIEW_LIMITS.nodes && depth <= VIEW_LIMITS.depth && chars <= VIEW_LIMITS.bytes).toBe(true)
        expect(nodesOf(extended.root).every(({ addon }) => addon === 'base' || addon === 'extra')).toBe(true)
      }),
      RUNS,
    )
  })
})

describe('a view at its caps is read, one beyond them is refused with the reason', () => {
  const reasons = (text: string): readonly string[] => {
    const parsed = parseArch(text, { addon: 'base', viewId: 1 })
    return 'problems' in parsed ? parsed.problems.map(({ reason }) => reason) : []
  }
  const nested = (depth: number) => `${'<g>'.repeat(depth)}${'</g>'.repeat(depth)}`
  const siblings = (count: number) => `<form>${'<p/>'.repeat(count - 1)}</form>`
  const attributes = (count: number) => `<form ${Array.from({ length: count }, (_, i) => `a${i}="1"`).join(' ')}/>`
  const ofSize = (bytes: number) => `<form>${'x'.repeat(bytes - 13)}</form>`

  test.each([
    ['size', ofSize, VIEW_LIMITS.bytes, 'Is larger than 128 KB.'],
    ['elements', siblings, VIEW_LIMITS.nodes, 'Has more than 2000 elements.'],
    ['depth', nested, VIEW_LIMITS.depth, /64 levels/],
    ['attributes', attributes, VIEW_LIMITS.attributes, 'Has more than 64 attributes in one element.'],
  ] as const)('%s', (_what, make, limit, reason) => {
    expect(reasons(make(limit))).toEqual([])
    for (const far of [limit + 1, limit * 5]) {
      expect(reasons(make(far))).toEqual([expect.stringMatching(reason)])
    }
  })

  test.each([
    ['equal signs in a value', `<form a="${'=='.repeat(5_000)}"/>`],
    ['a value that looks like attributes', `<form a='${'b="1" '.repeat(500)}'/>`],
    ['tags in a comment', `<form><!--${'<g a="1">'.repeat(2_000)}--></form>`],
    ['tags in a text', `<form><![CDATA[${'<g>'.repeat(2_000)}]]></form>`],
  ])('%s are not counted', (_what, text) => {
    expect(reasons(text)).toEqual([])
  })

  test('attributes behind a value with a greater-than sign are counted, with the line', () => {
    const many = Array.from({ length: VIEW_LIMITS.attributes }, (_, i) => `a${i}="1"`).join(' ')
    const parsed = parseArch(`<form>\n<p b=">" ${many}/></form>`, { addon: 'base', viewId: 1 })
    expect(parsed).toEqual({ problems: [{ line: 2, reason: 'Has more than 64 attributes in one element.' }] })
  })

  test('size is counted in bytes, not in letters', () => {
    expect(reasons(`<form>${'ä'.repeat(VIEW_LIMITS.bytes / 2)}</form>`)).toEqual(['Is larger than 128 KB.'])
  })

  test.each([
    ['entities', '<!DOCTYPE form [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><form>&b;</form>'],
    ['a file', '<!DOCTYPE form [<!ENTITY a SYSTEM "file:///etc/passwd">]><form>&a;</form>'],
  ])('a document type with %s', (_what, text) => {
    expect(reasons(text)).toEqual(['A document type is not allowed.'])
  })
})

describe('an extension that asks for too much is reported with the reason', () => {
  const problems = (root: string, specs: string) => extend(view(root), specs).problems.map(({ reason }) => reason)
  const path = (expr: string) => `<xpath expr="${expr}" position="inside"/>`

  test.each([
    ['steps', `/form${'/p'.repeat(XPATH_LIMITS.steps)}`, /more than 8 steps/],
    ['searches at any depth', '//a//b//c//d', /more than 3 "\/\/"/],
    ['parts', `//p[@a${' and @a'.repeat(XPATH_LIMITS.parts)}]`, /more than 64 parts/],
    ['levels of predicates', '//a[b[c[d]]]', /nested deeper than 2 levels/],
    ['characters', `//p[@a='${'x'.repeat(XPATH_LIMITS.chars)}']`, /longer than 1000 characters/],
  ])('%s of an expression', (_what, expr, reason) => {
    expect(problems('<form/>', path(expr))).toEqual([expect.stringMatching(reason)])
  })

  test('work: many expressions over a large view', () => {
    const large = `<form>${'<p/>'.repeat(1_500)}</form>`
    expect(problems(large, path('//form//p//q').repeat(1_000))).toEqual(
      expect.arrayContaining(['Costs too much to apply.']),
    )
  })

  test('work: a view that doubles itself', () => {
    const double = '<xpath expr="/form/g" position="replace"><g>$0$0</g></xpath>'
    expect(problems('<form><g/></form>', double.repeat(60))).toEqual(['Costs too much to apply.'])
  })

  test('size: few copies of one long text', () => {
    const long = `<form><p title="${'x'.repeat(VIEW_LIMITS.bytes - 100)}"/></form>`
    expect(
      problems(
        long,
        '<p position="replace"><div>$0$0</div></p>'.replace('<p', '<xpath expr="//p"').replace('</p>', '</xpath>'),
      ),
    ).toEqual(['makes the view too large or too deep.'])
  })

  test('elements, depth and attributes of the result', () => {
    const many = `<form position="inside">${'<p/>'.repeat(1_500)}</form>`
    expect(problems(`<form>${'<p/>'.repeat(1_500)}</form>`, many)).toEqual(['makes the view too large or too deep.'])
    const deep = '<xpath expr="/form/g" position="replace"><g>$0</g></xpath>'.repeat(VIEW_LIMITS.depth)
    expect(problems('<form><g/></form>', deep)).toEqual(['makes the view too large or too deep.'])
    const attributes = Array.from(
      { length: VIEW_LIMITS.attributes + 1 },
      (_, i) => `<attribute name="a${i}">1</attribute>`,
    )
    expect(problems('<form/>', `<form position="attributes">${attributes.join('')}</form>`)).toEqual([
      'An element has at most 64 attributes.',
    ])
  })
})
