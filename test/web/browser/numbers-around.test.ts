import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { pick, randomOf } from '../../support/seeded-random.ts'
import { repeats } from '../../support/soak.ts'
import { type SignedIn, useClient } from './fixture.ts'
import {
  createSampleLeads,
  holdFirst,
  MINE,
  numberIn,
  OTHERS,
  otherChange,
  rowsOf,
  SAMPLE,
  type SampleLeads,
  sampleLeadIds,
} from './sample-leads.ts'

/** What stands around records is compared with the database: the search panel of a list, tabs of a form, tiles of the home page. */

const client = useClient()
const ROUNDS = repeats(8, 200)
let signedIn: SignedIn
let page: Page
let facts: SampleLeads

beforeAll(async () => {
  facts = await createSampleLeads(client)
  signedIn = await client.signIn()
  page = signedIn.page
})
afterAll(async () => {
  expect(signedIn.complaints).toEqual([])
  await page?.context().close()
})

/** Polls both sides: a change of one's own is on the screen before the database has it. */
const agree = <T>(round: string, screen: () => Promise<T>, database: () => Promise<T>) =>
  expect
    .poll(
      async () => {
        await allLoaded(page)
        const [shown, stored] = [await screen(), await database()]
        return JSON.stringify(shown) === JSON.stringify(stored) ? null : { shown, stored }
      },
      { message: round },
    )
    .toBeNull()

const byName = (counts: readonly (readonly [string, number])[]) =>
  counts.filter(([, count]) => count > 0).toSorted(([a], [b]) => (a < b ? -1 : 1))

const inPanel = async () =>
  byName(
    await page.locator('.spanel section').evaluateAll((sections) =>
      sections.flatMap((section) =>
        [...section.querySelectorAll('.nav-i:has(.n)')].flatMap((each) => {
          const [title, label, count] = [
            section.querySelector('h2'),
            each.querySelector('.lb'),
            each.querySelector('.n'),
          ]
          const name = `${title?.textContent} ${label?.textContent}`
          return /^(Stage|Team) /.test(name) ? [[name, Number(count?.textContent)] as const] : []
        }),
      ),
    ),
  )

const countedInDatabase = async () => {
  const rows = await rowsOf(
    client,
    sql<{ name: string; count: number }>`
      with mine as (select * from crm_lead where ${MINE})
      select 'Stage ' || s.name as name, count(*)::int as count from mine l join crm_stage s on s.id = l.stage_id group by 1
      union all
      select 'Team ' || coalesce(t.name, 'Not set'), count(*)::int from mine l left join crm_team t on t.id = l.team_id group by 1`,
  )
  return byName(rows.map(({ name, count }) => [name, count]))
}

/** A user deletes a row, and takes it back or not. */
async function deleteOne(id: number, isUndone: boolean): Promise<void> {
  await page.locator(`.gb .gr[data-id="${id}"]`).getByRole('checkbox').setChecked(true)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const toast = page.locator('.toast', { hasText: '1 record deleted' })
  await toast.waitFor()
  if (isUndone) await toast.getByRole('button', { name: 'Undo', exact: true }).click()
  await toast.waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await page.mouse.move(2, 2)
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
}

test('the search panel of a list counts what the database has, after any change by oneself or by others', async () => {
  await signedIn.followAnew(`/web?model=crm.lead&view_type=list&filter=&q=${SAMPLE}`)
  await page.locator('.spanel .n').first().waitFor()
  const random = randomOf(11)
  await agree('at first', inPanel, countedInDatabase)
  for (let round = 0; round < ROUNDS; round++) {
    const id = pick(random, await sampleLeadIds(client))
    const name = round % 4 === 3 ? 'own delete' : otherChange(random, round)
    if (name === 'own delete') await deleteOne(id, round % 8 === 3)
    else await OTHERS[name]!(client, random, facts, id)
    await agree(`round ${round}: ${name}`, inPanel, countedInDatabase)
  }
})

test('a form that was opened from a board says its place among all records, not among the cards that were loaded', async () => {
  await signedIn.followAnew('/web?model=core.partner&view_type=list&filter=')
  await allLoaded(page)
  const all = numberIn(await page.locator('.gf .gr.total').textContent())
  expect(all).toBeGreaterThan(80)
  await signedIn.followAnew('/web?model=core.partner&view_type=kanban&filter=')
  await allLoaded(page)
  await page.locator('.cardgrid .card').getByRole('link').first().click()
  const pager = page.getByRole('navigation', { name: 'Records', exact: true })
  await expect.poll(() => pager.textContent()).toBe(`1 of ${all}`)
  // Of columns more can be loaded, so that nobody knows the place; the neighbours are there.
  await signedIn.followAnew('/web?model=crm.lead&view_type=kanban&filter=')
  await allLoaded(page)
  await page.locator('.board .card').getByRole('link').first().click()
  await pager.getByRole('link', { name: 'Next record' }).waitFor()
  expect(await pager.textContent()).toBe('')
})

