import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessDenied, behavior, defineAddon, defineModel, type Env, type FieldsOf, field } from '#kernel'
import { bundledAddons } from '../../addons/index.ts'
import { findPrincipal } from '../../kernel/auth/principal.ts'
import { installModules } from '../../kernel/module/install.ts'
import { onchange } from '../../kernel/orm/onchange/onchange.ts'
import { inTransaction } from '../../kernel/work/transaction.ts'
import { hire } from '../support/api-database.ts'
import { baseTemplate } from '../support/base-database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules, type TestModules } from '../support/modules.ts'

/** Those who work here read boxes; what is in them is for administrators. */
const vaultBox = defineModel('vault.box', {
  label: 'Box',
  fields: {
    name: field.char(),
    place: field.char(),
    coin_ids: field.one2many('vault.coin', 'box_id'),
    first_coin_id: field.many2one('vault.coin', { default: firstCoin }),
    counted: field.integer({ compute: 'read' }),
    summed: field.integer({ compute: 'read' }),
    doubled: field.integer({ compute: 'read' }),
    everything: field.integer({ compute: 'read' }),
    guarded: field.integer({ compute: 'read' }),
  },
})
const vaultCoin = defineModel('vault.coin', {
  label: 'Coin',
  fields: { box_id: field.many2one('vault.box'), worth: field.integer() },
})

declare module '#kernel' {
  interface Models {
    'vault.box': VaultBox
    'vault.coin': VaultCoin
  }
  interface VaultBox extends FieldsOf<typeof vaultBox> {}
  interface VaultCoin extends FieldsOf<typeof vaultCoin> {}
}

async function coins(env: Env): Promise<readonly number[]> {
  return env.model('vault.coin').search([])
}

async function firstCoin(env: Env): Promise<number | null> {
  return (await coins(env))[0] ?? null
}

const worthOf = (list: readonly { readonly worth: number | null }[]) =>
  list.reduce((sum, { worth }) => sum + (worth ?? 0), 0)

let guard: (() => void) | undefined

const boxBehavior = behavior('vault.box', {
  computes: {
    counted: {
      needs: [],
      async run(env, boxes) {
        const found = (await coins(env)).length
        return new Map(boxes.map(({ id }) => [id, found]))
      },
    },
    summed: {
      needs: ['coin_ids.worth'],
      run: (_env, boxes) => new Map(boxes.map(({ id, coin_ids }) => [id, worthOf(coin_ids)])),
    },
    doubled: {
      needs: ['summed'],
      run: (_env, boxes) => new Map(boxes.map(({ id, summed }) => [id, (summed ?? 0) * 2])),
    },
    everything: {
      needs: ['coin_ids.worth'],
      sudo: true,
      run: (_env, boxes) => new Map(boxes.map(({ id, coin_ids }) => [id, worthOf(coin_ids)])),
    },
    guarded: {
      needs: [],
      run(_env, boxes) {
        guard?.()
        return new Map(boxes.map(({ id }) => [id, 1]))
      },
    },
  },
  onchange: {
    async place(env) {
      return { value: { name: `one of ${(await coins(env)).length}` } }
    },
  },
})

const vault = defineAddon({
  name: 'vault',
  version: '1.0',
  summary: 'Boxes',
  depends: ['base'],
  models: [vaultBox, vaultCoin],
  behaviors: [boxBehavior],
  data: [
    {
      name: 'access.csv',
      text: `id,model,group,read,write,create,unlink
box,vault.box,base.group_user,1,1,1,1
coin,vault.coin,base.group_system,1,1,1,1
`,
    },
  ],
})

let database: TestDatabase
let modules: TestModules
let box: number
const people = new Map<string, number>()

beforeAll(async () => {
  database = await createDatabase(baseTemplate)
  modules = openModules(database.db, [...bundledAddons, vault])
  await installModules(modules.services, modules.catalogue, ['vault'])
  people.set('ann', await hire(modules, 'ann', ['base.group_user']))
  people.set('boss', await hire(modules, 'boss', ['base.group_system']))
  box = await modules.asSystem((env) =>
    env.model('vault.box').create({
      name: 'x',
      first_coin_id: null,
      coin_ids: [
        [0, 0, { worth: 3 }],
        [0, 0, { worth: 4 }],
      ],
    }),
  )
})
afterAll(() => database.drop())

async function as<T>(login: string, work: (env: Env) => Promise<T>): Promise<T> {
  const { services, holder, asSystem } = modules
  const user = await asSystem((env) => findPrincipal(env, people.get(login)!))
  const options = { services, state: await holder.latest(), user: user!, requestId: 'test', now: new Date() }
  return inTransaction(options, 'write', work)
}

const readBox = (login: string, fields?: readonly string[]) =>
  as(login, async (env) => (await env.model('vault.box').read([box], fields as never))[0] as unknown)

const form = (login: string, values: Record<string, unknown>, changed: readonly string[]) =>
  as(login, (env) => onchange(env, env.registry.model('vault.box')!, { values, changed }))

test('what asks for a model beyond the rights of the reader is unset, named or not', async () => {
  const unset = { counted: null, summed: null, doubled: null, coin_ids: [] }
  expect(await readBox('ann')).toMatchObject({ name: 'x', guarded: 1, ...unset })
  expect(await readBox('ann', ['counted', 'summed', 'doubled', 'coin_ids'])).toMatchObject(unset)
  expect(await readBox('boss')).toMatchObject({ counted: 2, summed: 7, doubled: 14 })
})

test('what says that it may count hidden records still does', async () => {
  expect(await readBox('ann')).toMatchObject({ everything: 7 })
})

test('a compute that is refused for another reason fails as before', async () => {
  for (const reason of ['field_access', 'rule_hides_record'] as const) {
    guard = () => {
      throw accessDenied(reason, 'No.')
    }
    await expect(readBox('boss').finally(() => (guard = undefined))).rejects.toMatchObject({ reason })
  }
})

test('a new form opens without the defaults and handlers that lead there', async () => {
  const { value } = await form('ann', { place: 'here' }, [])
  expect(value).toEqual({ guarded: 1, everything: 0 })
  const own = await form('boss', { place: 'here' }, [])
  expect(own.value).toMatchObject({ first_coin_id: [expect.any(Number), expect.anything()], name: 'one of 2' })
})

test('an edit whose handler leads there is refused', async () => {
  await expect(form('ann', { place: 'here' }, ['place'])).rejects.toMatchObject({ reason: 'model_access' })
  expect((await form('boss', { place: 'here' }, ['place'])).value).toMatchObject({ name: 'one of 2' })
})
