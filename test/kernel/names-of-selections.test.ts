import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineModel, type FieldsOf, field } from '#kernel'
import base from '../../addons/base/addon.ts'
import { displayNameOf } from '../../kernel/domain/display-name.ts'
import type { Env } from '../../kernel/env.ts'
import type { Column } from '../../kernel/exchange/import/column/column.ts'
import { lookUp } from '../../kernel/exchange/import/record/lookup.ts'
import { defineAddon } from '../../kernel/module/addon.ts'
import { installModules } from '../../kernel/module/install.ts'
import { readGroup } from '../../kernel/orm/group/group.ts'
import { search } from '../../kernel/orm/record/search.ts'
import { KeptParts } from '../../kernel/orm/statement/kept-parts.ts'
import { modelOf } from '../../kernel/orm/statement/scope.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { SYSTEM_USER } from '../../kernel/work/system-user.ts'
import { inTransaction } from '../../kernel/work/transaction.ts'
import { findRecords } from '../../kernel/workspace/find-records.ts'
import { baseTemplate } from '../support/base-database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules, type TestModules } from '../support/modules.ts'

const STATES = { sea: 'At sea', port: 'Moored' } as const

const harbourBoat = defineModel('harbour.boat', {
  label: 'Boat',
  displayName: ['state', 'name'],
  fields: { state: field.selection(STATES), name: field.char() },
})
const harbourSign = defineModel('harbour.sign', {
  label: 'Sign',
  displayName: 'state',
  fields: { state: field.selection(STATES) },
})
const harbourNote = defineModel('harbour.note', {
  label: 'Note',
  displayName: ['mark'],
  fields: { mark: field.selection({}) },
})
const harbourTrip = defineModel('harbour.trip', {
  label: 'Trip',
  fields: {
    name: field.char(),
    boat_id: field.many2one('harbour.boat'),
    boat_ids: field.many2many('harbour.boat'),
  },
})

declare module '#kernel' {
  interface Models {
    'harbour.boat': HarbourBoat
    'harbour.sign': HarbourSign
    'harbour.note': HarbourNote
    'harbour.trip': HarbourTrip
  }
  interface HarbourBoat extends FieldsOf<typeof harbourBoat> {}
  interface HarbourSign extends FieldsOf<typeof harbourSign> {}
  interface HarbourNote extends FieldsOf<typeof harbourNote> {}
  interface HarbourTrip extends FieldsOf<typeof harbourTrip> {}
}

const harbour = defineAddon({
  name: 'harbour',
  version: '1.0',
  summary: 'Boats',
  depends: ['base'],
  models: [harbourBoat, harbourSign, harbourNote, harbourTrip],
  translations: { de: { 'At sea': 'Auf See', Moored: 'Vertäut' }, nl: { 'At sea': 'Op zee' } },
})

const LANGUAGES = ['en', 'de', 'de-AT', 'nl', 'fr'] as const
const NAMES_OF_ALPHA = { en: 'At sea Alpha', de: 'Auf See Alpha', 'de-AT': 'Auf See Alpha', nl: 'Op zee Alpha' }

let database: TestDatabase
let modules: TestModules

beforeAll(async () => {
  database = await createDatabase(baseTemplate)
  modules = openModules(database.db, [base, harbour])
  await installModules(modules.services, modules.catalogue, ['harbour'])
  await modules.asSystem(async (env) => {
    const boats = await env.model('harbour.boat').createMany([
      { state: 'sea', name: 'Alpha' },
      { state: 'port', name: 'Alpha' },
      { state: 'port', name: null },
      { state: null, name: 'At sea Alpha' },
      { state: null, name: null },
      { state: null, name: 'Gone' },
    ])
    await env.model('harbour.sign').createMany([{ state: 'sea' }, { state: 'port' }, { state: null }])
    await env.model('harbour.note').createMany([{}, {}])
    await env
      .model('harbour.trip')
      .createMany([
        ...boats.map((boat_id, index) => ({ name: `Trip ${index}`, boat_id, boat_ids: [[6, 0, [boat_id]] as const] })),
        { name: 'Ashore' },
      ])
    await env
      .model('sys.access')
      .createMany(['harbour.boat', 'harbour.trip'].map((model) => ({ name: model, model, perm_read: true })))
    // Keys that the selection no longer has are shown as they are.
    await sql`update harbour_boat set state = 'wreck' where name = 'Gone'`.execute(env.tx)
    await sql`update harbour_note set mark = 'x' where id = 1`.execute(env.tx)
    await sql`insert into sys_log (level, source, message) values ('warning', 'jobs', '-'), ('error', 'mail', '-')`.execute(
      env.tx,
    )
  })
})
afterAll(() => database.drop())

const inLanguage = <T>(lang: string, work: (env: Env) => Promise<T>): Promise<T> =>
  modules.asSystem((env) => work(env.inLanguage(lang)))

