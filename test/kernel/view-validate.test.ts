import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineAddon } from '#kernel'
import { bundledAddons } from '../../addons/index.ts'
import type { Values } from '../../kernel/model/models.ts'
import { installModules, updateModules } from '../../kernel/module/install.ts'
import library from '../support/addons/library/addon.ts'
import { openModules } from '../support/modules.ts'
import { openPeople, type People } from '../support/people.ts'

let people: People

beforeAll(async () => {
  people = await openPeople(['library'])
})
afterAll(() => people.leave())

const VIEW = { name: 'Test', model: 'library.book', type: 'form' } as const
const create = (values: Values<'sys.view'>) =>
  people.as('admin', (env) => env.model('sys.view').create({ ...VIEW, ...values }))

describe('a view that an administrator writes is refused with', () => {
  test.each([
    ['text that is no XML', '<form>', 'Line 1'],
    ['a document type', '<!DOCTYPE form><form/>', 'A document type is not allowed.'],
    ['another root', '<list/>', 'The root of a form view is <form>, not <list>.'],
    ['an unknown field', '<form><field name="salary"/></form>', 'There is no field salary in library.book.'],
    [
      'an unknown field of the lines',
      '<form><field name="line_ids"><list><field name="zz"/></list></field></form>',
      'There is no field zz in library.loan.line.',
    ],
    ['a field without a name', '<form><field/></form>', '<field> needs a name.'],
    ['an unknown element', '<form><script/></form>', 'A form view has no element <script>.'],
    ['an element nothing draws', '<form><widget name="ribbon"/></form>', 'A form view has no element <widget>.'],
    ['a handler of events', '<form onclick="x"/>', 'onclick: a view holds no scripts and styles.'],
    [
      'a view inside a plain field',
      '<form><field name="title"><list/></field></form>',
      'title does not link to records',
    ],
    [
      'an unknown group',
      '<form><field name="title" groups="library.group_ghost"/></form>',
      'There is no group library.group_ghost.',
    ],
    [
      'an unknown object action',
      '<form><button name="action_fly" type="object"/></form>',
      'library.book has no action action_fly.',
    ],
    [
      'an unknown window action',
      '<form><button name="library.nowhere" type="action"/></form>',
      'There is no action library.nowhere.',
    ],
    ['a button of no type', '<form><button name="x"/></form>', 'A button has type="object" or type="action".'],
    [
      'a condition that cannot be read',
      '<form><field name="title" invisible="state =="/></form>',
      'invisible="state ==": Ends where a value is expected.',
    ],
    [
      'a condition over an unknown field',
      '<form><field name="title" readonly="not salary"/></form>',
      'there is no field salary',
    ],
    [
      'a condition over an unknown field of the parent',
      '<form><field name="line_ids"><list><field name="days" invisible="parent.zz"/></list></field></form>',
      'there is no field zz in library.book',
    ],
    [
      'a domain over an unknown field',
      `<form><field name="author_id" domain="[('salary', '=', 1)]"/></form>`,
      'domain: there is no field salary in library.author.',
    ],
    [
      'a context that is no object',
      '<form><field name="author_id" context="[]"/></form>',
      'context must be a JSON object.',
    ],
  ])('%s', async (_what, arch, reason) => {
    await expect(create({ arch })).rejects.toMatchObject({
      code: 'VALIDATION',
      details: { fields: { arch: expect.stringContaining(reason) } },
    })
  })

  test.each([
    ['list', '<list default_order="zz"/>', 'cannot be sorted by "zz"'],
    ['list', '<list default_group_by="zz"/>', 'there is no field zz'],
    ['list', '<list display_type="title"/>', 'title of library.book is no selection with section or note.'],
    ['list', '<list><field name="title" sum="Total"/></list>', 'title has no sum.'],
    ['list', '<list><group/></list>', 'A list view has no element <group>.'],
    ['list', '<list><field name="title" decoration-info="zz"/></list>', 'there is no field zz'],
    ['search', '<search><filter name="x"/></search>', 'Filter x needs a domain, a date or a group_by.'],
    ['search', '<search><filter domain="[]"/></search>', '<filter> needs name.'],
    ['search', '<search><filter name="x" domain="[("/></search>', 'domain:'],
    ['search', '<search><filter name="x" date="title"/></search>', 'title is no date'],
    ['search', '<search><filter name="x" group_by="summary_zz"/></search>', 'cannot be grouped by summary_zz'],
    ['search', '<search><filter name="x" group_by="title:month"/></search>', 'cannot be grouped by month'],
    ['search', '<search><field name="price_with_tax"/></search>', 'price_with_tax cannot be searched.'],
    ['calendar', '<calendar/>', '<calendar> needs date_start.'],
    ['gantt', '<gantt date_start="published_on"/>', '<gantt> needs date_stop.'],
    ['map', '<map latitude="zz" longitude="pages"/>', 'there is no field zz'],
    ['cohort', '<cohort date_start="published_on"/>', '<cohort> needs date_stop.'],
    ['graph', '<graph><field name="cover"/></graph>', 'cannot be grouped by cover'],
    ['pivot', '<pivot><field name="metadata" type="row"/></pivot>', 'cannot be grouped by metadata'],
    ['kanban', '<kanban><progressbar colors="x"/></kanban>', '<progressbar> needs field.'],
  ] as const)('a wrong %s: %s', async (type, arch, reason) => {
    await expect(create({ type, arch })).rejects.toMatchObject({
      details: { fields: { arch: expect.stringContaining(reason) } },
    })
  })

  test('everything that is wrong at once, with its line', async () => {
    const arch = '<form>\n<field name="one"/>\n<field name="two"/>\n</form>'
    await expect(create({ arch })).rejects.toMatchObject({
      details: {
        fields: { arch: expect.stringMatching(/line 2: There is no field one.*\n.*line 3: There is no field two/) },
      },
    })
  })

  test('a change that another view does not find, in the extension or in the view it changes', async () => {
    const base = await create({ arch: '<form><field name="title"/><field name="pages"/></form>' })
    const wrong = create({ arch: '<field name="weight" position="after"/>', inherit_id: base, mode: 'extension' })
    await expect(wrong).rejects.toMatchObject({
      details: { fields: { arch: expect.stringContaining('matches nothing') } },
    })
    await create({
      arch: '<field name="pages" position="after"><field name="weight"/></field>',
      inherit_id: base,
      mode: 'extension',
    })
    const write = people.as('admin', (env) =>
      env.model('sys.view').write([base], { arch: '<form><field name="title"/></form>' }),
    )
    await expect(write).rejects.toMatchObject({
      details: { fields: { arch: expect.stringContaining('<field name="pages">') } },
    })
    await people.as('admin', (env) => env.model('sys.view').unlink([base]))
  })
})

