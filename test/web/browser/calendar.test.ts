import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../kernel/sql/sql.ts'
import { allLoaded } from '../../support/browser.ts'
import { findViolations } from './find-violations.ts'
import { RESTING_VIEW, type SignedIn, useClient } from './fixture.ts'
import { type PlanPage, planPage, soon } from './plan-page.ts'

/** Far from the demo records, in a month whose last Sunday begins summer time. */
const MONTH = '2031-03'
const TASKS = '/web?model=project.task&view_type=calendar&filter='

const client = useClient()
let signedIn: SignedIn
let page: Page
let plan: PlanPage

beforeAll(async () => {
  await client.modules().asSystem(async (env) => {
    const [admin] = await env.model('core.user').search([['login', '=', 'admin']])
    await env.model('core.user').write([admin!], { tz: 'Europe/Berlin' })
  })
  signedIn = await client.signIn()
  page = signedIn.page
  plan = planPage(client, page)
  await signedIn.go(RESTING_VIEW)
})
afterAll(async () => {
  expect(signedIn?.complaints).toEqual([])
  await page?.context().close()
})

const event = (id: number) => page.locator(`[data-event="${id}"]`).first()
const day = (date: string) => page.locator(`.calwrap [data-day="${date}"]`).last()
const dayOf = (of: Locator) => of.evaluate((element) => element.closest<HTMLElement>('[data-day]')?.dataset['day'])

async function open(fragment: string, address = TASKS): Promise<void> {
  await signedIn.followAnew(`${address}#${fragment}`)
  await page.locator('.calview[aria-busy=false]').waitFor()
}

const newTask = (name: string, date_start: string, date_end: string | null = null) =>
  plan.call<number>('project.task', 'create', [{ name, date_start, date_end }])

const startOf = (id: number) => plan.readField('project.task', id, 'date_start')
const endOf = (id: number) => plan.readField('project.task', id, 'date_end')