const idsOf = async (env: Env, model: string, domain: readonly unknown[]) => {
  const { records } = await search(env, modelOf(env, model), { domain, order: 'id', archived: 'include' })
  return records.map(({ id }) => id as number)
}

/** A user with the rights of an administrator and no more. */
const asAdministrator = async <T>(work: (env: Env) => Promise<T>): Promise<T> => {
  const state = await modules.holder.latest()
  const groups = ['base.group_system', 'base.group_user'].map((name) => state.access.groupIdByXmlid.get(name)!)
  const user = { ...SYSTEM_USER, groupIds: new Set(groups) }
  return inTransaction({ services: modules.services, state, user, requestId: 'test', now: new Date() }, 'write', work)
}

/** Display names by id. */
async function namesOf(env: Env, model: string): Promise<ReadonlyMap<number, string | null>> {
  const query = { domain: [], fields: ['display_name'], order: 'id', archived: 'include' } as const
  const { records } = await search(env, modelOf(env, model), query)
  return new Map(records.map(({ id, display_name }) => [id as number, display_name as string | null]))
}

const tripsOf = async (env: Env, domain: readonly unknown[]) => {
  const { records } = await search(env, modelOf(env, 'harbour.trip'), { domain, fields: ['name'], order: 'id' })
  return records.map(({ name }) => name)
}

describe('a name with words of a selection', () => {
  test.each(LANGUAGES)('finds in %s the records that show it, in every model that has such names', async (lang) => {
    await inLanguage(lang, async (env) => {
      const models = [...env.registry.models.values()].filter(({ displayFields, fields }) =>
        displayFields.some((name) => fields.get(name)!.selection !== null),
      )
      expect(models.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['sys.audit', 'sys.log', 'harbour.boat', 'harbour.sign', 'harbour.note']),
      )
      let asked = 0
      for (const { name: model } of models) {
        const names = await namesOf(env, model)
        for (const name of new Set(names.values())) {
          const those = [...names].filter(([, each]) => each === name).map(([id]) => id)
          const others = [...names.keys()].filter((id) => !those.includes(id))
          const place = { lang, model, name }
          expect({ ...place, ids: await idsOf(env, model, [['display_name', '=', name]]) }).toEqual({
            ...place,
            ids: those,
          })
          expect({ ...place, ids: await idsOf(env, model, [['display_name', 'in', [name]]]) }).toEqual({
            ...place,
            ids: those,
          })
          expect({ ...place, ids: await idsOf(env, model, [['display_name', '!=', name]]) }).toEqual({
            ...place,
            ids: others,
          })
          if (name === null) continue
          const part = name.slice(1).toUpperCase()
          expect(await idsOf(env, model, [['display_name', 'ilike', part]])).toEqual(expect.arrayContaining(those))
          expect(await idsOf(env, model, [['display_name', '>=', name]])).toEqual(expect.arrayContaining(those))
          asked++
        }
      }
      expect(asked).toBeGreaterThan(8)
    })
  })

  test.each(LANGUAGES)('is in %s the same made from the values of a record', async (lang) => {
    await inLanguage(lang, async (env) => {
      for (const name of ['harbour.boat', 'harbour.sign', 'harbour.note', 'harbour.trip'])
        for (const record of (await search(env, modelOf(env, name), { domain: [] })).records)
          expect(displayNameOf(modelOf(env, name), record, env)).toBe(record['display_name'])
    })
  })

  test('is not found by a key, or by a word of another language', async () => {
    for (const name of ['sea Alpha', 'Op zee Alpha'])
      expect(await inLanguage('de', (env) => idsOf(env, 'harbour.boat', [['display_name', '=', name]]))).toEqual([])
    expect(await inLanguage('de', (env) => idsOf(env, 'harbour.sign', [['display_name', '=', 'sea']]))).toEqual([])
  })

  test.each(Object.entries(NAMES_OF_ALPHA))('finds in %s the records that link to it', async (lang, name) => {
    await inLanguage(lang, async (env) => {
      const trips = lang === 'en' ? ['Trip 0', 'Trip 3'] : ['Trip 0']
      const part = name.slice(0, -2).toLowerCase()
      for (const field of ['boat_id', 'boat_ids']) {
        expect(await tripsOf(env, [[field, '=', name]])).toEqual(trips)
        expect(await tripsOf(env, [[field, 'in', [name, 'nobody']]])).toEqual(trips)
        expect(await tripsOf(env, [[field, 'ilike', part]])).toEqual(trips)
        expect(await tripsOf(env, [[field, 'not ilike', part]])).toHaveLength(7 - trips.length)
        expect(await tripsOf(env, ['|', ['name', 'ilike', 'nothing'], [field, 'ilike', part]])).toEqual(trips)
        expect(await tripsOf(env, [[`${field}.display_name`, '=', name]])).toEqual(trips)
      }
      const [found] = await findRecords(env, { text: part, models: ['harbour.boat'], of: null })
      expect(found!.records.map((record) => record['display_name'])).toContain(name)
    })
  })

  test('names a group, and finds the records of the group', async () => {
    for (const lang of LANGUAGES)
      await inLanguage(lang, async (env) => {
        const groups = await readGroup(env, modelOf(env, 'harbour.trip'), {
          domain: [],
          groupby: ['boat_id'],
          fields: [],
        })
        const names = groups.flatMap(({ boat_id }) =>
          boat_id === null ? [] : [(boat_id as [number, string | null])[1]],
        )
        expect(names).toHaveLength(6)
        for (const name of names.filter((each) => each !== null))
          expect(await tripsOf(env, [['boat_id', '=', name]])).toHaveLength(
            names.filter((each) => each === name).length,
          )
      })
  })

  test('is compared in the language of each question, also for a caller who asked in another one before', async () => {
    await asAdministrator(async (own) => {
      const parts = new KeptParts(own.user, own)
      for (const lang of ['en', 'de', 'nl', 'en', 'de'] as const) {
        const env: Env = { ...own.inLanguage(lang), parts }
        const names = await namesOf(env, 'harbour.boat')
        expect([...names.values()]).toContain(NAMES_OF_ALPHA[lang])
        for (let again = 0; again < 2; again++)
          expect(await idsOf(env, 'harbour.boat', [['display_name', '=', NAMES_OF_ALPHA[lang]]])).toEqual(
            lang === 'en' ? [1, 4] : [1],
          )
        expect(await tripsOf(env, [['boat_id', 'ilike', NAMES_OF_ALPHA[lang]]])).toContain('Trip 0')
      }
      expect(parts.size).toBeGreaterThan(3)
    })
  })

  test.each(LANGUAGES)(
    'is compared by its keys in a record rule, which is the same in %s as in every language',
    async (lang) => {
      const seen = (domain: readonly unknown[]) => asAdministrator(async (env) => tripsOf(env.inLanguage(lang), domain))
      const hidden = await modules.asSystem((env) =>
        env.model('sys.rule').create({
          ...{ name: 'Boats', model: 'harbour.boat', perm_write: false, perm_create: false, perm_unlink: false },
          domain: JSON.stringify([['display_name', '=', 'sea Alpha']]),
        }),
      )
      expect(await asAdministrator((env) => idsOf(env.inLanguage(lang), 'harbour.boat', []))).toEqual([1])
      expect(await seen([['boat_id', 'ilike', 'a']])).toEqual(['Trip 0'])
      expect(await seen([['boat_id', 'not ilike', 'zzz']])).toContain('Trip 1')
      await modules.asSystem((env) =>
        env.model('sys.rule').write([hidden], {
          model: 'harbour.trip',
          domain: JSON.stringify([['boat_id', 'ilike', 'port']]),
        }),
      )
      expect(await seen([])).toEqual(['Trip 1', 'Trip 2'])
      await modules.asSystem((env) => env.model('sys.rule').unlink([hidden]))
    },
  )
})