describe('a module whose views are wrong', () => {
  const addon = (version: string, xml: string) =>
    defineAddon({
      name: 'broken_views',
      version,
      summary: 'Wrong on purpose',
      depends: ['library'],
      models: [],
      data: [{ name: 'views.xml', text: `<data>${xml}</data>` }],
    })
  const GOOD = '<view id="v" name="Good" model="library.shelf" type="form"><form><field name="name"/></form></view>'
  const open = (version: string, xml: string) =>
    openModules(people.database.db, [...bundledAddons, library, addon(version, xml)])

  test('is not installed, and all mistakes are named with file, line, view and reason', async () => {
    const { services, catalogue } = open(
      '1.0',
      `<view id="one" name="One" model="library.shelf" type="form"><form><field name="nope"/></form></view>
       <view id="two" name="Two" model="library.shelf" type="list"><list><field name="name" invisible="zz"/></list></view>
       <view id="three" name="Three" model="library.shelf" type="form" inherit="one" mode="extension"><xpath expr="//sheet" position="inside"/></view>`,
    )
    const message = await installModules(services, catalogue, ['broken_views']).then(
      () => '',
      (error: Error) => error.message,
    )
    expect(message.split('\n').slice(1)).toEqual([
      'broken_views/views.xml:3: view broken_views.three, //sheet: matches nothing in the view.',
      'broken_views/views.xml:1: view broken_views.one: There is no field nope in library.shelf.',
      'broken_views/views.xml:2: view broken_views.two: invisible="zz": there is no field zz in library.shelf.',
    ])
    const left = await people.asSystem((env) => env.model('sys.view').search([['module', '=', 'broken_views']]))
    expect(left).toEqual([])
  })

  test('is refused with all its mistakes at once, also those the database finds and those of views, with the lines of the files', async () => {
    const view = `
      <!-- Lines count from the file. -->
      <view id="one" name="One" model="library.shelf" type="form">
        <form>
          <field name="name"
                 string="Name"/>
          <group>
            <field name="noet"/>
          </group>
        </form>
      </view>`
    const access = [
      'id,model,group,read,write,create,unlink',
      'access_one,library.shelf,base.group_usr,1,1,1,1',
      'access_two,library.shelv,base.group_user,1,1,1,1',
      'access_three,library.shelf,base.group_user,maybe,1,1,1',
    ].join('\n')
    const wrong = { ...addon('1.0', view), data: [{ name: 'access.csv', text: access }, ...addon('1.0', view).data] }
    const { services, catalogue } = openModules(people.database.db, [...bundledAddons, library, wrong])
    const message = await installModules(services, catalogue, ['broken_views']).then(
      () => '',
      (error: Error) => error.message,
    )
    expect(message.split('\n').slice(1)).toEqual([
      expect.stringMatching(/^broken_views\/access.csv:2: .*base.group_usr is not known/),
      expect.stringMatching(/^broken_views\/access.csv:3: .*library.shelv/),
      expect.stringMatching(/^broken_views\/access.csv:4: .*perm_read/),
      'broken_views/views.xml:8: view broken_views.one: There is no field noet in library.shelf.',
    ])
  })

  test('is updated all the same when the mistake is one of a user, whose view opens without it', async () => {
    const first = open('1.0', GOOD)
    await installModules(first.services, first.catalogue, ['broken_views'])
    await first.asSystem(async (env) => {
      const [view] = await env.model('sys.view').search([['module', '=', 'broken_views']])
      await env.model('sys.view').create({
        name: 'Mine',
        model: 'library.shelf',
        type: 'form',
        inherit_id: view!,
        mode: 'extension',
        arch: '<field name="name" position="after"><p/></field>',
      })
    })
    const second = open('1.1', GOOD.replace('<field name="name"/>', '<field name="sequence"/>'))
    await updateModules(second.services, second.catalogue, ['broken_views'])
    const tables = await (await second.holder.latest()).views()
    expect(tables.resolve('library.shelf', 'form')?.problems).toEqual([
      expect.stringContaining('<field name="name">: matches nothing in the view.'),
    ])
  })
})

test('the result of a view and its problems come from one load of the views', async () => {
  const id = await create({ arch: '<form><field name="title"/></form>' })
  const { statements } = people.database
  const taken = (fields: readonly ('name' | 'result' | 'problems')[]) =>
    people.as('admin', async (env) => {
      const before = statements.length
      const [view] = await env.model('sys.view').read([id], fields)
      return { view, count: statements.length - before }
    })
  const [one, both] = [await taken(['result']), await taken(['result', 'problems'])]
  expect(both.view).toMatchObject({ result: expect.stringContaining('<field name="title"'), problems: null })
  expect(both.count).toBe(one.count)
  await people.as('admin', (env) => env.model('sys.view').unlink([id]))
})
