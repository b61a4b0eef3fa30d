import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { behavior, defineAddon, defineModel, type Env, type FieldsOf, field } from '#kernel'
import { bundledAddons } from '../../addons/index.ts'
import { findPrincipal } from '../../kernel/auth/principal.ts'
import { compileRegistry, RegistryError } from '../../kernel/model/compile-registry.ts'
import type { ServerAction, ServerEvents } from '../../kernel/model/server-action.ts'
import { installModules } from '../../kernel/module/install.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { inTransaction } from '../../kernel/work/transaction.ts'
import { baseTemplate } from '../support/base-database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules, type TestModules } from '../support/modules.ts'

const lampBulb = defineModel('lamp.bulb', {
  label: 'Bulb',
  fields: {
    name: field.char({ size: 20 }),
    colour: field.selection({ warm: 'Warm', cold: 'Cold' }),
    watts: field.integer({ required: true, default: 5 }),
    checked: field.boolean(),
    price: field.float({ groups: 'base.group_system' }),
    double: field.integer({ compute: 'stored' }),
    notes: field.json(),
  },
})

declare module '#kernel' {
  interface Models {
    'lamp.bulb': LampBulb
  }
  interface LampBulb extends FieldsOf<typeof lampBulb> {}
}

const computes = behavior('lamp.bulb', {
  computes: {
    double: { needs: ['watts'], run: (_env, rows) => new Map(rows.map(({ id, watts }) => [id, watts * 2])) },
  },
})

const lampBehavior = behavior('lamp.bulb', {
  actions: {
    action_cool: 'write:{"colour":"cold","watts":3}',
    action_price: 'write:{"price":1}',
    action_ring: 'publish:lamp.ring',
  },
  on: {
    created: ['write:{"price":9}', 'publish:lamp.made'],
    updated: ['write:{"checked":true,"colour":"cold"}', 'write:{"price":2}', 'publish:lamp.changed'],
    deleted: ['publish:lamp.gone'],
  },
})

const lamp = defineAddon({
  name: 'lamp',
  version: '1.0',
  summary: 'Lamps',
  depends: ['base'],
  models: [lampBulb],
  behaviors: [computes, lampBehavior],
  data: [
    {
      name: 'access.csv',
      text: 'id,model,group,read,write,create,unlink\nbulb,lamp.bulb,base.group_user,1,1,1,1\n',
    },
  ],
})

let database: TestDatabase
let modules: TestModules
let user: number

beforeAll(async () => {
  database = await createDatabase(baseTemplate)
  modules = openModules(database.db, [...bundledAddons, lamp])
  await installModules(modules.services, modules.catalogue, ['lamp'])
  const { access } = await modules.holder.latest()
  user = await modules.asSystem(async (env) => {
    const [company] = await env.model('core.company').search([], { limit: 1 })
    const group_ids = [access.groupIdByXmlid.get('base.group_user')!]
    return env
      .model('core.user')
      .create({ login: 'ann', name: 'Ann', group_ids, company_id: company!, company_ids: [company!] })
  })
})
afterAll(() => database.drop())

async function asAnn<T>(work: (env: Env) => Promise<T>): Promise<T> {
  const { services, holder, asSystem } = modules
  const ann = await asSystem((env) => findPrincipal(env, user))
  const options = { services, state: await holder.latest(), user: ann!, requestId: 'test', now: new Date() }
  return inTransaction(options, 'write', work)
}

const bulb = async (id: number) =>
  (await modules.asSystem((env) => env.model('lamp.bulb').read([id], ['colour', 'watts', 'checked', 'price'])))[0]!

async function told(channel: string): Promise<unknown[]> {
  const { rows } = await sql<{ payload: unknown }>`
    delete from sys_outbox where channel = ${channel} returning payload`.execute(database.db)
  return rows.map((row) => row.payload)
}

