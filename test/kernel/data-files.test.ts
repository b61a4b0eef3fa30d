import { describe, expect, test } from 'vitest'
import { defineModel, type FieldsOf, field } from '#kernel'
import { type PrepareContext, prepareRecords } from '../../kernel/data/prepare.ts'
import { readFiles } from '../../kernel/data/read.ts'
import { parseXml, XML_LIMITS } from '../../kernel/data/xml-document.ts'
import { compileRegistry } from '../../kernel/model/compile-registry.ts'
import { expectCpuBelow } from '../support/cpu-time.ts'

const crate = defineModel('data.crate', {
  label: 'Crate',
  fields: {
    name: field.char({ required: true, size: 10 }),
    size: field.integer(),
    open: field.boolean(),
    extra: field.json(),
    packed_on: field.date(),
    sent_at: field.datetime(),
    parent_id: field.many2one('data.crate'),
    label_ids: field.many2many('data.label'),
    line_ids: field.one2many('data.crate', 'parent_id'),
  },
})

const label = defineModel('data.label', { label: 'Label', fields: { name: field.char() } })

declare module '#kernel' {
  interface Models {
    'data.crate': FieldsOf<typeof crate>
    'data.label': FieldsOf<typeof label>
  }
}

const registry = compileRegistry([{ name: 'depot', models: [crate, label], behaviors: [], jobs: {} }])
const context: PrepareContext = {
  registry,
  module: 'depot',
  now: new Date('2026-03-15T12:00:00Z'),
  modelOfKnown: (xmlid) => ({ 'base.red': 'data.label', 'base.user': 'core.user' })[xmlid],
}

const file = (name: string, text: string) => ({ name, text })

/** Values of the records of one file, with ids counted from 100. */
function valuesOf(name: string, text: string) {
  const { records, problems } = readFiles('depot', [file(name, text)])
  const checked = prepareRecords(context, records)
  expect([...problems, ...checked.problems]).toEqual([])
  const ids = new Map(checked.prepared.map((record, i) => [record.source.xmlid, 100 + i]))
  return checked.prepared.map((record) => record.values((xmlid) => ids.get(xmlid) ?? 7))
}

/** Every mistake of one file, as `line: reason`. */
function problemsOf(name: string, text: string): string[] {
  const { records, problems } = readFiles('depot', [file(name, text)])
  const found = [...problems, ...prepareRecords(context, records).problems]
  return found.toSorted((a, b) => a.line - b.line).map(({ line, reason }) => `${line}: ${reason}`)
}

