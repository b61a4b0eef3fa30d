import { afterAll, beforeAll, expect, test } from 'vitest'
import { bootstrapOf } from '../../kernel/shell/bootstrap.ts'
import type { WireMenu } from '../../kernel/view/wire.ts'
import { openPeople, type People } from '../support/people.ts'
import { SCREENS } from '../web/shot-screens.mjs'

let people: People
beforeAll(async () => {
  people = await openPeople(['contacts', 'product', 'sale', 'crm', 'project'])
})
afterAll(() => people.leave())

const below = (menus: readonly WireMenu[]): readonly WireMenu[] =>
  menus.flatMap((menu) => [menu, ...below(menu.children)])

test('every menu that `npm run shots` opens is one of an administrator', async () => {
  const { topMenus } = await people.as('admin', (env) => bootstrapOf(env, { csrfToken: '', query: {} }))
  const places = topMenus.flatMap((app) =>
    below(app.children)
      .filter(({ href }) => href !== null)
      .map(({ name }) => `${app.name} / ${name}`),
  )
  const opened = Object.values(SCREENS).flatMap(({ menu }) => (menu ? [menu.join(' / ')] : []))
  expect(opened.length).toBeGreaterThan(30)
  expect(opened.filter((place) => !places.includes(place))).toEqual([])
})
