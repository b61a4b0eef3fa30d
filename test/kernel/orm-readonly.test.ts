import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { behavior, defineAddon, defineModel, type Env, type FieldsOf, field } from '#kernel'
import { bundledAddons } from '../../addons/index.ts'
import { findPrincipal } from '../../kernel/auth/principal.ts'
import { installModules } from '../../kernel/module/install.ts'
import { inTransaction } from '../../kernel/work/transaction.ts'
import { baseTemplate } from '../support/base-database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules, type TestModules } from '../support/modules.ts'

/** A box has slips, whose number and box nobody writes by hand. */
const voteBox = defineModel('vote.box', {
  label: 'Box',
  fields: {
    name: field.char(),
    state: field.selection({ open: 'Open', sealed: 'Sealed' }, { required: true, readonly: true, default: 'open' }),
    slip_ids: field.one2many('vote.slip', 'box_id'),
    voter_ids: field.many2many('vote.slip', { label: 'Voters' }),
  },
})
const voteSlip = defineModel('vote.slip', {
  label: 'Slip',
  fields: {
    name: field.char(),
    number: field.integer({ readonly: true }),
    box_id: field.many2one('vote.box', { readonly: true }),
  },
})

declare module '#kernel' {
  interface Models {
    'vote.box': VoteBox
    'vote.slip': VoteSlip
  }
  interface VoteBox extends FieldsOf<typeof voteBox> {}
  interface VoteSlip extends FieldsOf<typeof voteSlip> {}
}

const vote = defineAddon({
  name: 'vote',
  version: '1.0',
  summary: 'Votes',
  depends: ['base'],
  models: [voteBox, voteSlip],
  behaviors: [behavior('vote.box', { actions: { action_seal: 'write:{"state":"sealed"}' } })],
  data: [
    {
      name: 'access.csv',
      text: 'id,model,group,read,write,create,unlink\nbox,vote.box,base.group_user,1,1,1,1\nslip,vote.slip,base.group_user,1,1,1,1\n',
    },
  ],
})

let database: TestDatabase
let modules: TestModules
let user: number
let box: number
let slip: number

beforeAll(async () => {
  database = await createDatabase(baseTemplate)
  modules = openModules(database.db, [...bundledAddons, vote])
  await installModules(modules.services, modules.catalogue, ['vote'])
  const { access } = await modules.holder.latest()
  await modules.asSystem(async (env) => {
    const group_ids = [access.groupIdByXmlid.get('base.group_user')!]
    user = await env
      .model('core.user')
      .create({ login: 'ann', name: 'Ann', group_ids, company_id: 1, company_ids: [1] })
    box = await env.model('vote.box').create({ name: 'First' })
    slip = await env.model('vote.slip').create({ number: 1, box_id: box })
  })
})
afterAll(() => database.drop())

async function asAnn<T>(work: (env: Env) => Promise<T>): Promise<T> {
  const { services, holder, asSystem } = modules
  const ann = await asSystem((env) => findPrincipal(env, user))
  const options = { services, state: await holder.latest(), user: ann!, requestId: 'test', now: new Date() }
  return inTransaction(options, 'write', work)
}

const refusedFor = (name: string) => ({
  code: 'VALIDATION',
  reason: 'field_read_only',
  details: { fields: { [name]: expect.any(String) } },
})
const boxes = (env: Env) => env.model('vote.box')
const slips = (env: Env) => env.model('vote.slip')

