import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import { readGroup } from '../../kernel/orm/group/group.ts'
import { copyRecord } from '../../kernel/orm/record/copy.ts'
import { search } from '../../kernel/orm/record/search.ts'
import { write } from '../../kernel/orm/record/write.ts'
import { modelOf } from '../../kernel/orm/statement/scope.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { openPeople, type People } from '../support/people.ts'

let people: People
beforeAll(async () => {
  people = await openPeople(['contacts', 'crm', 'project'])
  const groups = ['crm.group_manager']
  await people.hire('ann-en', groups)
  await people.hire('uwe', groups, { lang: 'de' })
  await people.hire('resi', groups, { lang: 'de-AT' })
})
afterAll(() => people.leave())

const stagesOf = (login: string, domain: readonly unknown[] = [], order = 'sequence') =>
  people.as(login, async (env) => {
    const { records } = await search(env, modelOf(env, 'crm.stage'), { domain, fields: ['name'], order })
    return records.map(({ name }) => name)
  })

const ENGLISH = ['New', 'Qualified', 'Proposition', 'Negotiation', 'Won']
const GERMAN = ['Neu', 'Qualifiziert', 'Angebot', 'Verhandlung', 'Gewonnen']

describe('a text that may be another one in each language', () => {
  test('is read in the language of the reader, also in a region of it', async () => {
    expect(await stagesOf('ann-en')).toEqual(ENGLISH)
    expect(await stagesOf('uwe')).toEqual(GERMAN)
    expect(await stagesOf('resi')).toEqual(GERMAN)
  })

  test('is searched and sorted in the language of the reader', async () => {
    expect(await stagesOf('uwe', [['name', 'ilike', 'handl']])).toEqual(['Verhandlung'])
    expect(await stagesOf('uwe', [['name', '=', 'Negotiation']])).toEqual([])
    expect(await stagesOf('uwe', [['name', 'not in', ['Neu', 'Angebot']]])).toEqual([
      'Qualifiziert',
      'Verhandlung',
      'Gewonnen',
    ])
    expect(await stagesOf('ann-en', [['name', 'ilike', 'handl']])).toEqual([])
    expect(await stagesOf('uwe', [], 'name')).toEqual([...GERMAN].sort())
    expect(await stagesOf('ann-en', [], 'name')).toEqual([...ENGLISH].sort())
  })

  test('is the name of a link, and of the groups of it', async () => {
    const names = async (env: Env) => {
      const id = await env.model('crm.lead').create({ name: 'A lead' })
      const [lead] = await env.model('crm.lead').read([id], ['stage_id'])
      const query = { domain: [['id', '=', id]], groupby: ['stage_id'], fields: [] }
      const groups = await readGroup(env, modelOf(env, 'crm.lead'), query)
      return [lead!.stage_id?.[1], groups.map((group) => (group['stage_id'] as [number, string])[1])]
    }
    expect(await people.as('uwe', names)).toEqual(['Neu', ['Neu']])
    expect(await people.as('ann-en', names)).toEqual(['New', ['New']])
  })

  test('is grouped by in the language of the reader, and the group leads to its records', () =>
    people.as('uwe', async (env) => {
      const stages = modelOf(env, 'crm.stage')
      const groups = await readGroup(env, stages, { domain: [], groupby: ['name'], fields: [] })
      expect(groups.map(({ name }) => name)).toEqual([...GERMAN].sort())
      const neu = groups.find(({ name }) => name === 'Neu')!
      const { records } = await search(env, stages, { domain: neu['__domain'] as unknown[], fields: ['name'] })
      expect(records.map(({ name }) => name)).toEqual(['Neu'])
    }))

  test('falls back to English without a translation', async () => {
    const id = await people.as('ann-en', (env) => env.model('crm.stage').create({ name: 'Contract', sequence: 45 }))
    const seen = () => people.as('uwe', async (env) => (await env.model('crm.stage').read([id], ['name']))[0]!.name)
    expect(await seen()).toBe('Contract')
    await people.as('uwe', (env) => env.model('crm.stage').write([id], { name: 'Vertrag' }))
    expect(await seen()).toBe('Vertrag')
    expect(await columns(id)).toEqual({ name: 'Contract', german: 'Vertrag' })
    await people.as('uwe', (env) => env.model('crm.stage').write([id], { 'name@de': null } as never))
    expect(await seen()).toBe('Contract')
  })

  test('of a new record is also its English text, until it is translated', async () => {
    const id = await people.as('uwe', (env) => env.model('crm.stage').create({ name: 'Muster', sequence: 46 }))
    expect(await columns(id)).toEqual({ name: 'Muster', german: 'Muster' })
    await people.as('ann-en', (env) => env.model('crm.stage').write([id], { name: 'Sample' }))
    expect(await columns(id)).toEqual({ name: 'Sample', german: 'Muster' })
  })

  test('is read and written in every language by its name', async () => {
    const id = await people.as('uwe', (env) =>
      env.model('crm.stage').create({ name: 'Trial', 'name@de': 'Probe', sequence: 47 } as never),
    )
    expect(await columns(id)).toEqual({ name: 'Trial', german: 'Probe' })
    await people.as('uwe', (env) =>
      env.model('crm.stage').write([id], { name: 'Test run', 'name@de': 'Probelauf' } as never),
    )
    expect(await columns(id)).toEqual({ name: 'Test run', german: 'Probelauf' })
  })

  test('that does not fit is refused under the name that the caller gave', async () => {
    const name = 'x'.repeat(101)
    const refused = { details: { fields: { name: expect.any(String) } } }
    await expect(people.as('uwe', (env) => env.model('crm.stage').create({ name }))).rejects.toMatchObject(refused)
    const [id] = await people.as('uwe', (env) => env.model('crm.stage').search([]))
    await expect(people.as('uwe', (env) => env.model('crm.stage').write([id!], { name }))).rejects.toMatchObject(
      refused,
    )
  })

  test('is merged language by language: two who write the same one meet, others do not', async () => {
    const id = await people.as('ann-en', (env) => env.model('crm.stage').create({ name: 'Offer', sequence: 48 }))
    const writeSince = (login: string, values: { name: string }) =>
      people.as(login, (env) =>
        write(env, modelOf(env, 'crm.stage'), [id], values, { baseVersion: new Map([[id, 1]]) }),
      )
    await writeSince('ann-en', { name: 'Bid' })
    await writeSince('uwe', { name: 'Gebot' })
    await expect(writeSince('resi', { name: 'Anbot' })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { records: { [id]: { fields: { name: { mine: 'Anbot', theirs: 'Gebot' } } } } },
    })
    expect(await columns(id)).toEqual({ name: 'Bid', german: 'Gebot' })
  })

  test('is copied in all languages', async () => {
    const copy = await people.as('uwe', async (env) => {
      const [won] = await env.model('crm.stage').search([['name', '=', 'Gewonnen']])
      return copyRecord(env, 'crm.stage', won!)
    })
    expect(await columns(copy)).toEqual({ name: 'Won', german: 'Gewonnen' })
  })

  test('is shown anew to others when it changes in one language', async () => {
    const id = await people.as('uwe', async (env) => (await env.model('crm.stage').search([]))[0]!)
    await people.as('uwe', (env) => env.model('crm.stage').write([id], { requirements: 'Nichts' }))
    const { rows } = await sql<{ fields: string[] }>`
      select payload->'fields' as fields from sys_outbox where payload->>'model' = 'crm.stage'
      order by id desc limit 1`.execute(people.database.db)
    expect(rows[0]!.fields).toEqual(expect.arrayContaining(['requirements', 'requirements@de']))
  })
})

