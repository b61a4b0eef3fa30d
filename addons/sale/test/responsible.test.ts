import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Env } from '../../../kernel/env.ts'
import { assignableUsers } from '../../../kernel/workspace/assignable.ts'
import { openPeople, type People } from '../../../test/support/people.ts'

let people: People
let users: Readonly<Record<'boss' | 'seller' | 'colleague' | 'stranger' | 'abroad', number>>
let companies: readonly [own: number, other: number]

beforeAll(async () => {
  people = await openPeople(['crm', 'project'])
  companies = await people.asSystem(async (env) => {
    const [own] = await env.model('core.company').searchRead([['name', '=', 'My Company']], ['currency_id'])
    return [own!.id, await env.model('core.company').create({ name: 'Elsewhere', currency_id: own!.currency_id[0] })]
  })
  const both = { company_ids: [...companies] }
  const abroad = { company_id: companies[1], company_ids: [companies[1]] }
  users = {
    boss: await people.hire('boss', ['sale.group_manager', 'project.group_manager', 'crm.group_manager'], both),
    seller: await people.hire('seller', ['sale.group_user', 'project.group_user']),
    colleague: await people.hire('colleague', ['sale.group_user', 'project.group_user']),
    stranger: await people.hire('stranger', []),
    abroad: await people.hire('abroad', ['sale.group_user', 'project.group_user'], abroad),
  }
})
afterAll(() => people.leave())

const orderOf = (env: Env, user_id: number | null, company_id: number) =>
  env
    .model('core.partner')
    .create({ name: 'Customer' })
    .then((partner_id) => env.model('sale.order').create({ partner_id, user_id, company_id }))

const OTHER_COMPANY = { code: 'VALIDATION', reason: 'company_mismatch' }

describe('who is responsible', () => {
  test('belongs to the company of the record', async () => {
    const order = await people.as('boss', (env) => orderOf(env, users.boss, companies[1]))
    const give = (user_id: number) => people.as('boss', (env) => env.model('sale.order').write([order], { user_id }))
    await expect(give(users.colleague)).rejects.toMatchObject(OTHER_COMPANY)
    await expect(give(users.abroad)).resolves.toBe(true)
    await expect(people.as('boss', (env) => orderOf(env, users.colleague, companies[1]))).rejects.toMatchObject(
      OTHER_COMPANY,
    )
  })

  test('keeps a record from going to a company they are not in', async () => {
    const order = await people.as('boss', (env) => orderOf(env, users.colleague, companies[0]))
    const move = people.as('boss', (env) => env.model('sale.order').write([order], { company_id: companies[1] }))
    await expect(move).rejects.toMatchObject(OTHER_COMPANY)
  })

  test('belongs to it one by one where several are', async () => {
    const [project_id, task] = await people.as('boss', async (env) => {
      const project = await env.model('project.project').create({ name: 'Move', company_id: companies[1] })
      return [project, await env.model('project.task').create({ name: 'Pack', project_id: project })]
    })
    const give = (ids: readonly number[]) =>
      people.as('boss', (env) => env.model('project.task').write([task], { user_ids: ids }))
    await expect(give([users.abroad, users.seller])).rejects.toMatchObject(OTHER_COMPANY)
    await expect(give([users.abroad])).resolves.toBe(true)
    const task2 = people.as('boss', (env) =>
      env.model('project.task').create({ name: 'Drive', project_id, user_ids: [users.seller] }),
    )
    await expect(task2).rejects.toMatchObject(OTHER_COMPANY)
  })
})

describe('who is offered', () => {
  const offered = (login: string, asked: Partial<Parameters<typeof assignableUsers>[1]>) =>
    people.as(login, async (env) => {
      const model = env.registry.model(asked.model?.name ?? 'sale.order')!
      const field = asked.field ?? model.fields.get('user_id')!
      const ids = await assignableUsers(env, { model, field, ids: [], links: {}, kept: [], ...asked })
      return Object.entries(users).flatMap(([name, id]) => (ids === null || ids.includes(id) ? [name] : []))
    })

  test('a manager gives an order to those of its company who work with orders', async () => {
    const [here, there] = await people.as('boss', (env) =>
      Promise.all(companies.map((company) => orderOf(env, users.boss, company))),
    )
    expect(await offered('boss', { ids: [here!] })).toEqual(['boss', 'seller', 'colleague'])
    expect(await offered('boss', { ids: [there!] })).toEqual(['boss', 'abroad'])
    expect(await offered('boss', { ids: [here!, there!] })).toEqual(['boss'])
  })

  test('a salesperson with a rule for own orders is offered no other user', async () => {
    const order = await people.as('seller', (env) => orderOf(env, users.seller, companies[0]))
    expect(await offered('seller', { ids: [order] })).toEqual(['seller'])
    expect(await offered('seller', {})).toEqual(['seller'])
  })

  test('what the form changes counts: another company offers its people', async () => {
    const order = await people.as('boss', (env) => orderOf(env, null, companies[0]))
    expect(await offered('boss', { ids: [order], links: { company_id: companies[1] } })).toEqual(['boss', 'abroad'])
    expect(await offered('boss', { links: { company_id: companies[1] } })).toEqual(['boss', 'abroad'])
  })

  test('a task of a hidden project leaves the hands of a guest only with themselves on it', async () => {
    const task = await people.as('boss', async (env) => {
      const project_id = await env.model('project.project').create({ name: 'Hidden', visibility: 'members' })
      return env.model('project.task').create({ name: 'Look', project_id, user_ids: [users.seller] })
    })
    const fieldOf = (env: Env) => env.registry.model('project.task')!
    const model = await people.as('seller', async (env) => fieldOf(env))
    const field = model.fields.get('user_ids')!
    expect(await offered('seller', { model, field, ids: [task] })).toEqual(['seller'])
    expect(await offered('seller', { model, field, ids: [task], kept: [users.seller] })).toEqual([
      'boss',
      'seller',
      'colleague',
    ])
  })

  test('companies to which a caller does not belong reveal no users', async () => {
    await expect(offered('seller', { links: { company_id: companies[1] } })).rejects.toMatchObject({
      reason: 'company_access',
    })
  })
})