describe('a read-only field', () => {
  const WRITES: Readonly<Record<string, readonly [field: string, write: (env: Env) => Promise<unknown>]>> = {
    'a write': ['state', (env) => boxes(env).write([box], { state: 'sealed' })],
    'a write of its own value': ['state', (env) => boxes(env).write([box], { name: 'New', state: 'open' })],
    'a write to each record': ['state', (env) => boxes(env).writeEach(new Map([[box, { state: 'sealed' }]]))],
    'a new record': ['state', (env) => boxes(env).create({ state: 'sealed' })],
    'one of many new records': ['state', (env) => boxes(env).createMany([{}, { state: 'sealed' }])],
    'a new line': ['number', (env) => boxes(env).write([box], { slip_ids: [[0, 0, { number: 7 }]] })],
    'a changed line': ['number', (env) => boxes(env).write([box], { slip_ids: [[1, slip, { number: 7 }]] })],
    'a line of a new record': ['number', (env) => boxes(env).create({ slip_ids: [[0, 0, { number: 7 }]] })],
    'a new linked record': ['number', (env) => boxes(env).write([box], { voter_ids: [[0, 0, { number: 7 }]] })],
    'a line moved by its own link': ['box_id', (env) => slips(env).write([slip], { box_id: null })],
  }

  test.each(Object.entries(WRITES))('is refused to code that acts for the caller: %s', async (_what, [name, write]) => {
    await expect(asAnn(write)).rejects.toMatchObject(refusedFor(name))
  })

  test('is set by code that says so, with the rights of the caller', async () => {
    const id = await asAnn((env) => boxes(env).create({ state: 'sealed' }, { setsReadonly: true }))
    await asAnn((env) => boxes(env).write([id], { state: 'open' }, { setsReadonly: true }))
    await asAnn((env) => boxes(env).writeEach(new Map([[id, { state: 'sealed' }]]), { setsReadonly: true }))
    expect(await asAnn((env) => boxes(env).read([id], ['state']))).toEqual([{ id, state: 'sealed' }])
    const groups = asAnn((env) => env.model('core.group').create({ name: 'Mine' }, { setsReadonly: true }))
    await expect(groups).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })

  test('is not set inside commands by code that says so of the record', async () => {
    const write = asAnn((env) =>
      boxes(env).write([box], { state: 'open', slip_ids: [[1, slip, { number: 7 }]] }, { setsReadonly: true }),
    )
    await expect(write).rejects.toMatchObject(refusedFor('number'))
  })

  test('is set by defaults, declared actions and code under sudo', async () => {
    const id = await asAnn((env) => boxes(env).create({}))
    expect(await asAnn((env) => boxes(env).read([id], ['state']))).toEqual([{ id, state: 'open' }])
    await asAnn((env) => boxes(env).call([id], 'action_seal'))
    expect(await asAnn((env) => boxes(env).read([id], ['state']))).toEqual([{ id, state: 'sealed' }])
    await asAnn((env) => boxes(env.sudo('a test')).write([id], { state: 'open' }))
    expect(await asAnn((env) => boxes(env).read([id], ['state']))).toEqual([{ id, state: 'open' }])
  })

  test('that links a line back is set by the commands of the other side', async () => {
    const id = await asAnn((env) => boxes(env).create({ slip_ids: [[0, 0, { name: 'A' }]] }))
    await asAnn((env) => boxes(env).write([id], { slip_ids: [[4, slip]] }))
    expect((await asAnn((env) => boxes(env).read([id], ['slip_ids'])))[0]!.slip_ids).toHaveLength(2)
    await asAnn((env) => boxes(env).write([id], { slip_ids: [[3, slip]] }))
    expect(await asAnn((env) => slips(env).read([slip], ['box_id']))).toEqual([{ id: slip, box_id: null }])
  })
})

describe('a field that the kernel keeps', () => {
  const VALUES = {
    id: 7,
    version: 7,
    create_uid: 1,
    write_uid: 1,
    create_date: '2020-01-01T00:00:00Z',
    display_name: 'x',
  }

  test.each(Object.entries(VALUES))('cannot be set by any caller: %s', async (name, value) => {
    // Values that the types refuse, as they come over the wire.
    const values = { [name]: value } as never
    for (const options of [{}, { setsReadonly: true }]) {
      await expect(asAnn((env) => boxes(env).create(values, options))).rejects.toMatchObject(refusedFor(name))
      await expect(asAnn((env) => boxes(env).write([box], values, options))).rejects.toMatchObject(refusedFor(name))
      const sudo = (env: Env) => boxes(env.sudo('a test'))
      await expect(asAnn((env) => sudo(env).write([box], values, options))).rejects.toMatchObject(refusedFor(name))
    }
    const line = asAnn((env) => boxes(env).write([box], { slip_ids: [[0, 0, values]] }))
    await expect(line).rejects.toMatchObject(refusedFor(name))
  })
})
