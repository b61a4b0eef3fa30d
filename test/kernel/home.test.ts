import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineModel, field, type HomeParts } from '#kernel'
import { bundledAddons } from '../../addons/index.ts'
import { LUCIDE_ICONS } from '../../addons/web/client/ui/icon-names.ts'
import { createResetLink } from '../../kernel/auth/reset.ts'
import type { Env } from '../../kernel/env.ts'
import { compileRegistry, RegistryError } from '../../kernel/model/compile-registry.ts'
import { activateModule, deactivateModule } from '../../kernel/module/activate.ts'
import { navigationOf } from '../../kernel/navigation/menu.ts'
import { homeOf } from '../../kernel/shell/home.ts'
import { openPeople, type People } from '../support/people.ts'

let people: People

beforeAll(async () => {
  people = await openPeople(['crm', 'project'])
  await people.hire('seller', ['base.group_user', 'sale.group_user'])
})
afterAll(() => people.leave())

async function home(env: Env) {
  const views = await env.views()
  return homeOf(env, views, navigationOf(env, views))
}

const shownTo = async (login: string) => {
  const { figures, activities } = await people.as(login, home)
  return [figures.map(({ label }) => label), activities.map(({ model }) => model)]
}

describe('the home page', () => {
  test('shows each user the figures and activities of the records they may read', async () => {
    expect(await shownTo('admin')).toEqual([
      ['Orders this month', 'Won this month', 'New opportunities', 'Tasks finished'],
      ['crm.activity', 'project.task'],
    ])
    expect(await shownTo('seller')).toEqual([['Orders this month'], []])
    expect(await shownTo('ann')).toEqual([[], []])
  })

  test('has labels in the language of the user, and queries only for the records of the user', async () => {
    const { figures, activities } = await people.as('admin', (env) =>
      home({ ...env, t: env.registry.translatorIn('de') }),
    )
    expect(figures[0]).toMatchObject({
      module: 'sale',
      label: 'Aufträge diesen Monat',
      model: 'sale.order',
      measure: { name: 'amount_untaxed', type: 'monetary', currencyField: 'currency_id' },
      date: 'confirmed_at',
      href: expect.stringMatching(/^\/web\?action=\d+&menu_id=\d+$/),
    })
    const me = await people.as('admin', async (env) => env.user.id)
    expect(activities[0]!.domain).toEqual([
      ['date_done', '=', null],
      ['user_id', 'in', [me]],
      ['date_deadline', '!=', null],
    ])
  })

  test('has only domains that the service accepts from the user', async () => {
    for (const login of ['admin', 'seller', 'demo@example.com']) {
      await people.as(login, async (env) => {
        const { figures, activities } = await home(env)
        for (const { model, domain } of [...figures, ...activities]) {
          await env.model(model as 'core.partner').count(domain as never)
        }
      })
    }
    const mine = await people.as('demo@example.com', async (env) => {
      const { activities } = await home(env)
      return Promise.all(
        activities.map(({ model, domain }) => env.model(model as 'core.partner').count(domain as never)),
      )
    })
    expect(mine.every((count) => count > 3)).toBe(true)
  })

  test('ticks off that contacts were added by contacts, not by users and companies, who have one each', async () => {
    const found = () =>
      people.as('admin', async (env) => {
        const { done } = (await home(env)).steps.find(({ label }) => label === 'Add contacts')!
        return typeof done === 'boolean' ? Number.NaN : env.model('core.partner').count(done.domain as never)
      })
    const before = await found()
    const id = await people.hire('invited')
    await people.asSystem(async (env) => {
      await env.model('core.company').create({ name: 'Branch', currency_id: 1 })
      await env.model('core.user').write([id], { active: false })
    })
    expect(await found()).toBe(before)
    await people.as('admin', (env) => env.model('core.partner').create({ name: 'A customer' }))
    expect(await found()).toBe(before + 1)
  })

  test('ticks off the invitation of people by people who are no examples, and by an example who was invited', async () => {
    const found = () =>
      people.as('admin', async (env) => {
        const { done } = (await home(env)).steps.find(({ label }) => label === 'Invite people')!
        return typeof done === 'boolean' ? Number.NaN : env.model('core.user').count(done.domain as never)
      })
    const before = await found()
    const [example] = await people.asSystem((env) => env.model('core.user').search([['login', '=', 'mia@example.com']]))
    expect(await people.asSystem((env) => env.model('core.user').count([]))).toBeGreaterThan(before)
    await people.hire('colleague')
    expect(await found()).toBe(before + 1)
    await people.asSystem((env) => createResetLink(env, example!))
    expect(await found()).toBe(before + 1)
    await people.asSystem((env) => createResetLink(env, example!, { isInvitation: true }))
    expect(await found()).toBe(before + 2)
  })

  test('leaves out parts of a module that is switched off', async () => {
    const { services, catalogue } = people.modules
    await deactivateModule(services, catalogue, 'crm')
    expect(await shownTo('admin')).toEqual([['Orders this month', 'Tasks finished'], ['project.task']])
    await activateModule(services, catalogue, 'crm')
    expect((await shownTo('admin'))[1]).toContain('crm.activity')
  })
})

describe('what an addon puts there', () => {
  test('has icons that the client has', () => {
    const used = bundledAddons
      .flatMap(({ home }) => home.activities ?? [])
      .flatMap(({ icon }) => (typeof icon === 'string' ? [icon] : Object.values(icon.icons)))
    expect(used.length).toBeGreaterThan(3)
    expect(used.filter((icon) => !LUCIDE_ICONS.some((name) => name === icon))).toEqual([])
  })

  const user = defineModel('core.user', { label: 'User', fields: { name: field.char() } })
  const house = defineModel('town.house' as 'core.partner', {
    label: 'House',
    fields: { name: field.char(), price: field.float(), sold_on: field.date(), owner_id: field.many2one('core.user') },
  })

  function problemsOf(home: HomeParts): readonly string[] {
    try {
      compileRegistry([{ name: 'town', models: [user, house], behaviors: [], home }])
      return []
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error
      return error.problems
    }
  }
  const figure = { label: 'Sold', model: 'town.house', measure: 'price', date: 'sold_on', action: 'sold' }
  const duty = { model: 'town.house', title: 'name', date: 'sold_on', user: 'owner_id', icon: 'house', action: 'sold' }

  test('fits the models', () => {
    expect(problemsOf({ figures: [figure], activities: [{ ...duty, about: 'owner_id' }] })).toEqual([])
  })

  test.each<[HomeParts, string]>([
    [{ figures: [{ ...figure, model: 'town.tree' }] }, 'town: the home page shows unknown model town.tree'],
    [{ figures: [{ ...figure, date: 'bought_on' }] }, 'town: the home page shows unknown field town.house.bought_on'],
    [{ figures: [{ ...figure, date: 'price' }] }, 'town: the home page needs town.house.price to be a stored date'],
    [{ figures: [{ ...figure, measure: 'name' }] }, 'town: the home page needs town.house.name to be a stored number'],
    [{ activities: [{ ...duty, user: 'name' }] }, 'town: the home page needs town.house.name to be a link to users'],
    [
      { activities: [{ ...duty, about: 'price' }] },
      'town: the home page needs town.house.price to be a link to one record',
    ],
    [
      { activities: [{ ...duty, domain: [['hue.name', '=', 1]] }] },
      'town: the home page asks for unknown field town.house.hue',
    ],
  ])('is refused by name where it does not: %#', (home, problem) => {
    expect(problemsOf(home)).toEqual([problem])
  })
})