describe('an XML data file', () => {
  test('gives records with text, references and JSON, converted by field', () => {
    const text = `<data>
      <record id="big" model="data.crate">
        <field name="name"> Big </field>
        <field name="size">12</field>
        <field name="open">true</field>
        <field name="extra" eval='{"a": [1, null]}'/>
        <field name="packed_on">2026-01-31</field>
        <field name="label_ids" ref="base.red"/>
        <field name="line_ids" eval='[[0, 0, {"name": "inner", "label_ids": [[6, 0, [{"ref": "base.red"}]]]}]]'/>
      </record>
      <record id="small" model="data.crate">
        <field name="name">Small</field>
        <field name="size"></field>
        <field name="parent_id" ref="big"/>
      </record>
    </data>`
    expect(valuesOf('data/crates.xml', text)).toEqual([
      {
        name: 'Big',
        size: 12,
        open: true,
        extra: { a: [1, null] },
        packed_on: '2026-01-31',
        label_ids: [[6, 0, [7]]],
        line_ids: [[0, 0, { name: 'inner', label_ids: [[6, 0, [7]]] }]],
      },
      { name: 'Small', size: null, parent_id: 100 },
    ])
  })

  test('has short tags for rules, menus, actions and views', () => {
    const { records } = readFiles('depot', [
      file(
        'views/crate.xml',
        `<data noupdate="1">
          <rule id="own" name="Own" model="data.crate" groups="base.a,b" unlink="0">[["id", "=", user.id]]</rule>
          <menu id="menu" name="Depot" parent="base.menu" action="crates" sequence="5"/>
          <action id="crates" name="Crates" model="data.crate" view_modes="list">Nothing here.</action>
          <data noupdate="0"><view id="list" name="list" model="data.crate" type="list" inherit="base.v"><list><field name="name"/></list></view></data>
        </data>`,
      ),
    ])
    const plain = records.map(({ xmlid, model, noupdate, fields }) => [
      xmlid,
      model,
      noupdate,
      Object.fromEntries([...fields].map(([name, { value }]) => [name, 'text' in value ? value.text : value])),
    ])
    expect(plain).toEqual([
      [
        'depot.own',
        'sys.rule',
        true,
        { name: 'Own', model: 'data.crate', group_ids: 'base.a,b', perm_unlink: '0', domain: '[["id", "=", user.id]]' },
      ],
      ['depot.menu', 'sys.menu', true, { name: 'Depot', parent_id: 'base.menu', action_id: 'crates', sequence: '5' }],
      [
        'depot.crates',
        'sys.action',
        true,
        { name: 'Crates', model: 'data.crate', view_modes: 'list', help: 'Nothing here.' },
      ],
      [
        'depot.list',
        'sys.view',
        false,
        {
          name: 'list',
          model: 'data.crate',
          type: 'list',
          inherit_id: 'base.v',
          arch: '<list><field name="name"/></list>',
        },
      ],
    ])
  })

  test('tells every mistake with its line', () => {
    const text = `<data>
      <record id="a" model="data.nothing"/>
      <record id="b" model="data.crate">
        <field name="nothing">x</field>
        <field name="size">many</field>
        <field name="name">much too long a name</field>
        <field name="open">perhaps</field>
        <field name="packed_on">2026-02-31</field>
        <field name="parent_id" ref="later"/>
        <field name="label_ids" ref="base.user"/>
        <field name="extra" eval="{"/>
      </record>
      <record id="later" model="data.crate"><field name="parent_id">text</field></record>
      <record id="b" model="data.crate"/>
      <record model="data.crate"/>
      <record id="other.x" model="data.crate"/>
      <strange/>
    </data>`.replace('"{"', "'{'")
    expect(problemsOf('data/x.xml', text)).toEqual([
      '2: There is no model data.nothing.',
      '4: data.crate depot.b, nothing: There is no such field.',
      '5: data.crate depot.b, size: "many" is not a number.',
      '6: data.crate depot.b, name: Must be at most 10 characters.',
      '7: data.crate depot.b, open: "perhaps" is neither true nor false.',
      '8: data.crate depot.b, packed_on: Must be a date like 2026-01-31.',
      '9: data.crate depot.b, parent_id: depot.later is not known, or defined only later.',
      '10: data.crate depot.b, label_ids: base.user is a record of core.user, not of data.label.',
      '11: eval of extra is not JSON.',
      '13: data.crate depot.later, parent_id: Links to records, so it takes ref="…" instead of text.',
      '14: depot.b is defined twice.',
      '15: <record> needs an id made of letters, digits and _.',
      '16: other.x does not belong to this module.',
      '17: Unknown element <strange>.',
    ])
  })

  test.each([
    ['<data>\n<record></data>', /^2: .*mismatch/],
    ['<data>\n\n&nbsp;</data>', /^1: .*entity/],
    ['<records/>', /^1: The root element must be <data>/],
    ['', /^1: /],
  ])('%j is refused with a reason', (text, reason) => {
    const [first, ...rest] = problemsOf('data/x.xml', text)
    expect(first).toMatch(reason)
    expect(rest).toEqual([])
  })
})