describe('an import', () => {
  const column = {
    field: { name: 'boat_id', relation: { target: 'harbour.boat', kind: 'many2one' } },
    ...{ index: 0, header: 'boat', path: 'boat_id', line: null, form: 'name', isKey: false, format: null },
    ...{ policy: 'match', settled: new Map() },
  } as unknown as Column

  test.each(LANGUAGES)('finds for a user in %s the record by its name in any language', async (lang) => {
    await inLanguage(lang, async (env) => {
      const names = ['Auf See Alpha', 'Op zee Alpha', ' Moored Alpha ', 'Vertäut', 'wreck Gone']
      const found = await lookUp(env, column, { texts: names, isToCome: () => false, isOwn: () => false }, new Map())
      expect(names.map((name) => found.get(name))).toEqual([1, 1, 2, 3, 6])
    })
  })

  test('refuses a name that two records have, and one that none has', async () => {
    await inLanguage('de', async (env) => {
      const texts = ['At sea Alpha', 'sea Alpha']
      const found = await lookUp(env, column, { texts, isToCome: () => false, isOwn: () => false }, new Map())
      expect(found.get('sea Alpha')).toMatchObject({ ids: [] })
      // In German only one record is called that.
      expect(found.get('At sea Alpha')).toBe(4)
    })
    await inLanguage('en', async (env) => {
      const texts = ['At sea Alpha']
      const found = await lookUp(env, column, { texts, isToCome: () => false, isOwn: () => false }, new Map())
      expect(found.get('At sea Alpha')).toMatchObject({ ids: [1, 4] })
    })
  })
})
