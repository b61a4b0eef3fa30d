import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import { couldRead, readForRules } from '../../kernel/orm/record/rule-values.ts'
import { search } from '../../kernel/orm/record/search.ts'
import { write } from '../../kernel/orm/record/write.ts'
import { modelOf } from '../../kernel/orm/statement/scope.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { openPeople, type People } from '../support/people.ts'

let people: People
beforeAll(async () => {
  people = await openPeople(['contacts', 'crm'])
  await people.hire('ann-en', ['crm.group_manager'])
  await people.hire('uwe', ['crm.group_manager'], { lang: 'de' })
})
afterAll(() => people.leave())

async function columns(id: number): Promise<{ name: string; german: string | null }> {
  const { rows } = await sql<{ name: string; german: string | null }>`
    select name, "name@de" as german from crm_stage where id = ${id}`.execute(people.database.db)
  return rows[0]!
}

describe('what is kept of a text', () => {
  const revisions = (id: number) =>
    people.asSystem(async (env) => {
      const { rows } = await sql<{ changed: unknown }>`
        select changed from sys_revision where model = 'crm.stage' and res_id = ${id} order by version`.execute(env.tx)
      return rows.map(({ changed }) => changed)
    })
  const create = () =>
    people.as('ann-en', (env) =>
      env.model('crm.stage').create({ name: 'Pilot', 'name@de': 'Versuch', sequence: 60 } as never),
    )
  const writeAs = (login: string, id: number, values: object, version?: number) =>
    people.as(login, (env) =>
      write(
        env,
        modelOf(env, 'crm.stage'),
        [id],
        values as never,
        version ? { baseVersion: new Map([[id, version]]) } : {},
      ),
    )

  test('is the stored text, whatever the language of the writer', async () => {
    const id = await create()
    await writeAs('uwe', id, { name: 'Trial', 'name@de': 'Probe' })
    await writeAs('uwe', id, { name: 'Muster' })
    expect(await revisions(id)).toEqual([{ name: 'Pilot', 'name@de': 'Versuch' }, { 'name@de': 'Probe' }])
  })

  test('tells two people apart who changed the same text, and gives both their texts', async () => {
    const id = await create()
    await writeAs('uwe', id, { name: 'Trial', 'name@de': 'Versuch' })
    await expect(writeAs('ann-en', id, { name: 'Sample' }, 1)).rejects.toMatchObject({
      details: { records: { [id]: { fields: { name: { base: 'Pilot', mine: 'Sample', theirs: 'Trial' } } } } },
    })
    await expect(writeAs('uwe', id, { name: 'Sample', 'name@de': 'Versuch' }, 1)).rejects.toMatchObject({
      details: { records: { [id]: { fields: { name: { base: 'Pilot', mine: 'Sample', theirs: 'Trial' } } } } },
    })
    await writeAs('uwe', id, { name: 'Muster' }, 1)
    expect(await columns(id)).toEqual({ name: 'Trial', german: 'Muster' })
  })
})

const READ_RULE = {
  ...{ id: 1, name: 'Test', model: 'crm.stage', groupIds: [] },
  applies: { read: true, write: false, create: false, unlink: false },
}

test('who could read a deleted record is judged by the English text, as while it was there', async () => {
  const remembered = async (login: string) => {
    const id = await people.as('ann-en', (env) =>
      env.model('crm.stage').create({ name: 'Secret', 'name@de': 'Geheim', sequence: 70 } as never),
    )
    return people.as(login, async (env) => {
      const rules = new Map([
        ...env.access.rules,
        ['crm.stage', [{ ...READ_RULE, domain: [['name', '!=', 'Secret']] }]],
      ])
      const strict = { ...env, access: { ...env.access, rules } } as Env
      const stages = modelOf(env, 'crm.stage')
      const before = await readForRules(strict, stages, [id])
      return couldRead(strict, stages, before.get(id)!)
    })
  }
  expect([await remembered('ann-en'), await remembered('uwe')]).toEqual([false, false])
})

test('a cursor belongs to the language of its order', async () => {
  const page = (lang: string, cursor?: string) =>
    people.as('ann-en', async (env) =>
      search(env.inLanguage(lang), modelOf(env, 'crm.stage'), {
        ...{ domain: [], fields: ['name'], order: 'name', limit: 2 },
        ...(cursor !== undefined && { cursor }),
      }),
    )
  const { nextCursor } = await page('de')
  await expect(page('en', (await nextCursor())!)).rejects.toMatchObject({ reason: 'cursor_invalid' })
})
