import { afterAll, beforeAll, expect, test } from 'vitest'
import { mayReadField, mayUseModel } from '../../kernel/access/acl.ts'
import type { RecordValues } from '../../kernel/domain/evaluate.ts'
import type { Env } from '../../kernel/env.ts'
import { deliveriesOf } from '../../kernel/live/deliveries.ts'
import { currentPosition, type LoggedEvent, readOutbox } from '../../kernel/live/follow-outbox.ts'
import type { Model } from '../../kernel/model/registry.ts'
import { couldRead, readForRules } from '../../kernel/orm/record/rule-values.ts'
import { search } from '../../kernel/orm/record/search.ts'
import { EVENTS_PER_MODEL } from '../../kernel/outbox.ts'
import { createEnv } from '../../kernel/work/create-env.ts'
import { openPeople, type People } from '../support/people.ts'

const LOGINS = ['admin', 'ann', 'sam', 'pia', 'max'] as const

let people: People
let projectId: number
const ids = new Map<string, number>()

beforeAll(async () => {
  people = await openPeople(['base', 'crm', 'sale', 'project'])
  ids.set('sam', await people.hire('sam', ['base.group_user', 'sale.group_user', 'crm.group_user']))
  ids.set('pia', await people.hire('pia', ['base.group_user', 'project.group_user']))
  ids.set('max', await people.hire('max', ['base.group_user', 'project.group_manager']))
  projectId = await people.asSystem((env) =>
    env.model('project.project').create({ name: 'Secret', visibility: 'members', member_ids: [ids.get('pia')!] }),
  )
})
afterAll(() => people.leave())

/** The rights of some people, for work outside of a transaction. */
async function envsOf(logins: readonly string[] = LOGINS): Promise<readonly Env[]> {
  const { services, holder } = people.modules
  const state = await holder.latest()
  const found: Env[] = []
  for (const login of logins) {
    const user = await people.as(login, async (env) => env.user)
    found.push(createEnv({ services, state, tx: services.db, user, requestId: 'test', now: new Date() }))
  }
  return found
}

const event = (channel: string, payload: LoggedEvent['payload'], more: Partial<LoggedEvent> = {}): LoggedEvent => ({
  ...{ id: 1, channel, payload, userId: null, companyId: null, before: null, ageMs: 0 },
  ...more,
})

/** The names of those who get each event. */
async function readersOf(events: readonly LoggedEvent[]): Promise<readonly (readonly string[])[]> {
  const deliveries = await deliveriesOf(await envsOf(), events)
  return events.map(({ payload }) =>
    deliveries
      .filter((delivery) => delivery.payload['id'] === payload['id'] && delivery.payload['model'] === payload['model'])
      .flatMap(({ readers }) => readers.map(({ user }) => user.login))
      .toSorted(),
  )
}

const storedModels = ({ registry }: Env): readonly Model[] => [...registry.models.values()]

const allIds = async (env: Env, model: Model): Promise<readonly number[]> => {
  const { records } = await search(env, model, { domain: [], fields: ['id'], archived: 'include', isTrusted: true })
  return records.map((record) => record['id'] as number)
}

const readableBy = async (env: Env, model: Model): Promise<readonly number[]> =>
  mayUseModel(env, model.name, 'read') ? allIds(env, model) : []

test('an event about any record of any model reaches exactly those who find the record', async () => {
  let records = 0
  const envs = await envsOf()
  for (const model of storedModels(envs[0]!)) {
    const all = await people.asSystem((env) => allIds(env, model))
    const events = all.map((id) => event('record.created', { model: model.name, id }))
    records += all.length
    const deliveries = await deliveriesOf(envs, events)
    for (const env of envs) {
      const got = deliveries
        .filter(({ readers }) => readers.includes(env))
        .map(({ payload }) => Number(payload['id']))
        .toSorted((a, b) => a - b)
      expect([env.user.login, model.name, got]).toEqual([
        env.user.login,
        model.name,
        (await readableBy(env, model)).toSorted((a, b) => a - b),
      ])
    }
  }
  expect(records).toBeGreaterThan(500)
})