test('a record rule compares the English text, in a path as on the record itself', async () => {
  await people.asSystem((env) =>
    env.model('sys.rule').create({ name: 'first stage', model: 'crm.stage', domain: "[['name', '=', 'New']]" }),
  )
  await people.as('uwe', async (env) => {
    const id = await env.model('crm.lead').create({ name: 'By a path' })
    const domain = [
      ['id', '=', id],
      ['stage_id.name', '=', 'Neu'],
    ]
    const { records } = await search(env, modelOf(env, 'crm.lead'), { domain, fields: ['name'] })
    expect(records).toEqual([{ id, name: 'By a path' }])
  })
  expect(await stagesOf('uwe')).toEqual(['Neu'])
})

async function columns(id: number): Promise<{ name: string; german: string | null }> {
  const { rows } = await sql<{ name: string; german: string | null }>`
    select name, "name@de" as german from crm_stage where id = ${id}`.execute(people.database.db)
  return rows[0]!
}

test('the default order of every language has its index', async () => {
  const plan = await people.asSystem(async ({ tx }) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    await sql`set local enable_sort = off`.execute(tx)
    const { rows } = await sql<Record<string, string>>`
      explain select id from product_product as p
      order by coalesce(p."name@de", p.name) collate "und-x-icu", id limit 80`.execute(tx)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toContain('Index Scan using "product_product_default@de_order"')
  expect(plan).not.toContain('Sort')
})

test('what the addons bring reads German throughout', async () => {
  const english = await people.asSystem(async (env) => {
    const found: string[] = []
    const models = [...env.registry.models.values()].filter(({ translated }) => translated.length > 0)
    expect(models.map(({ name }) => name)).toEqual(expect.arrayContaining(['core.tag', 'crm.stage', 'product.uom']))
    for (const { name, table, translated } of models) {
      for (const { column } of translated) {
        const { rows } = await sql<{ text: string }>`
          select ${sql.ref(column!)} as text from ${sql.table(table)} where ${sql.ref(column!)} <> ''
          and ${sql.ref(`${column}@de`)} is null and id in (select res_id from sys_xmlid where model = ${name})`.execute(
          env.tx,
        )
        found.push(...rows.map(({ text }) => `${name}: ${text}`))
      }
    }
    return found
  })
  expect(english).toEqual([])
})
