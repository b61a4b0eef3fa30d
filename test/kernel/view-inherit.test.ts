import { describe, expect, test } from 'vitest'
import type { ArchNode } from '../../kernel/view/arch/arch.ts'
import { parseArch, parseSpecs } from '../../kernel/view/arch/parse-arch.ts'
import { VIEW_BUDGET } from '../../kernel/view/inherit/edit-tree.ts'
import { extendArch } from '../../kernel/view/inherit/inherit.ts'
import { archText } from '../support/arch-text.ts'

const BASE = { addon: 'base', viewId: 1 }
const EXTRA = { addon: 'extra', viewId: 2 }

const rootOf = (parsed: ReturnType<typeof parseArch>): ArchNode => {
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems))
  return parsed.root
}

/** The view after the changes, as text; or what does not fit. */
function extend(view: string, specs: string): string | readonly string[] {
  const { root, problems } = extendArch(rootOf(parseArch(view, BASE)), rootOf(parseSpecs(specs, EXTRA)), {
    left: VIEW_BUDGET,
  })
  return root === null ? problems.map(({ expr, reason }) => `${expr}: ${reason}`) : archText(root)
}

const FORM = '<form><group name="g"><field name="a"/>text<field name="b" class="x y"/></group><notebook/></form>'

describe('a position', () => {
  test.each([
    [
      'inside, also when none is given',
      '<group name="g"><field name="c"/></group>',
      '<form><group name="g"><field name="a"/>text<field name="b" class="x y"/><field name="c"/></group><notebook/></form>',
    ],
    [
      'before',
      '<field name="b" position="before"><field name="c"/></field>',
      '<form><group name="g"><field name="a"/>text<field name="c"/><field name="b" class="x y"/></group><notebook/></form>',
    ],
    [
      'after, with what stands after the node following',
      '<field name="a" position="after"><field name="c"/><field name="d"/></field>',
      '<form><group name="g"><field name="a"/><field name="c"/><field name="d"/>text<field name="b" class="x y"/></group><notebook/></form>',
    ],
    [
      'replace, and text after the replaced node stays',
      '<field name="a" position="replace"><field name="c"/></field>',
      '<form><group name="g"><field name="c"/>text<field name="b" class="x y"/></group><notebook/></form>',
    ],
    [
      'replace with nothing, which removes',
      '<field name="a" position="replace"/>',
      '<form><group name="g">text<field name="b" class="x y"/></group><notebook/></form>',
    ],
    [
      'replace around $0',
      '<xpath expr="//field[@name=\'b\']" position="replace"><div>$0</div></xpath>',
      '<form><group name="g"><field name="a"/>text<div><field name="b" class="x y"/></div></group><notebook/></form>',
    ],
    [
      'replace of the content alone',
      '<xpath expr="//group" position="replace" mode="inner"><field name="c"/></xpath>',
      '<form><group name="g"><field name="c"/></group><notebook/></form>',
    ],
    [
      'replace of the root',
      '<xpath expr="/form" position="replace"><form create="0">$0</form></xpath>',
      '<form create="0"><form><group name="g"><field name="a"/>text<field name="b" class="x y"/></group><notebook/></form></form>',
    ],
    [
      'move, which takes a node from where it was',
      '<notebook position="inside"><field name="a" position="move"/><page/></notebook>',
      '<form><group name="g">text<field name="b" class="x y"/></group><notebook><field name="a"/><page/></notebook></form>',
    ],
    [
      'replace with a node moved out of what is replaced',
      '<group name="g" position="replace"><field name="b" position="move"/></group>',
      '<form><field name="b" class="x y"/><notebook/></form>',
    ],
    [
      'several changes, each on the result of the one before',
      '<data><notebook position="inside"><page/></notebook><page position="inside"><field name="c"/></page></data>',
      '<form><group name="g"><field name="a"/>text<field name="b" class="x y"/></group><notebook><page><field name="c"/></page></notebook></form>',
    ],
  ])('works: %s', (_what, specs, expected) => {
    expect(extend(FORM, specs)).toBe(expected)
  })
})

