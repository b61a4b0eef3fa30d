import { beforeAll, expect, test } from 'vitest'
import type { WireTranslations } from '../../kernel/admin/wire-translations.ts'
import { sql } from '../../kernel/sql/sql.ts'
import type { Agent, Envelope } from '../support/agent.ts'
import { describeHosts } from '../support/hosts.ts'

const PATH = '/web/settings/translations'
const JSON_TYPE = { accept: 'application/json' }

describeHosts('GET /web/settings/translations', (host) => {
  let admin: Agent
  beforeAll(async () => {
    admin = await host.signIn('admin')
  })
  const ask = async (query = ''): Promise<WireTranslations> =>
    ((await (await admin.get(PATH + query, JSON_TYPE)).json()) as Envelope).result as WireTranslations
  const countries = ({ fields }: WireTranslations) => fields.find(({ model }) => model === 'core.country')!

  test('answers for each text how many records have it, and how many in the language', async () => {
    await sql`update core_country set "name@de" = null where code in ('FR', 'IT')`.execute(host.database.db)
    const found = await ask('?lang=de')
    const { rows } = await sql<{ total: number; translated: number }>`
      select count(*)::int as total, count("name@de")::int as translated from core_country`.execute(host.database.db)
    expect(found).toMatchObject({ lang: 'de', languages: ['de'] })
    expect(countries(found)).toEqual({
      model: 'core.country',
      modelLabel: 'Country',
      field: 'name',
      label: 'Name',
      type: 'char',
      mayWrite: true,
      ...rows[0],
    })
    expect(rows[0]!.total - rows[0]!.translated).toBe(2)
    expect(await ask()).toEqual(found)
  })

  // Only in this process statements can be counted.
  test.runIf(host.kind === 'process')('a model costs one statement, however many texts it has', async () => {
    const { statements } = host.database
    await ask()
    statements.length = 0
    const { fields } = await ask()
    const models = new Set(fields.map(({ model }) => model))
    expect(statements.filter((text) => text.includes('count(')).length).toBe(models.size)
  })

  test('a language that no text is translated into is refused', async () => {
    for (const lang of ['fr', 'en', "de'", ' ']) {
      const answer = await admin.get(`${PATH}?lang=${encodeURIComponent(lang)}`, JSON_TYPE)
      expect([answer.status, ((await answer.json()) as Envelope).error]).toMatchObject([
        400,
        { code: 'BAD_REQUEST', details: { reason: 'input_invalid' } },
      ])
    }
  })

  test('is for administrators', async () => {
    const demo = await host.signIn('demo')
    expect((await demo.get(PATH, JSON_TYPE)).status).toBe(403)
    expect((await demo.get(PATH, { accept: 'text/html' })).status).toBe(403)
  })
})