test('the tab of lines says how many there are, of one’s own and of others', async () => {
  const [id] = await sampleLeadIds(client)
  const inTab = async () =>
    numberIn(
      await page
        .getByRole('tab', { name: /^Activities/ })
        .locator('.count')
        .textContent(),
    )
  const stored = async () => {
    const [row] = await rowsOf(
      client,
      sql<{ n: number }>`select count(*)::int as n from crm_activity where lead_id = ${id}`,
    )
    return row!.n
  }
  const plan = (summary: string) =>
    client.modules().asSystem(async (env) => {
      const values = {
        lead_id: id!,
        user_id: facts.one.user_id,
        summary,
        type: 'call' as const,
        date_deadline: new Date().toISOString().slice(0, 10),
      }
      return env.model('crm.activity').create(values)
    })
  const first = await plan('First')
  await signedIn.followAnew(`/web?model=crm.lead&view_type=form&id=${id}`)
  await agree('at first', inTab, stored)
  await plan('Second')
  await agree('others add one', inTab, stored)
  await page.getByRole('button', { name: 'Add line' }).press('Enter')
  await page.getByRole('textbox', { name: 'Summary' }).fill('Third')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(stored).toBe(3)
  await agree('one adds one', inTab, stored)
  await client.modules().asSystem((env) => env.model('crm.activity').unlink([first]))
  await agree('others delete one', inTab, stored)
})

const OURS = sql`(company_id is null or company_id = (select company_id from core_user where login = 'admin'))`
const THIS_MONTH = sql`>= date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'`

/** The tiles of the home page: how many opportunities there are, and what was won in each currency. */
const onTiles = async () => {
  const tile = (label: string) =>
    page.locator('.kpirow .kpi', { has: page.getByRole('heading', { name: label, exact: true }) })
  const opened = numberIn(await tile('New opportunities').locator('b').textContent())
  const won = `${await tile('Won this month').locator('b').textContent()} ${await tile('Won this month').locator('.cut').textContent()}`
  const amounts = [...won.matchAll(/([€$])([\d,]+)/g)].map(([, sign, figure]) => [sign!, numberIn(figure)] as const)
  return { opened, won: byName(amounts) }
}

const tilesInDatabase = async () => {
  const [opened] = await rowsOf(
    client,
    sql<{
      n: number
    }>`select count(*)::int as n from crm_lead where active and ${OURS} and type = 'opportunity' and date_open ${THIS_MONTH}`,
  )
  const won = await rowsOf(
    client,
    sql<{ code: string; sum: number }>`
      select c.name as code, round(sum(coalesce(expected_revenue, 0)))::float8 as sum
      from (select * from crm_lead where active and ${OURS} and type = 'opportunity' and outcome = 'won' and date_closed ${THIS_MONTH}) l
      join core_currency c on c.id = l.currency_id group by 1`,
  )
  return { opened: opened!.n, won: byName(won.map(({ code, sum }) => [code === 'EUR' ? '€' : '$', sum])) }
}

test('the tiles of the home page are what the database adds up, while others work', async () => {
  await signedIn.followAnew('/web/home')
  await page.locator('.kpirow .kpi b').first().waitFor()
  const random = randomOf(5)
  const won = await client
    .modules()
    .asSystem((env) => env.model('crm.stage').search([['is_won', '=', true]], { limit: 1 }))
  await agree('at first', onTiles, tilesInDatabase)
  for (let round = 0; round < ROUNDS; round++) {
    const id = pick(random, await sampleLeadIds(client))
    const name = round % 3 === 1 ? 'win' : otherChange(random, round)
    if (name === 'win')
      await client.modules().asSystem((env) => env.model('crm.lead').write([id], { stage_id: won[0]! }))
    else await OTHERS[name]!(client, random, facts, id)
    await agree(`round ${round}: ${name}`, onTiles, tilesInDatabase)
  }
})

test('of two answers that a tile waits for the later one counts, whichever comes first', async () => {
  await signedIn.followAnew('/web/home')
  await agree('at first', onTiles, tilesInDatabase)
  const first = await holdFirst(page, 'date_open:day')
  await OTHERS['create']!(client, randomOf(1), facts, 0)
  await expect.poll(first.asked).toBe(1)
  await OTHERS['create']!(client, randomOf(2), facts, 0)
  await expect.poll(async () => (await onTiles()).opened).toBe((await tilesInDatabase()).opened)
  first.letGo()
  await page.unrouteAll({ behavior: 'wait' })
  await agree('after the first answer', onTiles, tilesInDatabase)
})