describe('attributes', () => {
  const change = (attrs: string, attribute: string) =>
    extend(`<form><field name="a"${attrs}/></form>`, `<field name="a" position="attributes">${attribute}</field>`)
  const result = (attrs: string) => `<form><field name="a"${attrs}/></form>`

  test.each([
    ['are set', '', '<attribute name="string">A</attribute>', ' string="A"'],
    ['are replaced', ' string="B"', '<attribute name="string">A</attribute>', ' string="A"'],
    ['are removed without text', ' string="B"', '<attribute name="string"/>', ''],
    ['gain items of a list', ' groups="a,b"', '<attribute name="groups" add="c"/>', ' groups="a,b,c"'],
    ['lose items of a list', ' groups="a,b"', '<attribute name="groups" add="c" remove="a"/>', ' groups="b,c"'],
    ['separate classes by blanks', ' class="x  y"', '<attribute name="class" add="z" remove="y"/>', ' class="x z"'],
    ['take another separator', ' data="a;b"', '<attribute name="data" add="c" separator=";"/>', ' data="a;b;c"'],
    [
      'join conditions',
      ' invisible="x"',
      '<attribute name="invisible" add="y" separator="or"/>',
      ' invisible="(x) or (y)"',
    ],
    [
      'join conditions by and',
      ' invisible="x"',
      '<attribute name="invisible" add="y" separator="and"/>',
      ' invisible="(x) and (y)"',
    ],
    ['make a condition where there was none', '', '<attribute name="required" add="y"/>', ' required="y"'],
    ['take a condition back', ' invisible="(x) or (y)"', '<attribute name="invisible" remove="y"/>', ' invisible="x"'],
    [
      'take the first condition back',
      ' invisible="(x) or (y)"',
      '<attribute name="invisible" remove="x"/>',
      ' invisible="y"',
    ],
    [
      'take an operand out of a condition without parentheses',
      ' invisible="a and not b and c"',
      '<attribute name="invisible" remove="not b"/>',
      ' invisible="a and c"',
    ],
    [
      'take an operand out however it is spaced and wrapped',
      ' invisible="a || (state == \'x\')"',
      '<attribute name="invisible" remove="state==&quot;x&quot;"/>',
      ' invisible="a"',
    ],
    [
      'take an operand out that two extensions have wrapped',
      ' invisible="((x) or (y)) or (z)"',
      '<attribute name="invisible" remove="y"/>',
      ' invisible="(x) or (z)"',
    ],
    [
      'leave an operand that is not at the top level',
      ' invisible="a or b and c"',
      '<attribute name="invisible" remove="b"/>',
      ' invisible="a or b and c"',
    ],
    [
      'leave a text that only looks like the operand',
      ' invisible="name == \' or (b)\' or c"',
      '<attribute name="invisible" remove="b"/>',
      ' invisible="name == \' or (b)\' or c"',
    ],
    ['take the whole condition back', ' invisible="(a or b)"', '<attribute name="invisible" remove="a or b"/>', ''],
    ['keep their blanks', '', '<attribute name="string">  A  b </attribute>', ' string="  A  b "'],
    ['are removed by an empty line', ' string="B"', '<attribute name="string">\n  </attribute>', ''],
    [
      'join decorations',
      ' decoration-info="x"',
      '<attribute name="decoration-info" add="y"/>',
      ' decoration-info="(x) or (y)"',
    ],
  ])('%s', (_what, before, attribute, after) => {
    expect(change(before, attribute)).toBe(result(after))
  })
})

describe('a change with a mistake in it is an error, never another change', () => {
  const view = '<form><field name="a" groups="x.y"/><group/></form>'
  const attribute = (text: string) => `<field name="a" position="attributes">${text}</field>`

  test.each([
    [attribute('<attribute name="groups" ad="x.z"/>'), '<field name="a">: <attribute> has no attribute "ad".'],
    [
      attribute('<attribute name="groups" separator=","/>'),
      '<field name="a">: A separator needs add or remove (attribute groups).',
    ],
    ['<xpath expr="//field" postion="replace"/>', '//field: <xpath> has no attribute "postion".'],
    [
      '<group position="inside"><field name="a" position="move"><div/></field></group>',
      '<group>: <field name="a">: position="move" takes the element as it is, without content.',
    ],
    [
      '<group position="inside"><field name="a" position="move">text</field></group>',
      '<group>: <field name="a">: position="move" takes the element as it is, without content.',
    ],
  ])('%s', (specs, problem) => {
    expect(extend(view, specs)).toEqual([problem])
  })
})

