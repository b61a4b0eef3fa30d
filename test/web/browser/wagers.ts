import { type RawBuilder, sql } from 'kysely'
import type { ClientFixture } from './fixture.ts'

/** The leads of a test of numbers, in two currencies and three stages; found by this text. */
export const WAGER = 'Wager'

export const MINE: RawBuilder<boolean> = sql<boolean>`active and name like ${`${WAGER}%`}`

/** Creates them; the facts are what further ones may have. */
export const createWagers = (client: ClientFixture) =>
  client.modules().asSystem(async (env) => {
    const [user] = await env.model('core.user').searchRead([['login', '=', 'admin']], ['company_id'])
    const currencies = await env.model('core.currency').search([['name', 'in', ['EUR', 'USD']]])
    const stages = await env.model('crm.stage').search([], { limit: 3 })
    const leads = Array.from({ length: 9 }, (_, at) => ({
      ...{ name: `${WAGER} ${at}`, type: 'opportunity' as const, company_id: user!.company_id![0], user_id: user!.id },
      ...{ currency_id: currencies[at % 2]!, stage_id: stages[at % 3]!, expected_revenue: 100 * (at + 1) },
    }))
    await env.model('crm.lead').createMany(leads)
    return { currencies, stages, one: leads[0]! }
  })

export type Wagers = Awaited<ReturnType<typeof createWagers>>

export const wagerIds = (client: ClientFixture) =>
  client.modules().asSystem((env) => env.model('crm.lead').search([['name', 'like', WAGER]]))

export const writeWager = (client: ClientFixture, id: number, values: Readonly<Record<string, unknown>>) =>
  client.modules().asSystem((env) => env.model('crm.lead').write([id], values as { active: boolean }))

/** Rows of a statement. */
export const rowsOf = async <T>(client: ClientFixture, statement: RawBuilder<T>): Promise<readonly T[]> =>
  (await statement.execute(client.modules().services.db)).rows

/** The number in a text of the English client. */
export const numberIn = (text: string | null | undefined): number => Number((text ?? '').replace(/[^\d.-]/g, ''))
