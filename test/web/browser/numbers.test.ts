import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { below, pick, type Random, randomOf, sample } from '../../support/seeded-random.ts'
import { repeats } from '../../support/soak.ts'
import { type SignedIn, useClient } from './fixture.ts'
import { createSampleLeads, OTHERS, otherChange, SAMPLE, sampleLeadIds } from './sample-leads.ts'

/** What a list says about its records is compared with the database, whoever changes them and however. */

const client = useClient()

const ROUNDS = repeats(5, 200)

interface Line {
  readonly count: number
  /** One for each currency. */
  readonly sums: readonly number[]
}

/** What the database adds up: all of them under an empty name, and each stage under its own. */
async function inDatabase(): Promise<Record<string, Line>> {
  const { rows } = await sql<{ stage: string | null; count: number; sums: number[] }>`
    with per as (
      select s.name as stage, l.currency_id, count(*)::int as count, coalesce(sum(l.expected_revenue), 0)::float8 as sum
      from crm_lead l join crm_stage s on s.id = l.stage_id
      where l.active and l.name like ${`${SAMPLE}%`} group by grouping sets ((s.name, l.currency_id), (l.currency_id))
    )
    select stage, sum(count)::int as count, array_agg(sum order by sum desc) as sums from per group by stage`.execute(
    client.modules().services.db,
  )
  return Object.fromEntries(rows.map(({ stage, count, sums }) => [stage ?? '', { count, sums }]))
}

const onScreen = (page: Page): Promise<Record<string, Line>> =>
  page.evaluate(() => {
    const lines = [...document.querySelectorAll('.gf .gr.total, .gb .gr.group')].map((line) => {
      const count = line.querySelector('.count')?.textContent ?? /^\d+/.exec(line.textContent?.trim() ?? '')?.[0]
      const sums = [...line.querySelectorAll('.cursums > span')].map((sum) =>
        Number((sum.textContent ?? '').replace(/[^\d.-]/g, '')),
      )
      const name = line.classList.contains('total') ? '' : (line.querySelector('.cut')?.textContent ?? '')
      return [name, { count: Number(count), sums: sums.toSorted((a, b) => b - a) }] as const
    })
    return Object.fromEntries(lines)
  })

const idsNow = () => sampleLeadIds(client)

const box = (page: Page, id: number) => page.locator(`.gb .gr[data-id="${id}"]`).getByRole('checkbox')

/** While somebody is at work in a list, rows that come and go wait until they are asked for. */
async function leave(page: Page): Promise<void> {
  await page.mouse.move(2, 2)
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await expect.poll(() => page.getByRole('toolbar', { name: 'Selection' }).count()).toBe(0)
}

/** Two rows get another amount, as a user does it: selected, typed into one of them, confirmed. */
async function changeTogether({ page }: SignedIn, random: Random): Promise<void> {
  const ids = sample(random, await idsNow(), 2)
  for (const id of ids) await box(page, id).setChecked(true)
  const head = page.getByRole('columnheader', { name: 'Expected Revenue', exact: true })
  await page.locator(`.gb .gr[data-id="${ids[0]}"] [data-col="${await head.getAttribute('data-col')}"]`).click()
  await page.getByRole('textbox', { name: 'Expected Revenue' }).fill(String(below(random, 9_000)))
  await page.keyboard.press('Enter')
  // What came back by Undo may be selected still.
  await page.getByRole('button', { name: /^Change \d+ records$/ }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await leave(page)
}

/** One row is deleted, and taken back before it is gone. */
async function deleteAndUndo({ page }: SignedIn, random: Random): Promise<void> {
  await box(page, pick(random, await idsNow())).setChecked(true)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  // The toast of an earlier change has an Undo as well.
  const toast = page.locator('.toast', { hasText: '1 record deleted' })
  await toast.getByRole('button', { name: 'Undo', exact: true }).click()
  await toast.waitFor({ state: 'detached' })
  await leave(page)
}

test('footer and groups say what the database adds up, after any change by oneself or by others', async () => {
  const facts = await createSampleLeads(client)
  const signedIn = await client.signIn()
  const { page, go, complaints } = signedIn
  // Both sides are polled: a change of one's own is on the screen before the database has it.
  const agrees = (round: string) =>
    expect
      .poll(
        async () => {
          const [shown, stored] = [await onScreen(page), await expected(page)]
          return isDeepStrictEqual(shown, stored) ? null : { shown, stored }
        },
        { message: round },
      )
      .toBeNull()
  for (const group of ['none', 'stage_id']) {
    await go(`/web?model=crm.lead&view_type=list&filter=&q=${SAMPLE}#group=${group}`)
    await allLoaded(page)
    // Not the same numbers twice: an amount that is typed again changes nothing.
    const random = randomOf(group.length)
    await agrees(`${group} at first`)
    for (let round = 0; round < ROUNDS; round++) {
      const name = round % 5 === 3 ? 'together' : round % 5 === 4 ? 'undo' : otherChange(random, round)
      if (name === 'together') await changeTogether(signedIn, random)
      else if (name === 'undo') await deleteAndUndo(signedIn, random)
      else await OTHERS[name]!(client, random, facts, pick(random, await idsNow()))
      await agrees(`${group}, round ${round}: ${name}`)
    }
  }
  expect(complaints).toEqual([])
  await page.context().close()
})

/** Ungrouped, the list says only the whole. */
async function expected(page: Page): Promise<Record<string, Line>> {
  const all = await inDatabase()
  return new URL(page.url()).hash.includes('stage_id') ? all : { '': all['']! }
}
