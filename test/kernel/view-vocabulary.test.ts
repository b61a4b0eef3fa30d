import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineAddon, defineViewKind } from '#kernel'
import { bundledAddons } from '../../addons/index.ts'
import type { Values } from '../../kernel/model/models.ts'
import type { Addon } from '../../kernel/module/addon.ts'
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

const chart = defineViewKind({
  name: 'podium',
  label: 'Podium',
  elements: ['field', 'step'],
  required: ['score'],
  fieldAttributes: ['score'],
  attributes: { podium: ['height'], step: ['rank'] },
  content: 'records',
})

const addonOf = (xml: string, more: Partial<Addon> = {}) =>
  defineAddon({
    name: 'spelling',
    version: '1.0',
    summary: 'Words in views',
    depends: ['library'],
    models: [],
    data: [{ name: 'views.xml', text: `<data>${xml}</data>` }],
    ...more,
  })
const open = (...addons: Addon[]) => openModules(people.database.db, [...bundledAddons, library, ...addons])
const install = async (addon: Addon): Promise<string> => {
  const { services, catalogue } = open(addon)
  return installModules(services, catalogue, [addon.name]).then(
    () => '',
    (error: Error) => error.message,
  )
}

describe('a view is refused with an attribute or a widget that nothing knows', () => {
  test.each([
    [
      'form',
      '<form><field name="title" invisble="1" group="base.group_system"/></form>',
      [
        '<field> has no attribute "invisble" in a form view. Did you mean "invisible"?',
        '<field> has no attribute "group" in a form view. Did you mean "groups"?',
      ],
    ],
    ['form', '<form><field name="title" placehoder="x"/></form>', ['Did you mean "placeholder"?']],
    [
      'form',
      '<form><field name="state" widget="bagde"/></form>',
      ['There is no widget "bagde". Did you mean "badge"?'],
    ],
    ['form', '<form><field name="title" zzzzzz="x"/></form>', ['has no attribute "zzzzzz" in a form view.']],
    ['form', '<form><button name="action_publish" type="object" confrim="Sure?"/></form>', ['"confirm"']],
    ['form', '<form><notebook><page strng="A"/></notebook></form>', ['<page> has no attribute "strng"']],
    ['form', '<form><p clas="muted"/></form>', ['<p> has no attribute "clas"']],
    ['form', '<form><field name="line_ids"><list editible="top"/></field></form>', ['Did you mean "editable"?']],
    ['list', '<list><field name="title" optinal="hide"/></list>', ['Did you mean "optional"?']],
    ['list', '<list decoration-dangr="pages"/>', ['Did you mean "decoration-danger"?']],
    ['kanban', '<kanban default_groupby="state"/>', ['Did you mean "default_group_by"?']],
    ['graph', '<graph><field name="pages" typ="measure"/></graph>', ['Did you mean "type"?']],
    ['pivot', '<pivot><field name="state" intreval="month"/></pivot>', ['Did you mean "interval"?']],
    ['calendar', '<calendar date_start="published_on" colour="state"/>', ['Did you mean "color"?']],
    ['search', '<search><filter name="x" domain="[]" groupby="state"/></search>', ['Did you mean "group_by"?']],
  ] as const)('%s: %s', async (type, arch, reasons) => {
    const refused = create({ type, arch })
    for (const reason of reasons)
      await expect(refused).rejects.toMatchObject({ details: { fields: { arch: expect.stringContaining(reason) } } })
  })

  test('also where an extension gives it to an element of another view', async () => {
    const base = await create({ arch: '<form><field name="title"/></form>' })
    const extension = { inherit_id: base, mode: 'extension' } as const
    const change =
      '<field name="title" position="attributes"><attribute name="group">base.group_system</attribute></field>'
    await expect(create({ ...extension, arch: change })).rejects.toMatchObject({
      details: { fields: { arch: expect.stringContaining('Did you mean "groups"?') } },
    })
    await expect(create({ ...extension, arch: '<field name="title" positon="replace"/>' })).rejects.toMatchObject({
      details: { fields: { arch: expect.stringContaining('Did you mean "position"?') } },
    })
    await people.as('admin', (env) => env.model('sys.view').unlink([base]))
  })
})

const MISSPELT =
  '<view id="v" name="V" model="library.shelf" type="form"><form><field name="name" group="base.group_system"/></form></view>'

test('an addon is not installed with a misspelt attribute, nor with a widget it does not declare', async () => {
  expect(await install(addonOf(MISSPELT))).toContain('<field> has no attribute "group" in a form view.')
  const stars =
    '<view id="v" name="V" model="library.shelf" type="form"><form><field name="name" widget="stars"/></form></view>'
  expect(await install(addonOf(stars))).toContain('There is no widget "stars".')
  const podium = `<view id="p" name="P" model="library.book" type="podium">
    <podium score="pages" height="3" colour="red"><step rank="1" size="2"/></podium></view>`
  const message = await install(addonOf(`${stars}${podium}`, { widgets: ['stars'], viewKinds: [chart] }))
  expect(message.match(/<\w+> has no attribute "\w+"/g)).toEqual([
    '<podium> has no attribute "colour"',
    '<step> has no attribute "size"',
  ])
})

test('a stored view with an unknown attribute is shown and listed as wrong, but blocks no other change', async () => {
  const good = addonOf(MISSPELT.replace('group=', 'groups='))
  expect(await install(good)).toBe('')
  const id = await people.asSystem(async (env) => {
    const [view] = await env.model('sys.view').search([['module', '=', 'spelling']])
    // As an earlier program let it be stored.
    await env.model('sys.view').write([view!], { arch: '<form><field name="name" group="base.group_system"/></form>' })
    return view!
  })
  const other = defineAddon({ name: 'other', version: '1.0', summary: 'Other', depends: ['spelling'], models: [] })
  const { services, catalogue, holder } = open(good, other)
  await installModules(services, catalogue, ['other'])
  await updateModules(services, catalogue, ['library'])
  const shown = (await (await holder.latest()).views()).resolve('library.shelf', 'form')
  expect(shown).toMatchObject({ viewId: id, root: { children: [{ attrs: { name: 'name' } }] } })
  const [listed] = await open(good, other).asSystem((env) => env.model('sys.view').read([id], ['problems']))
  expect(listed?.problems).toContain('Did you mean "groups"?')
})

test('an administrator can extend a stored view with an unknown attribute, but not save that view', async () => {
  const arch = '<form><field name="title" group="base.group_system"/></form>'
  const base = await people.asSystem((env) => env.model('sys.view').create({ ...VIEW, arch }))
  await create({
    inherit_id: base,
    mode: 'extension',
    arch: '<field name="title" position="after"><field name="pages"/></field>',
  })
  const write = people.as('admin', (env) => env.model('sys.view').write([base], { arch: `${arch} ` }))
  await expect(write).rejects.toMatchObject({ details: { fields: { arch: expect.stringContaining('"groups"') } } })
})
