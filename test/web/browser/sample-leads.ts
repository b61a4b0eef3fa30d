import { type RawBuilder, sql } from 'kysely'
import type { Page } from 'playwright-core'
import { below, pick, type Random } from '../../support/seeded-random.ts'
import type { ClientFixture } from './fixture.ts'

/** The leads of a test of numbers, in two currencies, three stages and two teams; found by this text. */
export const SAMPLE = 'Sample'

export const MINE: RawBuilder<boolean> = sql<boolean>`active and name like ${`${SAMPLE}%`}`

/** Creates them; returns the records they link to, for tests that add or change leads. */
export const createSampleLeads = (client: ClientFixture) =>
  client.modules().asSystem(async (env) => {
    const [user] = await env.model('core.user').searchRead([['login', '=', 'admin']], ['company_id'])
    const currencies = await env.model('core.currency').search([['name', 'in', ['EUR', 'USD']]])
    const stages = await env.model('crm.stage').search([], { limit: 3 })
    const teams = await env.model('crm.team').search([], { limit: 2 })
    const leads = Array.from({ length: 9 }, (_, at) => ({
      ...{ name: `${SAMPLE} ${at}`, type: 'opportunity' as const, company_id: user!.company_id![0], user_id: user!.id },
      ...{ currency_id: currencies[at % 2]!, stage_id: stages[at % 3]!, expected_revenue: 100 * (at + 1) },
      team_id: teams[at % 2]!,
    }))
    await env.model('crm.lead').createMany(leads)
    return { currencies, stages, teams, one: leads[0]! }
  })

export type SampleLeads = Awaited<ReturnType<typeof createSampleLeads>>

export const sampleLeadIds = (client: ClientFixture) =>
  client.modules().asSystem((env) => env.model('crm.lead').search([['name', 'like', SAMPLE]]))

export const writeSampleLead = (client: ClientFixture, id: number, values: Readonly<Record<string, unknown>>) =>
  client.modules().asSystem((env) => env.model('crm.lead').write([id], values as { active: boolean }))

/** Changes of somebody else, which come by the bus. */
export const OTHERS: Readonly<
  Record<string, (client: ClientFixture, random: Random, facts: SampleLeads, id: number) => Promise<unknown>>
> = {
  amount: (client, random, _facts, id) =>
    writeSampleLead(client, id, { expected_revenue: below(random, 100_000) / 100 }),
  stage: (client, random, { stages }, id) => writeSampleLead(client, id, { stage_id: pick(random, stages) }),
  currency: (client, random, { currencies }, id) =>
    writeSampleLead(client, id, { currency_id: pick(random, currencies) }),
  team: (client, random, { teams }, id) => writeSampleLead(client, id, { team_id: pick(random, teams) }),
  archive: (client, _random, _facts, id) => writeSampleLead(client, id, { active: false }),
  create: (client, random, { one }) =>
    client
      .modules()
      .asSystem((env) => env.model('crm.lead').create({ ...one, name: `${SAMPLE} ${below(random, 1_000) + 100}` })),
  delete: (client, _random, _facts, id) => client.modules().asSystem((env) => env.model('crm.lead').unlink([id])),
}

/** What somebody else does in a round: removing records only sometimes. */
export const otherChange = (random: Random, round: number): string =>
  pick(
    random,
    Object.keys(OTHERS).filter((name) => round % 3 > 0 || !['archive', 'delete'].includes(name)),
  )

/** Holds back the first answer to calls with this text until it is let go; later ones pass it. */
export async function holdFirst(page: Page, text: string): Promise<{ readonly asked: () => number; letGo(): void }> {
  let letGo = () => {}
  const released = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let asked = 0
  await page.route('**/api/rpc', async (route) => {
    const isFirst = (route.request().postData() ?? '').includes(text) && ++asked === 1
    const response = await route.fetch()
    if (isFirst) await released
    await route.fulfill({ response })
  })
  return { asked: () => asked, letGo }
}

/** Rows of a statement. */
export const rowsOf = async <T>(client: ClientFixture, statement: RawBuilder<T>): Promise<readonly T[]> =>
  (await statement.execute(client.modules().services.db)).rows

/** The number in a text of the English client. */
export const numberIn = (text: string | null | undefined): number => Number((text ?? '').replace(/[^\d.-]/g, ''))