test('the remembered values of a deleted record give the same readers as the rules did before', async () => {
  let hidden = 0
  const envs = await envsOf()
  for (const model of storedModels(envs[0]!)) {
    const all = await people.asSystem((env) => allIds(env, model))
    const stored = new Map<number, RecordValues>()
    for (let at = 0; at < all.length; at += EVENTS_PER_MODEL) {
      const some = all.slice(at, at + EVENTS_PER_MODEL)
      const before = await people.asSystem((env) => readForRules(env, model, some))
      for (const [id, values] of before) stored.set(id, JSON.parse(JSON.stringify(values)))
    }
    for (const env of envs.filter((each) => mayUseModel(each, model.name, 'read'))) {
      const could = all.filter((id) => couldRead(env, model, stored.get(id) ?? null))
      hidden += all.length - could.length
      expect([model.name, could.toSorted()]).toEqual([model.name, (await readableBy(env, model)).toSorted()])
    }
  }
  expect(hidden).toBeGreaterThan(20)
})

test('the remembered values do not depend on the deleting user: the service itself has no companies', async () => {
  const [before] = await people.asSystem(async (env) => [
    ...(await readForRules(env, env.registry.model('project.project')!, [projectId])).values(),
  ])
  expect(Object.keys(before ?? {})).toEqual(expect.arrayContaining(['company_id', 'visibility', 'user_id']))
})

test('deleting a project and its tasks is announced only to its members and users who see every project', async () => {
  const position = await currentPosition(people.database.db)
  await people.asSystem(async (env) => {
    const project = await env
      .model('project.project')
      .create({ name: 'Gone soon', visibility: 'members', member_ids: [ids.get('pia')!] })
    await env.model('project.task').create({ name: 'Gone with it', project_id: project })
    await env.model('project.task').create({ name: 'Another', project_id: projectId, user_ids: [ids.get('sam')!] })
    return project
  })
  const { events: made, position: later } = await readOutbox(people.database.db, position)
  const created = made.filter(({ channel }) => channel === 'record.created').map(({ payload }) => payload)
  await people.asSystem(async (env) => {
    await env
      .model('project.task')
      .unlink(created.filter((each) => each['model'] === 'project.task').map((each) => each['id'] as number))
    await env
      .model('project.project')
      .unlink(created.filter((each) => each['model'] === 'project.project').map((each) => each['id'] as number))
  })
  const { events } = await readOutbox(people.database.db, later)
  const deleted = events.filter(({ channel }) => channel === 'record.deleted')
  expect(new Set(deleted.map(({ payload }) => payload['model']))).toEqual(new Set(['project.task', 'project.project']))
  const projectReaders = (await readersOf(deleted)).map((names, i) => [deleted[i]!.payload['model'], names])
  for (const [model, names] of projectReaders)
    if (model === 'project.project') expect(names).toEqual(['admin', 'max', 'pia'])
  for (const [, names] of projectReaders) expect(names).not.toContain('ann')
})

test('an update that hides a record from a user sends them only record.hidden, and nothing to users who never saw it', async () => {
  const lead = await people.asSystem((env) =>
    env
      .inCompany(env.user.companyIds[0] ?? 1)
      .model('crm.lead')
      .create({ name: 'Passed on', user_id: ids.get('sam')! }),
  )
  const told = async (values: object) => {
    const position = await currentPosition(people.database.db)
    await people.asSystem((env) => env.model('crm.lead').write([lead], values))
    const { events } = await readOutbox(people.database.db, position)
    const deliveries = await deliveriesOf(await envsOf(['sam', 'pia', 'ann']), events)
    return deliveries
      .filter(({ channel, payload }) => channel.startsWith('record.') && payload['model'] === 'crm.lead')
      .map(({ channel, payload, readers }) => [
        channel,
        Object.keys(payload).toSorted(),
        readers.map(({ user }) => user.login),
      ])
  }
  const updated = ['record.updated', ['fields', 'id', 'model'], ['sam']]
  expect(await told({ name: 'Passed on soon' })).toEqual([updated])
  expect(await told({ name: 'Passed on', user_id: ids.get('max')! })).toEqual([
    ['record.hidden', ['id', 'model'], ['sam']],
  ])
  expect(await told({ name: 'Out of sight' })).toEqual([])
  expect(await told({ user_id: ids.get('sam')! })).toEqual([updated])
})

test('an update names the fields its reader may read, and one of hidden fields only is not sent to others', async () => {
  const envs = await envsOf()
  const [admin] = envs
  const user = admin!.registry.model('core.user')!
  const hidden = [...user.fields.values()].find(
    (field) => envs.some((env) => !mayReadField(env, field)) && mayReadField(admin!, field),
  )!
  const id = ids.get('pia')!
  const both = await deliveriesOf(envs, [
    event('record.updated', { model: 'core.user', id, fields: ['name', hidden.name] }),
  ])
  for (const { payload, readers } of both) {
    const seesAll = readers.every((env) => mayReadField(env, hidden))
    expect(payload['fields']).toEqual(seesAll ? ['name', hidden.name] : ['name'])
  }
  expect(both.flatMap(({ readers }) => readers)).toHaveLength(envs.length)
  const alone = await deliveriesOf(envs, [event('record.updated', { model: 'core.user', id, fields: [hidden.name] })])
  expect(alone.flatMap(({ readers }) => readers.map((env) => env.user.login))).toEqual(['admin'])
})

