import { afterAll, beforeAll, expect, test } from 'vitest'
import { activateModule, deactivateModule } from '../../kernel/module/activate.ts'
import { menuOf, navigationOf } from '../../kernel/navigation/menu.ts'
import { type Sql, sql } from '../../kernel/sql/sql.ts'
import type { WireMenu } from '../../kernel/view/wire.ts'
import { furnishLibrary, type LibraryViews } from '../support/library-views.ts'
import { openPeople, type People } from '../support/people.ts'

let people: People
let views: LibraryViews

beforeAll(async () => {
  people = await openPeople(['library'])
  views = await furnishLibrary(people.modules)
  await people.hire('rita', ['library.group_user'])
  await people.hire('lisa', ['library.group_librarian', 'base.group_system'])
  await people.hire('gus', ['base.group_user'])
})
afterAll(() => people.leave())

const navigation = (login: string) =>
  people.as(login, async (env) => {
    const tables = await env.views()
    return tables.memo(env, 'menus', () => navigationOf(env, tables))
  })

/** Names, headings in brackets, two blanks a level. */
const outline = (menus: readonly WireMenu[], depth = 0): readonly string[] =>
  menus.flatMap((menu) => [
    '  '.repeat(depth) + (menu.href === null ? `[${menu.name}]` : menu.name),
    ...outline(menu.children, depth + 1),
  ])

const library = async (login: string) =>
  outline((await navigation(login)).roots.filter(({ id }) => id === views.menus.library))

test('a user sees the menus of their groups whose records they may read, in their order', async () => {
  expect(await library('lisa')).toEqual([
    'Library',
    '  [Stock]',
    '    Books',
    '    Authors',
    '  Office',
    '  [Empty]',
    '    Rules',
  ])
  expect(await library('rita')).toEqual(['Library', '  [Stock]', '    Books', '    Authors'])
})

test('a heading or application without entries is hidden', async () => {
  expect(await library('gus')).toEqual([])
  const { apps, trails } = await navigation('gus')
  expect(apps.map(({ menuId }) => menuId)).not.toContain(views.menus.library)
  expect(trails.has(views.menus.stock)).toBe(false)
})

test('an application opens what its first menu opens', async () => {
  const { apps } = await navigation('rita')
  expect(apps.find(({ menuId }) => menuId === views.menus.library)).toEqual({
    module: '',
    name: 'Library',
    summary: '',
    menuId: views.menus.library,
    href: `/web?action=${views.actions.books}&menu_id=${views.menus.books}`,
  })
})

test('a page belongs to the menu in its address, otherwise to the first menu with its action', async () => {
  const { actions, menus } = views
  const seen = await navigation('rita')
  expect(menuOf(seen, menus.authors, actions.books)).toBe(menus.authors)
  expect(menuOf(seen, undefined, actions.books)).toBe(menus.books)
  expect(menuOf(seen, menus.office, actions.books)).toBe(menus.books)
  expect(menuOf(seen, undefined, 0)).toBe(null)
  expect(seen.trails.get(menus.books)?.map(({ name }) => name)).toEqual(['Library', 'Stock', 'Books'])
})

test('a menu says which records it opens; a heading opens none', async () => {
  const { trails } = await navigation('rita')
  expect(trails.get(views.menus.books)?.at(-1)).toMatchObject({ model: 'library.book' })
  expect(trails.get(views.menus.stock)?.at(-1)).not.toHaveProperty('model')
})

/** Changes rows behind the model's back, then lets every process notice. */
const meddle = (change: Sql<unknown>) =>
  people.asSystem(async (env) => {
    await change.execute(env.tx)
    await env.model('sys.menu').create({ name: 'Unreachable' })
  })

test('menus whose parents form a cycle are left out', async () => {
  const [first, second] = await people.asSystem((env) =>
    env.model('sys.menu').createMany([{ name: 'Snake', action_id: views.actions.books }, { name: 'Tail' }]),
  )
  await meddle(sql`update sys_menu set parent_id = ${first! + second!}::int - id where id in (${first}, ${second})`)
  expect((await navigation('rita')).trails.has(first!)).toBe(false)
  expect(await library('rita')).toHaveLength(4)
})

test('switching a module off hides its menus, and switching it on shows them again', async () => {
  const { services, catalogue } = people.modules
  await meddle(sql`update sys_menu set module = 'library' where id = ${views.menus.library}`)
  await deactivateModule(services, catalogue, 'library')
  expect(await library('lisa')).toEqual([])
  await activateModule(services, catalogue, 'library')
  expect(await library('lisa')).toHaveLength(7)
  expect((await navigation('lisa')).apps.find(({ name }) => name === 'Library')).toMatchObject({
    module: 'library',
    summary: expect.stringContaining('Books and loans'),
  })
})

test('menus cached for one set of groups are not shown to another, and are dropped when access changes', async () => {
  await library('lisa')
  await people.hire('nina', ['library.group_user'])
  expect(await library('nina')).toHaveLength(4)
  await people.asSystem(async (env) => {
    const lines = await env.model('sys.access').search([['model', '=', 'library.author']])
    await env.model('sys.access').write(lines, { active: false })
  })
  expect(await library('nina')).toEqual(['Library', '  [Stock]', '    Books'])
})