describe('a CSV data file', () => {
  test('of access lines is known by its header', () => {
    const { records, problems } = readFiles('depot', [
      file(
        'security/access.csv',
        'id,model,group,read,write,create,unlink\na,data.crate,base.g,1,0,0,0\nb,data.crate,,1,1,1,1\n',
      ),
    ])
    expect(problems).toEqual([])
    expect(records.map(({ xmlid, line, fields }) => [xmlid, line, [...fields.keys()]])).toEqual([
      ['depot.a', 2, ['name', 'model', 'group_id', 'perm_read', 'perm_write', 'perm_create', 'perm_unlink']],
      ['depot.b', 3, ['name', 'model', 'perm_read', 'perm_write', 'perm_create', 'perm_unlink']],
    ])
  })

  test('of records is named after its model; quotes, blank lines and empty cells are understood', () => {
    const text = 'id,name,size,label_ids/id,parent_id/id\nx,"A, ""b""",3,"base.red,l",\n\ny,"two\nlines",,,x\n'
    const labels = file('data/data.label.csv', 'id,name\nl,Label\n')
    const { records } = readFiles('depot', [labels, file('data/data.crate.csv', text)])
    const { prepared, problems } = prepareRecords(context, records)
    expect(problems).toEqual([])
    expect(prepared.map(({ source, values }) => [source.line, values(() => 7)])).toEqual([
      [2, { name: 'Label' }],
      [2, { name: 'A, "b"', size: 3, label_ids: [[6, 0, [7, 7]]] }],
      [4, { name: 'two\nlines', parent_id: 7 }],
    ])
  })

  test('may name alternatives for a link: the first that is known counts', () => {
    const labels = 'id,name,label_ids/id\na,A,base.blue|base.red\nb,B,"base.red|base.blue,base.red"\n'
    expect(valuesOf('data/data.crate.csv', labels)).toEqual([
      { name: 'A', label_ids: [[6, 0, [7]]] },
      { name: 'B', label_ids: [[6, 0, [7, 7]]] },
    ])
    expect(
      problemsOf('data/data.crate.csv', 'id,name,label_ids/id\na,A,base.blue|base.green\nb,B,base.red|\n'),
    ).toEqual([
      '2: data.crate depot.a, label_ids: base.green is not known, or defined only later.',
      '3: data.crate depot.b, label_ids: "base.red|" is not an external id.',
    ])
  })

  test('has the lines of a record in its row and in the rows below it', () => {
    const text = `id,name,line_ids/name,line_ids/label_ids/id
big,Big,One,base.red
,,Two,
small,Small,,
`
    expect(valuesOf('data/data.crate.csv', text)).toEqual([
      {
        name: 'Big',
        line_ids: [
          [0, 0, { name: 'One', label_ids: [[6, 0, [7]]] }],
          [0, 0, { name: 'Two' }],
        ],
      },
      { name: 'Small' },
    ])
    const wrong = 'id,name,line_ids/size,label_ids/name\na,A,1,\n,,two,\n,,3,x\n,loose,1,\n'
    expect(problemsOf('data/data.crate.csv', wrong)).toEqual([
      '3: data.crate depot.a, line_ids/size: "two" is not a number.',
      '4: data.crate depot.a, label_ids: Has no lines.',
      '5: The id must be made of letters, digits and _.',
    ])
  })

  test('may date its records relative to the day of loading', () => {
    const text = `id,name,packed_on,sent_at
a,A,today,now
b,B,-14d,-14d 09:30
c,C,+1m,-3h
d,D,2026-01-31,2026-01-31T08:00:00Z
`
    expect(valuesOf('data/data.crate.csv', text)).toEqual([
      { name: 'A', packed_on: '2026-03-15', sent_at: '2026-03-15T12:00:00.000Z' },
      { name: 'B', packed_on: '2026-03-01', sent_at: '2026-03-01T09:30:00Z' },
      { name: 'C', packed_on: '2026-04-15', sent_at: '2026-03-15T09:00:00.000Z' },
      { name: 'D', packed_on: '2026-01-31', sent_at: '2026-01-31T08:00:00.000Z' },
    ])
    expect(problemsOf('data/data.crate.csv', 'id,packed_on,sent_at\na,-3h,-7d\nb,soon,-7d 25:00\n')).toEqual([
      '2: data.crate depot.a, packed_on: Must be a date like 2026-01-31.',
      '2: data.crate depot.a, sent_at: Must be a time like 2026-01-31T12:00:00Z.',
      '3: data.crate depot.b, packed_on: Must be a date like 2026-01-31.',
      '3: data.crate depot.b, sent_at: Must be a time like 2026-01-31T12:00:00Z.',
    ])
  })

  test('tells every mistake with its line', () => {
    expect(problemsOf('data/data.crate.csv', 'id,name,size\na,"x\ny",1\nb,Name\n,Name,2\nc,Name,one\n')).toEqual([
      '4: Has 2 cells, the header has 3.',
      '5: The id must be made of letters, digits and _.',
      '6: data.crate depot.c, size: "one" is not a number.',
    ])
    expect(problemsOf('data/crates.csv', 'id,name\n')).toEqual([
      '1: The header must be id,model,group,read,write,create,unlink, or the file be named after a model.',
    ])
    expect(problemsOf('data/data.crate.csv', 'name\n')).toEqual(['1: There is no column id.'])
    expect(problemsOf('data/readme.txt', '')).toEqual(['1: Data files end in .csv or .xml.'])
  })
})

describe('XML bombs', () => {
  const many = (count: number, text: (i: number) => string) => Array.from({ length: count }, (_, i) => text(i)).join('')

  test.each([
    ['a document type', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'],
    ['too many bytes', `<a>${' '.repeat(XML_LIMITS.bytes)}</a>`],
    ['too many elements', `<a>${'<b/>'.repeat(XML_LIMITS.nodes)}</a>`],
    ['too deep', `${'<a>'.repeat(80)}${'</a>'.repeat(80)}`],
    ['very deep', `${'<a>'.repeat(4_000)}${'</a>'.repeat(4_000)}`],
    ['too many attributes', `<a ${many(100, (i) => `b${i}="" `)}/>`],
    ['attributes without end', `<a ${many(9_000, (i) => `b${i}="" `)}/>`],
    ['open brackets', `<a>${'<'.repeat(200_000)}</a>`],
  ])('%s is refused quickly', async (_name, text) => {
    expect(parseXml(text)).toHaveProperty('problems')
    await expectCpuBelow(200, () => parseXml(text))
  })
})