test('an event for one user or company is not sent to others, and one about an unknown model to no user', async () => {
  const events = [
    event('toast', { id: 1, text: 'x' }, { userId: ids.get('sam')! }),
    event('toast', { id: 2, text: 'x' }, { companyId: -1 }),
    event('toast', { id: 3, text: 'x' }),
    event('record.updated', { model: 'no.such', id: 4, fields: ['name'] }),
    event('model.changed', { model: 'crm.lead', id: null }),
  ]
  const [one, none, all, unknown, model] = await readersOf(events)
  expect([one, none, all, unknown]).toEqual([['sam'], [], [...LOGINS].toSorted(), []])
  expect(model).toContain('sam')
  expect(model).not.toContain('pia')
})

test('a rule that has become invalid hides records from those it applies to, and nothing from the others', async () => {
  const envs = await envsOf()
  const [admin, ann] = envs as [Env, Env, ...Env[]]
  const group = [...ann.user.groupIds].find((id) => !admin.user.groupIds.has(id)) ?? -1
  const broken = {
    ...{ id: -1, name: 'Broken', model: 'core.country', groupIds: [group] },
    ...{ applies: { read: true, write: true, create: true, unlink: true }, domain: [['no_such_field', '=', 1]] },
  }
  const user = { ...ann.user, groupIds: new Set([...ann.user.groupIds, group]) }
  const access = { ...ann.access, rules: new Map(ann.access.rules).set('core.country', [broken]) }
  const readers = [admin, { ...ann, user, access }]
  const payload = { model: 'core.country', id: 1 }
  for (const each of [event('record.created', payload), event('record.deleted', payload, { before: { id: 1 } })]) {
    const deliveries = await deliveriesOf(readers, [each])
    expect(deliveries.flatMap((delivery) => delivery.readers.map((reader) => reader.user.login))).toEqual(['admin'])
  }
})

test('users with the same rights are asked about in one query', async () => {
  const logins = ['joe', 'jim', 'jon']
  for (const login of logins) await people.hire(login, ['base.group_user', 'project.group_manager'])
  const envs = await envsOf(logins)
  const { statements } = people.database
  statements.length = 0
  const events = [1, 2, 3].map((id) => event('record.created', { model: 'project.project', id }))
  await deliveriesOf(envs, events)
  expect(statements).toHaveLength(1)
})

test('who did something is named to those who may see that user, and an update of hidden fields is not sent without the name either', async () => {
  await people.asSystem(async (env) => {
    const group_id = await env.model('core.group').create({ name: 'Outside' })
    await env.model('sys.access').create({ name: 'outside', model: 'core.company', group_id, perm_read: true })
    const eve = await people.hire('eve', ['base.group_user'])
    await env.model('core.user').write([eve], { group_ids: [[6, 0, [group_id]]] as never })
  })
  const [eve, ann, sam] = (await envsOf(['eve', 'ann', 'sam'])) as [Env, Env, Env]
  const id = ann.user.companyIds[0]!
  const by = [ids.get('pia')!, 'pia']
  const own = {
    ...{ id: -1, name: 'Own', model: 'core.user', groupIds: [] },
    ...{ applies: { read: true, write: true, create: true, unlink: true }, domain: [['id', '=', ann.user.id]] },
  }
  const narrow = { ...ann, access: { ...ann.access, rules: new Map(ann.access.rules).set('core.user', [own]) } }
  const named = async (reader: Env, payload: LoggedEvent['payload']) =>
    (await deliveriesOf([reader], [event('record.updated', payload)])).map((delivery) => delivery.payload)
  const payload = { model: 'core.company', id, fields: ['name'] }
  expect(await named(sam, { ...payload, by })).toEqual([{ ...payload, by }])
  for (const reader of [eve, narrow]) expect(await named(reader, { ...payload, by })).toEqual([payload])
  expect(await named(narrow, { ...payload, by: [ann.user.id, 'ann'] })).toMatchObject([{ by: [ann.user.id, 'ann'] }])
  expect(await named(eve, { ...payload, fields: ['no_such_field'], by })).toEqual([])
})
