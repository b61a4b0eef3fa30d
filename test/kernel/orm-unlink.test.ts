import { afterAll, beforeAll, expect, test } from 'vitest'
import { defineModel, type FieldsOf, field } from '#kernel'
import base from '../../addons/base/addon.ts'
import { defineAddon } from '../../kernel/module/addon.ts'
import { installModules } from '../../kernel/module/install.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { baseTemplate } from '../support/base-database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules, type TestModules } from '../support/modules.ts'

const ringHen = defineModel('ring.hen', {
  label: 'Hen',
  fields: { name: field.char(), egg_id: field.many2one('ring.egg', { ondelete: 'cascade' }) },
})
const ringEgg = defineModel('ring.egg', {
  label: 'Egg',
  fields: {
    name: field.char(),
    hen_id: field.many2one('ring.hen', { ondelete: 'cascade' }),
    feather_ids: field.one2many('ring.feather', 'egg_id'),
  },
})
const ringFeather = defineModel('ring.feather', {
  label: 'Feather',
  fields: {
    name: field.char(),
    egg_id: field.many2one('ring.egg', { ondelete: 'cascade' }),
    hen_id: field.many2one('ring.hen', { ondelete: 'restrict' }),
  },
})

declare module '#kernel' {
  interface Models {
    'ring.hen': RingHen
    'ring.egg': RingEgg
    'ring.feather': RingFeather
  }
  interface RingHen extends FieldsOf<typeof ringHen> {}
  interface RingEgg extends FieldsOf<typeof ringEgg> {}
  interface RingFeather extends FieldsOf<typeof ringFeather> {}
}

const ring = defineAddon({
  name: 'ring',
  version: '1.0',
  summary: 'Hens and eggs',
  depends: ['base'],
  models: [ringHen, ringEgg, ringFeather],
})

let database: TestDatabase
let modules: TestModules

beforeAll(async () => {
  database = await createDatabase(baseTemplate)
  modules = openModules(database.db, [base, ring])
  await installModules(modules.services, modules.catalogue, ['ring'])
})
afterAll(() => database.drop())

const countAll = () =>
  modules.asSystem(async (env) => [
    await env.model('ring.hen').count([]),
    await env.model('ring.egg').count([]),
    await env.model('ring.feather').count([]),
  ])

/** A hen and an egg that link to each other, each with a feather. */
const hatch = () =>
  modules.asSystem(async (env) => {
    const hen = await env.model('ring.hen').create({ name: 'Hen' })
    const egg = await env.model('ring.egg').create({ name: 'Egg', hen_id: hen })
    await env.model('ring.hen').write([hen], { egg_id: egg })
    await env.model('ring.feather').create({ name: 'Feather', egg_id: egg, hen_id: hen })
    return { hen, egg }
  })

test('two models that cascade to each other go together, whichever is deleted', async () => {
  const { hen } = await hatch()
  const { egg } = await hatch()
  expect(await countAll()).toEqual([2, 2, 2])
  await modules.asSystem((env) => env.model('ring.hen').unlink([hen]))
  expect(await countAll()).toEqual([1, 1, 1])
  await modules.asSystem((env) => env.model('ring.egg').unlink([egg]))
  expect(await countAll()).toEqual([0, 0, 0])
})

test('every record of a cascade is published as deleted, and one statement deletes them', async () => {
  const { hen, egg } = await hatch()
  await sql`delete from sys_outbox`.execute(database.db)
  database.statements.length = 0
  await modules.asSystem((env) => env.model('ring.hen').unlink([hen]))
  expect(database.statements.filter((text) => text.includes('delete from "ring_'))).toHaveLength(1)
  const { rows } = await sql<{ told: string }>`
    select payload->>'model' || ',' || (payload->>'id') as told from sys_outbox
    where channel = 'record.deleted' and payload->>'model' in ('ring.hen', 'ring.egg')`.execute(database.db)
  expect(rows.map(({ told }) => told).toSorted()).toEqual([`ring.egg,${egg}`, `ring.hen,${hen}`])
})

test('a record that restricts stops the delete of what it refers to, by name, and nothing has happened', async () => {
  const { hen } = await hatch()
  await modules.asSystem((env) => env.model('ring.feather').create({ name: 'Lost', hen_id: hen }))
  const before = await countAll()
  const refused = modules.asSystem((env) => env.model('ring.hen').unlink([hen]))
  await expect(refused).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'Feather still refers to this Hen.',
    details: { model: 'ring.feather' },
  })
  expect(await countAll()).toEqual(before)
})

test('a record below itself is refused, and rows that came to it otherwise can still be deleted', async () => {
  const ids = await modules.asSystem((env) => env.model('sys.menu').createMany([{ name: 'One' }, { name: 'Two' }]))
  const [one = 0, two = 0] = ids
  await modules.asSystem((env) => env.model('sys.menu').write([two], { parent_id: one }))
  const below = modules.asSystem((env) => env.model('sys.menu').write([one], { parent_id: two }))
  await expect(below).rejects.toMatchObject({
    code: 'VALIDATION',
    details: { fields: { parent_id: expect.any(String) } },
  })
  await sql`update sys_menu set parent_id = ${two} where id = ${one}`.execute(database.db)
  await modules.asSystem((env) => env.model('sys.menu').unlink([one]))
  expect(await modules.asSystem((env) => env.model('sys.menu').count([['id', 'in', ids]]))).toBe(0)
})

test('the same id twice in one call is one deletion, and an id that does not exist is NOT_FOUND', async () => {
  const { hen } = await hatch()
  await sql`update ring_feather set hen_id = null`.execute(database.db)
  await modules.asSystem((env) => env.model('ring.hen').unlink([hen, hen]))
  const missing = modules.asSystem((env) => env.model('ring.hen').unlink([hen]))
  await expect(missing).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
