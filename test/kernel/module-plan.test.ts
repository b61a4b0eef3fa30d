import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import base from '../../addons/base/addon.ts'
import { defineModel, field } from '../../kernel/index.ts'
import { extendModel } from '../../kernel/model/define.ts'
import { activateModule, deactivateModule } from '../../kernel/module/activate.ts'
import { defineAddon } from '../../kernel/module/addon.ts'
import { installModules, updateModules } from '../../kernel/module/install.ts'
import { planChange } from '../../kernel/module/plan-change.ts'
import { uninstallModule } from '../../kernel/module/uninstall.ts'
import type { WireModuleChange } from '../../kernel/module/wire-modules.ts'
import { baseTemplate } from '../support/base-database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules } from '../support/modules.ts'

const tags = (...names: string[]) =>
  `<data>${names.map((name) => `<record id="tag_${name.toLowerCase().slice(0, 4)}" model="core.tag"><field name="name">${name}</field></record>`).join('')}</data>`

/** Version 2 renames a field, has another one, and other records. */
const boats = (version: '1.0' | '2.0') =>
  defineAddon({
    name: 'boats',
    title: 'Boats',
    version,
    summary: 'x',
    depends: ['base'],
    models: [
      defineModel('boats.boat', {
        label: 'Boat',
        fields: {
          name: field.char({ required: true }),
          ...(version === '1.0' ? { crew: field.integer() } : { sails: field.integer({ label: 'Sails' }) }),
        },
      }),
      extendModel('core.partner', {
        fields: {
          skipper: field.char({ label: 'Skipper' }),
          boat_ids: field.many2many('boats.boat' as 'core.tag', { label: 'Boats' }),
        },
      }),
    ],
    data: [
      {
        name: 'tags.xml',
        text: version === '1.0' ? tags('Sloop', 'Ketch', 'Yawl') : tags('Sloop', 'Ketchup', 'Yawls', 'Cutter'),
      },
    ],
    jobs: { count: async () => {} },
    translations: { de: { Boat: 'Boot', Boats: 'Boote', Skipper: 'Schiffer' } },
  })

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase(baseTemplate)
})
afterAll(() => database.drop())

const open = (version: '1.0' | '2.0') => openModules(database.db, [base, boats(version)])
const said = (changes: readonly WireModuleChange[]) =>
  changes.map(
    ({ kind, what, model, names, count }) =>
      `${kind} ${what} ${[model, ...names].filter(Boolean).join(', ')}: ${count}`,
  )

