import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bumpViewEpoch } from '../../kernel/epoch.ts'
import type { Values } from '../../kernel/model/models.ts'
import { activateModule, deactivateModule } from '../../kernel/module/activate.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { archText } from '../support/arch-text.ts'
import { openPeople, type People } from '../support/people.ts'

let people: People

beforeAll(async () => {
  people = await openPeople(['library'])
})
afterAll(() => people.leave())

const tables = () => people.as('admin', (env) => env.views())
const createView = (values: Values<'sys.view'>) =>
  people.as('admin', (env) =>
    env.model('sys.view').create({ name: 'Shelf', model: 'library.shelf', type: 'form', ...values }),
  )
const removeViews = (...ids: number[]) => people.as('admin', (env) => env.model('sys.view').unlink(ids))
const resolve = async (viewId?: number) => (await tables()).resolve('library.shelf', 'form', viewId)!
const textOf = async (viewId?: number) => archText((await resolve(viewId)).root)

describe('the epoch of views', () => {
  test('moves with every change of a view, an action or a menu, and leaves the registry as it is', async () => {
    const { holder } = people.modules
    const first = await holder.latest()
    const id = await createView({ arch: '<form><field name="name"/></form>' })
    const created = await holder.latest()
    await people.as('admin', (env) => env.model('sys.view').write([id], { priority: 3 }))
    const written = await holder.latest()
    await removeViews(id)
    const removed = await holder.latest()
    const action = await people.as('admin', (env) =>
      env.model('sys.action').create({ name: 'Shelves', model: 'library.shelf' }),
    )
    const acted = await holder.latest()
    await people.as('admin', (env) => env.model('sys.menu').create({ name: 'Shelves', action_id: action }))
    const states = [first, created, written, removed, acted, await holder.latest()]
    const epochs = states.map((state) => state.epoch.views)
    expect(epochs).toEqual([...new Set(epochs)].sort((a, b) => a - b))
    expect(new Set(states.map((state) => state.registry))).toHaveProperty('size', 1)
    expect(new Set(states.map((state) => state.access))).toHaveProperty('size', 1)
  })

  test('tables are read in one statement, once for every state', async () => {
    const { holder } = people.modules
    await createView({ arch: '<form/>', priority: 99 }).then(removeViews)
    const state = await holder.latest()
    const before = people.database.statements.length
    const [one, other] = await Promise.all([state.views(), state.views()])
    expect(one).toBe(other)
    expect(await (await holder.latest()).views()).toBe(one)
    const loads = people.database.statements.slice(before).filter((sql) => /from sys_(view|action|menu) t/.test(sql))
    expect(loads).toHaveLength(1)
  })

  test('menus and actions come with their groups and external names, and go while their module is switched off', async () => {
    const { services, catalogue } = people.modules
    const id = await people.asSystem((env) =>
      env
        .model('sys.action')
        .create({ name: 'Books', model: 'library.book', view_modes: 'list,form', module: 'library' }),
    )
    expect((await tables()).actions.get(id)).toMatchObject({
      name: 'Books',
      viewModes: ['list', 'form'],
      limit: 80,
      target: 'current',
      context: {},
      groupIds: [],
    })
    await deactivateModule(services, catalogue, 'library')
    expect((await tables()).actions.has(id)).toBe(false)
    await activateModule(services, catalogue, 'library')
    expect((await tables()).actions.has(id)).toBe(true)
  })
})

