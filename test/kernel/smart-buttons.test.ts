import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Domain, ModelName } from '../../kernel/index.ts'
import type { ArchNode } from '../../kernel/view/arch/arch.ts'
import { openPeople, type People } from '../support/people.ts'

/** The figure on a button of a form is what the list has that the button opens, for whoever presses it. */

let people: People

beforeAll(async () => {
  people = await openPeople(['crm', 'project'])
})
afterAll(() => people.leave())

interface SmartButton {
  readonly model: ModelName
  readonly action: string
  readonly field: string
}

const nodesIn = (node: ArchNode): readonly ArchNode[] => [
  node,
  ...node.children.flatMap((child) => (typeof child === 'string' ? [] : nodesIn(child))),
]

/** The buttons with a figure in the forms of all addons. */
const smartButtons = (): Promise<readonly SmartButton[]> =>
  people.asSystem(async (env) => {
    const views = await env.views()
    const models = [
      ...new Set([...views.views.values()].filter(({ type }) => type === 'form').map(({ model }) => model)),
    ]
    return models.flatMap((model) => {
      const root = views.resolve(model, 'form')?.root
      const buttons = root === undefined ? [] : nodesIn(root).filter(({ tag }) => tag === 'button')
      return buttons.flatMap((button) =>
        nodesIn(button)
          .filter(({ attrs }) => attrs['widget'] === 'statinfo')
          .map(({ attrs }) => ({
            model: model as ModelName,
            action: button.attrs['name']!,
            field: attrs['name']!,
          })),
      )
    })
  })

/** What a list adds up: its records, or the measure that the address names, in each currency where it is an amount. */
interface Opened {
  readonly model: ModelName
  readonly domain: Domain<ModelName>
  readonly measure: string | null
  readonly id: number | null
}

function readAddress(redirect: string): Opened {
  const url = new URL(redirect, 'http://host')
  const state = new URLSearchParams(url.hash.slice(1))
  expect(url.searchParams.get('q'), 'text finds records of others, too').toBeNull()
  const where = JSON.parse(state.get('where') ?? '[]') as readonly [string, Domain<ModelName>][]
  return {
    model: url.searchParams.get('model') as ModelName,
    domain: where.flatMap(([, domain]) => [...domain]) as Domain<ModelName>,
    measure: state.get('measure'),
    id: Number(url.searchParams.get('id')) || null,
  }
}

/** Records that are looked at: enough to have some with much behind them. */
const SAMPLE = 40

test.each(['demo@example.com', 'tomas@example.com'])('every figure is what its list has, as %s', async (login) => {
  const buttons = await smartButtons()
  expect(buttons.map(({ action }) => action).toSorted()).toEqual([
    'action_view_lead',
    'action_view_leads',
    'action_view_orders',
    'action_view_partner_orders',
    'action_view_quotations',
    'action_view_sale_orders',
    'action_view_sales',
    'action_view_tasks',
  ])
  for (const { model, action, field } of buttons)
    await people.as(login, async (env) => {
      const rows = (await env.model(model).searchRead([], [field as never], { limit: SAMPLE })) as readonly {
        readonly id: number
      }[]
      let [lists, filled] = [0, 0]
      for (const row of rows) {
        const shown = (row as unknown as Record<string, unknown>)[field]
        if (shown === null) continue
        const result = await env.model(model).call([row.id], action)
        if (result === true) throw new Error(`${action} opens nothing`)
        const opened = readAddress(result.redirect)
        // The only record opens itself.
        const domain = opened.id === null ? opened.domain : ([['id', '=', opened.id]] as unknown as Domain<ModelName>)
        if (Array.isArray(shown)) expect([action, opened.id]).toEqual([action, shown[0]])
        else if (field === 'ordered_amounts') continue
        else if (opened.measure === null) {
          expect([action, row.id, await env.model(opened.model).count(domain)]).toEqual([action, row.id, shown])
          lists++
        } else {
          const found = await env.model(opened.model).searchRead(domain, [opened.measure as never])
          const sum = found.reduce(
            (total, each) => total + Number((each as Record<string, unknown>)[opened.measure!]),
            0,
          )
          expect([action, row.id, sum]).toEqual([action, row.id, expect.closeTo(Number(shown), 3)])
          lists++
        }
        if (Number(shown) > 0) filled++
      }
      if (lists > 0) expect([action, filled > 0]).toEqual([action, true])
    })
})

test('a name that others begin with brings none of theirs', async () => {
  await people.as('demo@example.com', async (env) => {
    const [other] = await env.model('core.partner').searchRead([['sale_order_ids', '!=', null]], ['name'], { limit: 1 })
    const none = await env.model('core.partner').create({ name: other!.name.slice(0, 5) })
    const result = await env.model('core.partner').call([none], 'action_view_sale_orders')
    const { model, domain } = readAddress(result === true ? '' : result.redirect)
    expect(await env.model(model).count(domain)).toBe(0)
  })
})