/** Each step follows from the one before. */
describe('the plan of a change of modules', () => {
  test('of an install lists what is added, in the language of the reader, and changes nothing', async () => {
    const { catalogue } = open('1.0')
    const plan = await planChange(database.db, catalogue, ['boats'], 'install', 'en')
    expect(plan).toMatchObject({ modules: [{ name: 'boats', title: 'Boats', from: null, to: '1.0' }], problems: [] })
    expect(said(plan.changes)).toEqual([
      'add models Boat: 1',
      'add fields Contact, Skipper, Boats: 2',
      'add records Contact Tag: 3',
    ])
    const german = await planChange(database.db, catalogue, ['boats'], 'install', 'de')
    expect(german.modules[0]!.title).toBe('Boote')
    expect(said(german.changes)[0]).toBe('add models Boot: 1')
    expect(await planChange(database.db, catalogue, ['boats'], 'install', 'en')).toEqual(plan)
  })

  test('of an update lists the values that are no longer shown, and the records that stay as a user changed them', async () => {
    const { services, catalogue, asSystem } = open('1.0')
    await installModules(services, catalogue, ['boats'])
    await asSystem(async (env) => {
      await env.model('boats.boat' as 'core.tag').createMany([{ name: 'A', crew: 3 }, { name: 'B' }] as never)
    })
    const own = await asSystem((env) => env.model('core.tag').search([['name', '=', 'Yawl']]))
    await database.db
      .updateTable('core_tag' as never)
      .set({ write_uid: 1 } as never)
      .where('id' as never, 'in', own as never)
      .execute()
    const next = open('2.0')
    const plan = await planChange(database.db, next.catalogue, ['boats'], 'update', 'en')
    expect(plan.modules).toEqual([{ name: 'boats', title: 'Boats', from: '1.0', to: '2.0' }])
    expect(said(plan.changes)).toEqual([
      'aside fields Boat, Crew: 1',
      'add fields Boat, Sails: 1',
      'keep records Contact Tag: 1',
      'change records Contact Tag: 1',
      'add records Contact Tag: 1',
    ])
    await updateModules(next.services, next.catalogue, ['boats'])
    expect((await planChange(database.db, next.catalogue, ['boats'], 'update', 'en')).changes).toEqual([])
  })

  test('of an uninstall lists what moves to quarantine, and that of an install what is restored', async () => {
    const { services, catalogue, asSystem } = open('2.0')
    const [gone] = await asSystem(async (env) => {
      const boats = await env.model('boats.boat' as 'core.tag').search([])
      const values = [{ name: 'Ann' }, { name: 'Bob' }].map((each) => ({ ...each, skipper: 'yes', boat_ids: boats }))
      return env.model('core.partner').createMany(values as never)
    })
    const plan = await planChange(database.db, catalogue, ['boats'], 'uninstall', 'en')
    expect(plan.modules).toEqual([{ name: 'boats', title: 'Boats', from: '2.0', to: null }])
    expect(said(plan.changes)).toEqual([
      'aside fields Contact, Skipper, Boats: 6',
      'aside records Boat: 2',
      'remove records Contact Tag: 4',
    ])
    await uninstallModule(services, catalogue, 'boats')
    // Values of a record that was deleted meanwhile are not restored.
    await openModules(database.db, [base]).asSystem((env) => env.model('core.partner').unlink([gone!]))
    const again = await planChange(database.db, catalogue, ['boats'], 'install', 'en')
    expect(said(again.changes).filter((change) => change.startsWith('back'))).toEqual([
      'back fields Contact, Skipper, Boats: 3',
      'back records Boat: 2',
    ])
    await installModules(services, catalogue, ['boats'])
    const kept = await asSystem((env) =>
      env.model('core.partner').searchRead([['name', '=', 'Bob']], ['skipper', 'boat_ids'] as never),
    )
    expect(kept).toMatchObject([{ skipper: 'yes', boat_ids: [expect.anything(), expect.anything()] }])
  })

  test('of switching it off lists what is hidden or waits, and says that the records stay', async () => {
    const { services, catalogue, asSystem } = open('2.0')
    await asSystem(async (env) => {
      await env.model('sys.menu').createMany(['Boats', 'Crews'].map((name) => ({ name, module: 'boats' })))
      const every = { interval_type: 'days', nextcall: '2026-01-01T00:00:00Z', timezone: 'UTC' } as const
      await env.model('sys.cron').create({ name: 'Count boats', handler: 'boats.count', ...every })
    })
    const plan = await planChange(database.db, catalogue, ['boats'], 'deactivate', 'en')
    expect(plan).toMatchObject({ modules: [{ name: 'boats', from: '2.0', to: '2.0' }], problems: [] })
    expect(said(plan.changes)).toEqual([
      'hide records Menu: 2',
      'pause records Scheduled Job: 1',
      'stay fields Contact, Skipper, Boats: 3',
      'stay records Boat: 2',
    ])
    await deactivateModule(services, catalogue, 'boats')
    expect(await asSystem((env) => env.model('boats.boat' as 'core.tag').search([]))).toHaveLength(2)
    await activateModule(services, catalogue, 'boats')
    const { problems } = await planChange(database.db, catalogue, ['base'], 'deactivate', 'de')
    expect(problems).toEqual(['Andere brauchen es: Boote.'])
  })
})