describe('a locator', () => {
  test('of another tag matches by tag and all attributes but position and mode', () => {
    const view = '<form><div class="a"/><div class="b" id="1"/></form>'
    expect(extend(view, '<div class="b" id="1" position="replace" mode="outer"/>')).toBe(
      '<form><div class="a"/></form>',
    )
  })

  test('of a field looks at the name alone', () => {
    expect(extend('<form><field name="a" widget="x"/></form>', '<field name="a" string="?" position="replace"/>')).toBe(
      '<form/>',
    )
  })

  test('takes the first match in document order', () => {
    const view = '<form><group><div><field name="a"/></div><field name="a" class="late"/></group></form>'
    expect(extend(view, '<xpath expr="//group//field" position="replace"/>')).toBe(
      '<form><group><div/><field name="a" class="late"/></group></form>',
    )
  })
})

describe('what does not fit', () => {
  test('is reported all at once, and nothing is changed', () => {
    const specs = `
      <field name="zz" position="after"/>
      <notebook position="inside"><page/></notebook>
      <xpath expr="//nothing" position="inside"/>
      <xpath expr="//a[count(b)>1" position="inside"/>
      <form position="before"><p/></form>
      <form position="sideways"/>
      <form position="replace"/>
      <notebook position="inside"><form position="move"/></notebook>
      <notebook position="inside"><div><field name="a" position="move"/></div></notebook>
      <field name="a" position="attributes"><attribute name="invisible" add="x" separator=","/></field>
      <field position="inside"/>
      <xpath position="inside"/>
      <field name="b" position="move"/>
      <field name="b" position="replace" mode="inner">$0</field>`
    expect(extend(FORM, specs)).toEqual([
      '<field name="zz">: matches nothing in the view.',
      '//nothing: matches nothing in the view.',
      expect.stringContaining('is not an XPath expression.'),
      '<form>: Nothing can stand beside the root of a view.',
      '<form>: There is no position "sideways".',
      '<form>: The root of a view is replaced by exactly one element.',
      '<notebook>: <form>: cannot be moved into or beside itself.',
      '<notebook>: position="move" stands directly inside another change.',
      '<field name="a">: The separator of condition invisible is "and" or "or".',
      '<field>: <field> needs a name to be located by.',
      '<xpath>: <xpath> needs an expr.',
      '<field name="b">: position="move" stands directly inside another change.',
      '<field name="b">: $0 stands for a replaced node, which mode="inner" keeps.',
    ])
  })

  test('a view that doubles itself is stopped by its budget', () => {
    const bomb = '<xpath expr="/form/g" position="replace"><g>$0$0</g></xpath>'.repeat(60)
    expect(extend('<form><g/></form>', bomb)).toEqual(['<data>: Costs too much to apply.'])
  })

  test('a view that grows too deep is refused', () => {
    const deep = '<xpath expr="/form/g" position="replace"><g>$0</g></xpath>'.repeat(70)
    expect(extend('<form><g/></form>', deep)).toEqual(['<data>: makes the view too large or too deep.'])
  })
})

test('every node knows the addon it came with', () => {
  const { root } = extendArch(
    rootOf(parseArch('<form><field name="a"/></form>', BASE)),
    rootOf(parseSpecs('<field name="a" position="replace"><div>$0</div></field>', EXTRA)),
    { left: VIEW_BUDGET },
  )
  const [div] = root!.children as [ArchNode]
  expect([root!.addon, div.addon, (div.children[0] as ArchNode).addon]).toEqual(['base', 'extra', 'base'])
})
