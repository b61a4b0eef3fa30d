import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import type { Env } from '../../kernel/env.ts'
import type { ModelName } from '../../kernel/model/models.ts'
import { type ArchNode, isElement } from '../../kernel/view/arch/arch.ts'
import { isVisibleTo, pruneArch } from '../../kernel/view/prune.ts'
import { openPeople, type People } from '../support/people.ts'

let people: People
/** One user in each group of the addons, and one that is in none of them. */
const logins: string[] = ['ann']

beforeAll(async () => {
  people = await openPeople(bundledAddons.map(({ name }) => name))
  const { access } = await people.modules.holder.latest()
  for (const xmlid of access.groupIdByXmlid.keys()) {
    await people.hire(xmlid, ['base.group_user', xmlid])
    logins.push(xmlid)
  }
})
afterAll(() => people.leave())

interface Button {
  readonly model: string
  readonly action: string
  readonly isHidden: boolean
}

/** The buttons for object actions in a view, and whether `groups` around them hide them from the user. */
function* buttonsIn(env: Env, model: string, node: ArchNode, isHidden = false): Generator<Button> {
  const hidden = isHidden || !isVisibleTo(env, node)
  const { name = '', type } = node.attrs
  if (node.tag === 'button' && type === 'object') yield { model, action: name, isHidden: hidden }
  const relation = node.tag === 'field' ? env.registry.model(model)?.fields.get(name)?.relation : null
  for (const child of node.children)
    if (isElement(child)) yield* buttonsIn(env, relation?.target ?? model, child, hidden)
}

const allButtons = (login: string): Promise<Button[]> =>
  people.as(login, async (env) => {
    const tables = await env.views()
    return [...tables.views.values()].flatMap(({ id, model, type }) => [
      ...buttonsIn(env, model, tables.resolve(model, type, id)!.root),
    ])
  })

const call = (login: string, { model, action }: Button) =>
  people.as(login, (env) => env.model(model as ModelName).call([], action))

test('an action whose button is hidden from a user is refused to them by the server, in every shipped view', async () => {
  const allowed: string[] = []
  let hiddenCount = 0
  for (const login of logins) {
    for (const button of (await allButtons(login)).filter(({ isHidden }) => isHidden)) {
      hiddenCount++
      const code = await call(login, button).then(
        () => 'OK',
        (error: { code?: string }) => error.code,
      )
      if (code !== 'ACCESS_DENIED') allowed.push(`${login}: ${button.model} ${button.action} is ${code}`)
    }
  }
  expect(hiddenCount).toBeGreaterThan(10)
  expect(allowed).toEqual([])
})

describe('an action with groups', () => {
  const root: ArchNode = {
    tag: 'form',
    attrs: {},
    addon: 'sale',
    children: [{ tag: 'button', attrs: { name: 'action_unlock', type: 'object' }, addon: 'sale', children: [] }],
  }

  test('has no button in a view for those who may not run it, also when the view names no groups', async () => {
    const shown = (login: string) => people.as(login, async (env) => pruneArch(env, 'sale.order', root).children.length)
    expect([await shown('sale.group_user'), await shown('sale.group_manager')]).toEqual([0, 1])
  })

  test('is run only by users in one of them and by code under sudo', async () => {
    const button = { model: 'sale.order', action: 'action_unlock', isHidden: false }
    expect(await call('sale.group_manager', button)).toBe(true)
    expect(await people.asSystem((env) => env.model('sale.order').call([], 'action_unlock'))).toBe(true)
    await expect(call('sale.group_user', button)).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
      reason: 'group_required',
    })
  })
})