describe('a month', () => {
  test('with nothing in it says so, and shows all where filters may be the reason', async () => {
    await open('scale=month&date=2031-02-01')
    await page.locator('.calwrap').getByText('Nothing in this period.').waitFor()
    expect(await page.locator('.calwrap').getByRole('button', { name: 'Show all' }).count()).toBe(0)
    expect(await findViolations(page)).toEqual([])
    await open('scale=month', `${TASKS}&q=nothing+has+this+name`)
    await page.locator('.calwrap').getByText('Nothing in this period matches the filters.').waitFor()
    await page.locator('.calwrap').getByRole('button', { name: 'Show all' }).click()
    await page.locator('.calwrap [data-event]').first().waitFor()
    expect(await page.locator('.calwrap').getByText('Nothing in this period').count()).toBe(0)
  })

  test('shows on each day, in the time zone of the user, what the database has', async () => {
    await open('scale=agenda')
    const { rows } = await sql<{ count: number }>`
      with days as (
        select d::date as day from generate_series(date_trunc('month', now() at time zone 'Europe/Berlin'),
          date_trunc('month', now() at time zone 'Europe/Berlin') + interval '1 month - 1 day', interval '1 day') d)
      select count(*)::int as count from days join project_task t
        on (t.date_start at time zone 'Europe/Berlin') < day + 1
        and coalesce(t.date_end, t.date_start + interval '1 hour') at time zone 'Europe/Berlin' > day
      where t.active`.execute(client.modules().services.db)
    expect(rows[0]!.count).toBeGreaterThan(100)
    await soon(() => page.locator('.agenda li').count()).toBe(rows[0]!.count)
  })

  test('a day with more than fits opens all of it by keys, and gives the focus back', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `Item ${at + 1} of the list`)
    for (const name of names) await newTask(name, '2031-05-14T08:00:00Z', '2031-05-14T09:00:00Z')
    await open('scale=month&date=2031-05-01')
    const more = day('2031-05-14').getByRole('button', { name: /^\d+ more$/ })
    await more.focus()
    await page.keyboard.press('Enter')
    const all = page.getByRole('dialog', { name: 'Wednesday 14 May' })
    await soon(async () => (await all.getByRole('listitem').allTextContents()).length).toBe(names.length)
    await page.keyboard.press('Tab')
    await soon(() => all.evaluate((box) => box.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('Escape')
    await all.waitFor({ state: 'detached' })
    await soon(() => more.evaluate((button) => button === document.activeElement)).toBe(true)
  })

  test('an agenda of this month opens with today in view', async () => {
    await open('scale=agenda')
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format(new Date())
    // The first day that is in view; the last days of a month may not fill the window.
    await soon(() =>
      page.locator('.agenda').evaluate((box, day) => {
        const days = [...box.querySelectorAll<HTMLElement>('[data-day]')]
        const next = days.find(({ dataset }) => String(dataset['day']) >= day) ?? days.at(-1)!
        const [seen, { top }] = [box.getBoundingClientRect(), next.getBoundingClientRect()]
        return top >= Math.floor(seen.top) && top < seen.bottom
      }, today),
    ).toBe(true)
  })

  test('an agenda shows its empty days while a record is dragged, and Undo takes the move back', async () => {
    const id = await newTask('Sort the screws', '2031-07-02T08:00:00Z', '2031-07-02T09:00:00Z')
    await open('scale=agenda&date=2031-07-01')
    await event(id).waitFor()
    expect(await page.locator('.agenda section').count()).toBe(1)
    const from = await plan.centre(event(id))
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x + 5, from.y + 3, { steps: 2 })
    await soon(() => page.locator('.agenda section').count()).toBe(31)
    // The record stays under the pointer while the days open around it.
    expect(Math.abs((await plan.centre(event(id))).y - from.y)).toBeLessThan(40)
    const to = await plan.centre(day('2031-07-05'))
    await page.mouse.move(to.x, to.y, { steps: 6 })
    await page.mouse.up()
    await soon(() => startOf(id)).toBe('2031-07-05T08:00:00.000Z')
    await soon(() => page.locator('.agenda section').count()).toBe(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await soon(() => startOf(id)).toBe('2031-07-02T08:00:00.000Z')
    await soon(() => dayOf(event(id))).toBe('2031-07-02')
  })

  test('in an agenda, arrows go from row to row, and move a lifted record by days', async () => {
    const [first, second] = [
      await newTask('Oil the hinge', '2031-08-04T08:00:00Z'),
      await newTask('Oil the lock', '2031-08-09T08:00:00Z'),
    ]
    await open('scale=agenda&date=2031-08-01')
    await event(second).waitFor()
    await event(first).focus()
    await page.keyboard.press('ArrowDown')
    await soon(() => event(second).evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('m')
    await soon(plan.told).toContain('Oil the lock is lifted.')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await soon(() => dayOf(event(second))).toBe('2031-08-11')
    await page.keyboard.press('Enter')
    await soon(() => startOf(second)).toBe('2031-08-11T08:00:00.000Z')
    await page.getByRole('button', { name: 'Undo' }).click()
    await soon(() => startOf(second)).toBe('2031-08-09T08:00:00.000Z')
  })

  test('a record is dragged to another day, keeps its hour over summer time, and Undo takes it back', async () => {
    const id = await newTask('Cut the oak', `${MONTH}-27T08:00:00Z`, `${MONTH}-27T10:00:00Z`)
    await open(`date=${MONTH}-01`)
    await soon(() => dayOf(event(id))).toBe(`${MONTH}-27`)
    await plan.drag(await plan.centre(event(id)), await plan.centre(day(`${MONTH}-31`)))
    await soon(() => dayOf(event(id))).toBe(`${MONTH}-31`)
    // 9:00 in Berlin on both days.
    await soon(() => startOf(id)).toBe(`${MONTH}-31T07:00:00.000Z`)
    expect(await endOf(id)).toBe(`${MONTH}-31T09:00:00.000Z`)
    await page.getByRole('button', { name: 'Undo' }).click()
    await soon(() => dayOf(event(id))).toBe(`${MONTH}-27`)
    await soon(() => startOf(id)).toBe(`${MONTH}-27T08:00:00.000Z`)
  })

  test('a refused move is taken back and says why', async () => {
    const id = await newTask('Locked', `${MONTH}-05T08:00:00Z`)
    await event(id).waitFor()
    await plan.refuseWrites()
    await plan.drag(await plan.centre(event(id)), await plan.centre(day(`${MONTH}-06`)))
    await page.getByText('This plan is locked.').waitFor()
    await soon(() => dayOf(event(id))).toBe(`${MONTH}-05`)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.locator('.toast').getByRole('button', { name: 'Close' }).first().click()
    signedIn.complaints.splice(0)
  })

  test('a click on a day creates a record there, with the defaults of the action', async () => {
    await day(`${MONTH}-12`).click({ position: { x: 60, y: 60 } })
    const form = page.getByRole('dialog', { name: 'New' })
    await form.getByLabel('Name').fill('Measure twice')
    await allLoaded(page)
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    const made = day(`${MONTH}-12`).getByRole('link', { name: /Measure twice/ })
    await made.waitFor()
    const id = Number(await made.getAttribute('data-event'))
    expect(await startOf(id)).toBe(`${MONTH}-12T08:00:00.000Z`)
    await expect.poll(() => form.count()).toBe(0)
  })

  test('M lifts a record, arrows move it and with Shift its end, Enter puts it down; screen readers are told each step', async () => {
    const id = await newTask('Carry', `${MONTH}-18T08:00:00Z`, `${MONTH}-18T09:00:00Z`)
    await event(id).focus()
    await page.keyboard.press('m')
    await soon(plan.told).toContain('Carry is lifted.')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await soon(() => dayOf(event(id))).toBe(`${MONTH}-26`)
    await page.keyboard.press('Shift+ArrowRight')
    await soon(plan.told).toContain('27 Mar')
    await page.keyboard.press('Enter')
    await soon(() => endOf(id)).toBe(`${MONTH}-27T09:00:00.000Z`)
    expect(await startOf(id)).toBe(`${MONTH}-26T08:00:00.000Z`)
    await soon(() => event(id).evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('m')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Escape')
    await soon(() => dayOf(event(id))).toBe(`${MONTH}-26`)
  })

  test('keys that are pressed while a lifted record is drawn anew are not lost', async () => {
    const id = await newTask('Hurry', `${MONTH}-10T08:00:00Z`, `${MONTH}-10T09:00:00Z`)
    await event(id).focus()
    await page.keyboard.press('m')
    await soon(plan.told).toContain('Hurry is lifted.')
    await page.evaluate(async () => {
      const press = (key: string) =>
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
      press('ArrowRight')
      // The old element goes, with the focus, before the next frame.
      for (let turn = 0; turn < 100 && document.activeElement !== document.body; turn++) await Promise.resolve()
      press('ArrowDown')
    })
    await soon(() => dayOf(event(id))).toBe(`${MONTH}-18`)
    await soon(() => event(id).evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await soon(() => dayOf(event(id))).toBe(`${MONTH}-10`)
  })

  test('a change elsewhere moves its record, and nothing else is drawn again', async () => {
    const id = await newTask('Moved elsewhere', `${MONTH}-04T08:00:00Z`)
    const other = await newTask('Untouched', `${MONTH}-19T08:00:00Z`)
    await event(id).waitFor()
    await event(other).evaluate((element) => element.setAttribute('data-same', ''))
    await plan.call('project.task', 'write', [[id], { date_start: `${MONTH}-06T08:00:00Z` }])
    await soon(() => dayOf(event(id))).toBe(`${MONTH}-06`)
    await expect.poll(() => event(other).getAttribute('data-same')).toBe('')
    await plan.call('project.task', 'unlink', [[id]])
    await event(id).waitFor({ state: 'detached' })
  })
})

test('on a phone the days of a week have their figures in one line, below their names', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open('scale=week&date=2031-04-07')
  const figures = page.locator('.calhead thead b')
  await soon(() => figures.count()).toBe(7)
  const heights = await figures.evaluateAll((all) => all.map((figure) => figure.getBoundingClientRect().top))
  const names = page.locator('.calhead thead th')
  const inset = await names.evaluateAll((all) => all.map((name) => name.getBoundingClientRect().height))
  expect(new Set(heights).size, heights.join()).toBe(1)
  expect(Math.min(...inset)).toBeGreaterThan(36)
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('a week has hours: a record is moved and resized in quarters of an hour', async () => {
  const id = await newTask('Glue', '2031-04-08T08:00:00Z', '2031-04-08T09:00:00Z')
  await open('scale=week&date=2031-04-07')
  const from = await plan.centre(event(id))
  const hour = (await page.locator('.hours').boundingBox())!.height / 24
  const beside = (await day('2031-04-09').boundingBox())!
  await plan.drag(from, { x: beside.x + beside.width / 2, y: from.y + hour * 1.5 })
  await soon(() => startOf(id)).toBe('2031-04-09T09:30:00.000Z')
  await soon(() => dayOf(event(id))).toBe('2031-04-09')
  const box = (await event(id).boundingBox())!
  await plan.drag(
    { x: box.x + box.width / 2, y: box.y + box.height - 3 },
    { x: box.x + box.width / 2, y: box.y + box.height + hour / 2 - 3 },
  )
  await soon(() => endOf(id)).toBe('2031-04-09T11:00:00.000Z')
  await allLoaded(page)
  expect(await findViolations(page)).toEqual([])
})

test('a day has the records of its hours, reached by the down arrow', async () => {
  const id = await newTask('Varnish', '2031-04-15T08:00:00Z', '2031-04-15T09:30:00Z')
  const late = await newTask('Polish', '2031-04-16T08:00:00Z', '2031-04-16T09:00:00Z')
  await open('scale=day&date=2031-04-15')
  await event(id).waitFor()
  await expect.poll(() => event(late).count()).toBe(0)
  const hour = (await page.locator('.hours').boundingBox())!.height / 24
  const height = (await event(id).boundingBox())!.height
  expect(Math.abs(height - hour * 1.5)).toBeLessThan(6)
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  await page.keyboard.press('ArrowDown')
  await soon(() => event(id).evaluate((element) => element === document.activeElement)).toBe(true)
})

test('a day has the records that the database has on it', async () => {
  const { rows } = await sql<{ day: string; ids: number[] }>`
    select day::date::text as day, array_agg(t.id order by t.id) as ids
    from generate_series(date_trunc('month', now()), date_trunc('month', now()) + interval '27 days', interval '1 day') day
    join project_task t on (t.date_start at time zone 'Europe/Berlin') < day::date + 1
      and coalesce(t.date_end, t.date_start + interval '1 hour') at time zone 'Europe/Berlin' > day::date
    where t.active group by 1 order by abs(count(*) - 8), 1 limit 1`.execute(client.modules().services.db)
  const { day: busy, ids } = rows[0]!
  expect(ids.length).toBeGreaterThan(2)
  await open(`scale=day&date=${busy}`)
  const shown = () =>
    page
      .locator('.calwrap [data-event]')
      .evaluateAll((all) => [...new Set(all.map(({ dataset }) => Number(dataset['event'])))].sort((x, y) => x - y))
  await soon(shown).toEqual(ids.map(Number))
})

test('records have the colour of their value, and people at the side their picture', async () => {
  await open('scale=month', '/web?model=project.timesheet&view_type=calendar&filter=')
  await page.locator('.calside .av').first().waitFor()
  await page.locator('[data-event][data-hue]').first().waitFor()
  const { rows } = await sql<{ id: number; hue: number }>`select id, user_id % 8 as hue from project_timesheet`.execute(
    client.modules().services.db,
  )
  const hues = new Map(rows.map(({ id, hue }) => [Number(id), Number(hue)]))
  /** Of each record: its ground, and the light ground of each colour of the palette. */
  const drawn = await page.locator('.calwrap').evaluate((box) => {
    const palette = Array.from({ length: 8 }, (_, hue) => {
      const probe = box.appendChild(document.createElement('i'))
      probe.dataset['hue'] = String(hue)
      probe.style.background = 'var(--accent-soft-2)'
      const { backgroundColor } = getComputedStyle(probe)
      probe.remove()
      return backgroundColor
    })
    return [...box.querySelectorAll<HTMLElement>('.all[data-event]')].map((each) => ({
      id: Number(each.dataset['event']),
      hue: palette.indexOf(getComputedStyle(each).backgroundColor),
    }))
  })
  expect(new Set(drawn.map(({ hue }) => hue)).size).toBeGreaterThan(1)
  expect(drawn).toEqual(drawn.map(({ id }) => ({ id, hue: hues.get(id) })))
})

test('values are hidden at the side, and the address has all of it', async () => {
  await open('date=2031-05-01', '/web?model=crm.activity&view_type=calendar&filter=')
  const [lead] = await plan.call<{ id: number }[]>('crm.lead', 'search_read', [[], ['name']])
  const make = (type: string) =>
    plan.call<number>('crm.activity', 'create', [
      { lead_id: lead!.id, type, summary: type, date_deadline: '2031-05-02' },
    ])
  const call = await make('call')
  const mail = await make('mail')
  await event(call).waitFor()
  await page.locator('.calside').getByRole('checkbox', { name: 'Call' }).uncheck()
  await event(call).waitFor({ state: 'detached' })
  await expect.poll(() => event(mail).isVisible()).toBe(true)
  expect(page.url()).toContain('hide=type')
  await page.getByRole('button', { name: 'Month' }).click()
  await page.getByRole('button', { name: 'Next period' }).click()
  await soon(() => page.locator('.planbar h2').textContent()).toBe('June 2031')
  await page.locator('.mini').getByRole('link', { name: 'Wednesday 18 June' }).click()
  await page.getByRole('button', { name: 'Week' }).click()
  await soon(() => page.locator('.planbar h2').textContent()).toMatch(/^16\b.*22 Jun/)
  const address = page.url()
  await signedIn.go('/web/home')
  await signedIn.go(address)
  await soon(() => page.locator('.planbar h2').textContent()).toMatch(/^16\b.*22 Jun/)
  await expect.poll(() => page.locator('.calside').getByRole('checkbox', { name: 'Call' }).isChecked()).toBe(false)
})
