import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { pick, type Random, randomOf } from '../../support/seeded-random.ts'
import { repeats } from '../../support/soak.ts'
import { type SignedIn, useClient } from './fixture.ts'
import {
  createSampleLeads,
  holdFirst,
  MINE,
  OTHERS,
  otherChange,
  rowsOf,
  SAMPLE,
  sampleLeadIds,
} from './sample-leads.ts'

/** What a board and the search panel beside it say is compared with the database, whoever changes the records and however. */

const client = useClient()

const ROUNDS = repeats(12, 300)

interface Figures {
  /** Of the columns that have cards, by name. */
  readonly columns: Record<string, { readonly count: number; readonly sums: readonly number[] }>
  /** Of the search panel, by section and value. */
  readonly panel: Record<string, number>
}

async function inDatabase(): Promise<Figures> {
  const columns = await rowsOf(
    client,
    sql<{ stage: string; count: number; sums: number[] }>`
      with per as (
        select s.name as stage, l.currency_id, count(*)::int as count, round(sum(coalesce(l.expected_revenue, 0)))::float8 as sum
        from (select * from crm_lead where ${MINE}) l join crm_stage s on s.id = l.stage_id group by 1, 2)
      select stage, sum(count)::int as count, array_agg(sum order by sum desc) as sums from per group by 1`,
  )
  const teams = await rowsOf(
    client,
    sql<{ team: string; count: number }>`
      select coalesce(t.name, 'Not set') as team, count(*)::int as count
      from (select * from crm_lead where ${MINE}) l left join crm_team t on t.id = l.team_id group by 1`,
  )
  return {
    columns: Object.fromEntries(columns.map(({ stage, count, sums }) => [stage, { count, sums }])),
    panel: Object.fromEntries([...teams.map(({ team, count }) => [`Team ${team}`, count])]),
  }
}

const onScreen = (page: Page): Promise<Figures> =>
  page.evaluate(() => {
    const textOf = (of: Element | null) => of?.textContent?.trim() ?? ''
    const numberOf = (of: Element) => Number(textOf(of).replace(/[^\d.-]/g, ''))
    const columns = [...document.querySelectorAll('.board .col')].flatMap((column) => {
      const count = Number(textOf(column.querySelector('.count')))
      const several = [...column.querySelectorAll('.cursums > span')]
      const one = column.querySelector('.sum, .vert')
      const sums = (several.length > 0 ? several : one ? [one] : []).map(numberOf).toSorted((a, b) => b - a)
      return count > 0 ? [[textOf(column.querySelector('h2')), { count, sums }] as const] : []
    })
    const panel = [...document.querySelectorAll('.spanel section')].flatMap((section) =>
      [...section.querySelectorAll('.nav-i:has(.n)')].map((each) => {
        const name = `${textOf(section.querySelector('h2'))} ${textOf(each.querySelector('.lb'))}`
        return [name, numberOf(each.querySelector('.n')!)] as const
      }),
    )
    const isCompared = ([name, count]: readonly [string, number]) => name.startsWith('Team ') && count > 0
    return { columns: Object.fromEntries(columns), panel: Object.fromEntries(panel.filter(isCompared)) }
  })

const cardOf = (page: Page, id: number): Locator => page.locator(`[data-card="${id}"]`)

/** A column where nobody is at work is changed at once. */
async function leave(page: Page): Promise<void> {
  await page.mouse.move(2, 2)
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
}

async function chooseOnCard(page: Page, id: number, item: string | RegExp): Promise<void> {
  await cardOf(page, id).hover()
  await cardOf(page, id)
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: item }).first().click()
}