describe('an action of a model', () => {
  test('that writes does so with the rights of the caller', async () => {
    const id = await asAnn((env) => env.model('lamp.bulb').create({}))
    expect(await asAnn((env) => env.model('lamp.bulb').call([id], 'action_cool'))).toBe(true)
    expect(await bulb(id)).toMatchObject({ colour: 'cold', watts: 3 })
    await expect(asAnn((env) => env.model('lamp.bulb').call([id], 'action_price'))).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    })
  })

  test('that publishes sends one message per record', async () => {
    const ids = await asAnn((env) => env.model('lamp.bulb').createMany([{}, {}]))
    await asAnn((env) => env.model('lamp.bulb').call(ids, 'action_ring'))
    expect(await told('lamp.ring')).toEqual(ids.map((id) => ({ model: 'lamp.bulb', id })))
  })
})

describe('an answer to a record event', () => {
  test('acts for the addon: it writes what the caller may not', async () => {
    const id = await asAnn((env) => env.model('lamp.bulb').create({}))
    // The write of the first answer is an update, which is answered in turn.
    expect(await bulb(id)).toMatchObject({ price: 2, checked: true, colour: 'cold' })
    expect(await told('lamp.made')).toContainEqual({ model: 'lamp.bulb', id })
  })

  test('to an update comes to an end, also for many records', async () => {
    const ids = await asAnn((env) => env.model('lamp.bulb').createMany(Array.from({ length: 1_200 }, () => ({}))))
    await asAnn((env) => env.model('lamp.bulb').write(ids, { watts: 7 }))
    expect(await bulb(ids.at(-1)!)).toEqual({ id: ids.at(-1), watts: 7, checked: true, colour: 'cold', price: 2 })
  })

  test('to a deletion publishes the deleted record, if the transaction commits', async () => {
    const id = await asAnn((env) => env.model('lamp.bulb').create({}))
    const broken = asAnn(async (env) => {
      await env.model('lamp.bulb').unlink([id])
      throw new Error('no')
    })
    await expect(broken).rejects.toThrow('no')
    expect(await told('lamp.gone')).toEqual([])
    await asAnn((env) => env.model('lamp.bulb').unlink([id]))
    expect(await told('lamp.gone')).toEqual([{ model: 'lamp.bulb', id }])
  })
})

describe('an install refuses', () => {
  const problemsOf = (options: { actions?: Record<string, ServerAction>; on?: ServerEvents }) => {
    try {
      compileRegistry([{ name: 'lamp', models: [lampBulb], behaviors: [computes, behavior('lamp.bulb', options)] }])
      return []
    } catch (error) {
      if (error instanceof RegistryError) return error.problems
      throw error
    }
  }

  test.each<[string, ServerAction, RegExp]>([
    ['a channel of the kernel', 'publish:record.created', /a channel is named/],
    ['a channel without a dot', 'publish:toast', /a channel is named/],
    ['a channel that is no name', 'publish:Lamp ring', /a channel is named/],
    ['a text that is no JSON', 'write:{watts:1}', /neither/],
    ['no value at all', 'write:{}', /neither/],
    ['an unknown field', 'write:{"volts":1}', /no field volts/],
    ['a value the field refuses', 'write:{"watts":"many"}', /watts: /],
    ['a choice there is not', 'write:{"colour":"red"}', /colour: /],
    ['a required field without a value', 'write:{"watts":null}', /watts is required/],
    ['a computed field', 'write:{"double":1}', /double cannot be written/],
    ['a field of the kernel', 'write:{"version":1}', /version cannot be written/],
    ['a JSON field', 'write:{"notes":{}}', /notes cannot be written/],
  ])('%s', (_what, action, problem) => {
    expect(problemsOf({ actions: { action_x: action } })).toEqual([expect.stringMatching(problem)])
    expect(problemsOf({ on: { created: [action] } })).toEqual([expect.stringMatching(problem)])
  })

  test('two answers to an update that undo each other', () => {
    const on: ServerEvents = { updated: ['write:{"watts":1}', 'write:{"watts":2,"name":"x"}'] }
    expect(problemsOf({ on })).toEqual([expect.stringContaining('different values to watts')])
  })
})