describe('the view of a model', () => {
  test('is generated if none is defined', async () => {
    expect(await resolve()).toMatchObject({ viewId: null, root: { tag: 'form' }, problems: [] })
    expect((await tables()).resolve('no.model', 'form')).toBeNull()
    expect((await tables()).resolve('library.shelf', 'calendar')).toBeNull()
  })

  test('is the primary one of the lowest priority, then of the lowest id, unless one is named', async () => {
    const late = await createView({ arch: '<form><field name="name" class="late"/></form>', priority: 20 })
    const early = await createView({ arch: '<form><field name="name" class="early"/></form>', priority: 10 })
    const same = await createView({ arch: '<form><field name="name" class="same"/></form>', priority: 10 })
    expect((await resolve()).viewId).toBe(early)
    expect((await resolve(late)).viewId).toBe(late)
    expect((await resolve(999_999)).viewId).toBe(early)
    await people.as('admin', (env) => env.model('sys.view').write([early], { active: false }))
    expect((await resolve()).viewId).toBe(same)
    await removeViews(late, early, same)
  })

  test('takes extensions depth-first by priority and id, and skips those switched off', async () => {
    const mark = (name: string) => `<form position="inside"><div class="${name}"/></form>`
    const base = await createView({ arch: '<form><field name="name"/></form>' })
    const extension = (name: string, inherit_id: number, priority: number, active = true) =>
      createView({ arch: mark(name), inherit_id, mode: 'extension', priority, active })
    const b = await extension('b', base, 20)
    const a = await extension('a', base, 10)
    const c = await extension('c', base, 20)
    const inA = await extension('a1', a, 50)
    const off = await extension('off', base, 1, false)
    expect(await textOf()).toBe(
      '<form><field name="name"/><div class="a"/><div class="a1"/><div class="b"/><div class="c"/></form>',
    )
    expect((await resolve(inA)).viewId).toBe(base)

    const copy = await createView({
      arch: '<field name="name" position="after"><div class="copy"/></field>',
      inherit_id: base,
      mode: 'primary',
      priority: 90,
    })
    const ofCopy = await extension('only-copy', copy, 1)
    expect(await textOf(copy)).toBe(
      '<form><field name="name"/><div class="copy"/><div class="a"/><div class="a1"/><div class="b"/><div class="c"/><div class="only-copy"/></form>',
    )
    expect(await textOf()).not.toContain('copy')
    await removeViews(ofCopy, copy, off, inA, c, a, b, base)
  })

  test('opens without an extension that does not fit, and reports the problem', async () => {
    const base = await createView({ arch: '<form><field name="name"/><div name="here"/></form>' })
    const arch = '<form position="inside"><p/></form><div name="gone"><p/></div><xpath expr="//zz"/>'
    const [broken] = await people.asSystem((env) =>
      env.model('sys.view').createMany([
        {
          name: 'Broken',
          model: 'library.shelf',
          type: 'form',
          inherit_id: base,
          mode: 'extension',
          module: 'library',
          arch,
        },
      ]),
    )
    const resolved = await resolve()
    expect(archText(resolved.root)).toBe('<form><field name="name"/><div name="here"/></form>')
    expect(resolved.problems).toEqual([
      `library: view "Broken" (${broken}), line 1, <div name="gone">: matches nothing in the view.`,
      `library: view "Broken" (${broken}), line 1, //zz: matches nothing in the view.`,
    ])
    await removeViews(broken!, base)
  })

  test('that cannot be read is replaced by a generated one', async () => {
    const base = await createView({ arch: '<form><field name="name"/></form>' })
    await sql`update sys_view set arch = '<form>' where id = ${base}`.execute(people.database.db)
    await people.asSystem(bumpViewEpoch)
    const resolved = await resolve()
    expect(resolved.viewId).toBeNull()
    expect(resolved.problems[0]).toContain('line 1')
    await removeViews(base)
  })
})

describe('what a view leaves out', () => {
  test('lines of a form get the list of their model, without the link back', async () => {
    const base = await createView({
      arch: '<form><field name="child_ids"/><field name="book_ids"><list/></field></form>',
    })
    const text = await textOf()
    expect(text).toContain('<field name="child_ids"><list><field name="name"/>')
    expect(text).not.toContain('"parent_id"')
    expect(text).toContain('<field name="book_ids"><list/></field>')
    await removeViews(base)
  })

  test('a button that opens an action gets its id', async () => {
    const action = await people.as('admin', (env) =>
      env.model('sys.action').create({ name: 'X', model: 'library.shelf' }),
    )
    await people.asSystem((env) =>
      env.model('sys.xmlid').create({ module: 'library', name: 'open_x', model: 'sys.action', res_id: action }),
    )
    const base = await createView({ arch: '<form><button name="library.open_x" type="action"/></form>' })
    expect(await textOf()).toBe(`<form><button name="${action}" type="action"/></form>`)
    await removeViews(base)
  })
})