/** What a user does on a board. */
const OWN: Readonly<Record<string, (signedIn: SignedIn, random: Random, id: number) => Promise<void>>> = {
  async keys({ page }, random, id) {
    await cardOf(page, id).locator('h3 a').focus()
    await page.keyboard.press('m')
    await page.keyboard.press(pick(random, ['ArrowRight', 'ArrowLeft']))
    await page.keyboard.press('Enter')
  },
  async menu({ page }, random, id) {
    await chooseOnCard(page, id, pick(random, ['New', 'Qualified', 'Proposition']))
  },
  async drag({ page }, random, id) {
    const column = page.locator('.board .col:not(.fold)').nth(pick(random, [0, 1, 2]))
    const [from, to] = [(await cardOf(page, id).boundingBox())!, (await column.boundingBox())!]
    await page.mouse.move(from.x + 60, from.y + 16)
    await page.mouse.down()
    await page.mouse.move(from.x + 70, from.y + 24, { steps: 4 })
    await page.mouse.move(to.x + to.width / 2, to.y + 90, { steps: 8 })
    await page.mouse.up()
  },
  async archiveAndUndo({ page }, _random, id) {
    await chooseOnCard(page, id, 'Archive')
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await cardOf(page, id).waitFor()
  },
  async deleteAndUndo({ page }, _random, id) {
    await chooseOnCard(page, id, 'Delete')
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await cardOf(page, id).waitFor()
  },
  async delete({ page }, _random, id) {
    await chooseOnCard(page, id, 'Delete')
    await page.getByRole('button', { name: 'Undo', exact: true }).waitFor()
    // It is deleted when the offer ends, and at once when the page is left.
    await page.locator('.toast').waitFor({ state: 'detached' })
  },
}

test('columns and search panel say what the database adds up, after any change by oneself or by others', async () => {
  const facts = await createSampleLeads(client)
  const signedIn = await client.signIn()
  const { page, go, complaints } = signedIn
  await go(`/web?model=crm.lead&view_type=kanban&filter=&q=${SAMPLE}`)
  await page.getByRole('button', { name: 'Narrow by' }).click()
  await page.locator('.spanel').waitFor()
  await allLoaded(page)
  const random = randomOf(7)
  const names = Object.keys(OWN)
  // Both are read again each time: a change of one's own is on the screen before the database has it.
  const agrees = (round: string) =>
    expect
      .poll(
        async () => {
          await allLoaded(page)
          const [screen, database] = [await onScreen(page), await inDatabase()]
          return JSON.stringify(screen) === JSON.stringify(inOrderOf(database, screen)) ? null : { screen, database }
        },
        { message: round },
      )
      .toBeNull()
  await agrees('at first')
  for (let round = 0; round < ROUNDS; round++) {
    const shown = await page
      .locator('[data-card]')
      .evaluateAll((all) => all.map((card) => Number(card.getAttribute('data-card'))))
    const ids = (await sampleLeadIds(client)).filter((id) => shown.includes(id))
    const own = round % 2 === 1 ? names[((round - 1) / 2) % names.length]! : null
    const name = own ?? otherChange(random, round)
    if (own) await OWN[own]!(signedIn, random, pick(random, ids))
    else await OTHERS[name]!(client, random, facts, pick(random, ids))
    await leave(page)
    await agrees(`round ${round}: ${name}`)
  }
  expect(complaints).toEqual([])
  await page.context().close()
})

/** The same, with names in the order of the other, so that both are the same text if they are equal. */
function inOrderOf(figures: Figures, other: Figures): Figures {
  const sorted = <T>(of: Record<string, T>, like: Record<string, unknown>): Record<string, T> =>
    Object.fromEntries(
      Object.entries(of).toSorted(([a], [b]) => Object.keys(like).indexOf(a) - Object.keys(like).indexOf(b)),
    )
  return { columns: sorted(figures.columns, other.columns), panel: sorted(figures.panel, other.panel) }
}

test('of two answers that a board waits for the later one counts, whichever comes first', async () => {
  const facts = await createSampleLeads(client)
  const { page, go, complaints } = await client.signIn()
  await go(`/web?model=crm.lead&view_type=kanban&filter=&q=${SAMPLE}`)
  const counts = async () => Object.entries((await onScreen(page)).columns).map(([name, { count }]) => [name, count])
  const stored = async () => Object.entries((await inDatabase()).columns).map(([name, { count }]) => [name, count])
  const sameAs = (expected: readonly unknown[]) => expect.arrayContaining([...expected])
  await expect.poll(counts).toEqual(sameAs(await stored()))
  const first = await holdFirst(page, '"sets"')
  await OTHERS['create']!(client, randomOf(1), facts, 0)
  await expect.poll(first.asked).toBe(1)
  await OTHERS['create']!(client, randomOf(2), facts, 0)
  await expect.poll(counts).toEqual(sameAs(await stored()))
  first.letGo()
  await page.unrouteAll({ behavior: 'wait' })
  await allLoaded(page)
  await expect.poll(counts).toEqual(sameAs(await stored()))
  expect(complaints).toEqual([])
  await page.context().close()
})
