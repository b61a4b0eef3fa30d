import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../kernel/sql/sql.ts'
import { allLoaded } from '../../support/browser.ts'
import { findViolations } from './find-violations.ts'
import { RESTING_PLACE, RESTING_VIEW, type SignedIn, useClient } from './fixture.ts'
import { type PlanPage, planPage, soon } from './plan-page.ts'

const TASKS = '/web?model=project.task&view_type=gantt&filter='
const DAY_MS = 86_400_000

const client = useClient()
let signedIn: SignedIn
let page: Page
let plan: PlanPage
let project: number

beforeAll(async () => {
  signedIn = await client.signIn()
  page = signedIn.page
  plan = planPage(client, page)
  await signedIn.go(RESTING_VIEW)
  project = await plan.call<number>('project.project', 'create', [{ name: 'Workbench' }])
})
afterAll(async () => {
  expect(signedIn?.complaints).toEqual([])
  await page?.context().close()
})

const bar = (id: number) => page.locator(`[data-bar="${id}"]`).first()

async function open(fragment: string, address = TASKS): Promise<void> {
  await signedIn.followAnew(`${address}#${fragment}`)
  await page.locator('.gantt[aria-busy=false]').waitFor()
}

const newTask = (name: string, first: string, last: string, more: object = {}) =>
  plan.call<number>('project.task', 'create', [
    { name, project_id: project, date_start: `${first}T00:00:00Z`, date_end: `${last}T00:00:00Z`, ...more },
  ])

const dayField = async (id: number, field: string) =>
  String(await plan.readField('project.task', id, field)).slice(0, 10)
const startOf = (id: number) => dayField(id, 'date_start')
const endOf = (id: number) => dayField(id, 'date_end')

/** Pixels of a day. */
const dayWidth = async () => (await page.locator('.ghead .gt').boundingBox())!.width / 42

async function dragBy(id: number, days: number, grip?: string): Promise<void> {
  const from = await plan.centre(grip ? bar(id).locator(`[data-grip="${grip}"]`) : bar(id))
  await plan.drag(from, { x: from.x + days * (await dayWidth()), y: from.y })
}

/** Closes the toasts, also those of answers that are still on their way. */
const closeToasts = async () => {
  await allLoaded(page)
  const close = page.locator('.toast').getByRole('button', { name: 'Close' })
  while ((await close.count()) > 0) await close.first().click()
}

test('groups have the number, the span and the progress that the database has', async () => {
  await open('scale=year')
  const { rows } = await sql<{ name: string; count: number; progress: number }>`
    select p.name, count(*)::int as count,
      sum(t.progress * extract(epoch from t.date_end - t.date_start)) / sum(extract(epoch from t.date_end - t.date_start)) as progress
    from project_task t join project_project p on p.id = t.project_id
    where t.active and t.date_start < date_trunc('year', now()) + interval '1 year' and t.date_end >= date_trunc('year', now())
    group by p.name order by p.name limit 3`.execute(client.modules().services.db)
  expect(rows).toHaveLength(3)
  for (const { name, count, progress } of rows) {
    const group = page.locator('.grp', { hasText: name }).locator('.gl .tn')
    await soon(() => group.textContent()).toBe(`${count} · ${Math.round(Number(progress))}%`)
  }
  await expect.poll(() => page.locator('.nowline').count()).toBe(1)
})

test('a bar is moved, resized and filled, and Undo takes each back', async () => {
  const id = await newTask('Plane the boards', '2031-03-10', '2031-03-13')
  await open('date=2031-03-01')
  await dragBy(id, 2)
  await soon(() => startOf(id)).toBe('2031-03-12')
  expect(await endOf(id)).toBe('2031-03-15')
  await page.getByRole('button', { name: 'Undo' }).click()
  await soon(() => startOf(id)).toBe('2031-03-10')
  await closeToasts()
  await dragBy(id, 3, 'end')
  await soon(() => endOf(id)).toBe('2031-03-16')
  await dragBy(id, -1, 'start')
  await soon(() => startOf(id)).toBe('2031-03-09')
  await bar(id).hover()
  const box = (await bar(id).boundingBox())!
  await plan.drag(await plan.centre(bar(id).locator('[data-grip="progress"]')), {
    x: box.x + box.width / 2,
    y: box.y + box.height - 3,
  })
  await soon(() => plan.readField('project.task', id, 'progress')).toBe(50)
  await closeToasts()
})

test('what waits for a bar is moved along if wanted, over several steps', async () => {
  const first = await newTask('Saw', '2031-03-03', '2031-03-05')
  const second = await newTask('Sand', '2031-03-05', '2031-03-07', { depends_on_ids: [first] })
  const third = await newTask('Oil', '2031-03-08', '2031-03-10', { depends_on_ids: [second] })
  await bar(third).waitFor()
  const links = page.locator('.gover path')
  await soon(() => links.count()).toBe(2)
  await expect.poll(() => page.locator('.gover path.broken').count()).toBe(0)
  await dragBy(first, 3)
  const dialog = page.getByRole('dialog', { name: 'Move what waits for it, too?' })
  await dialog.getByText('Sand').waitFor()
  await allLoaded(page)
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Move successors too' }).click()
  await soon(() => startOf(second)).toBe('2031-03-08')
  await soon(() => startOf(third)).toBe('2031-03-10')
  expect(await startOf(first)).toBe('2031-03-06')
  await page.getByRole('button', { name: 'Undo' }).click()
  await soon(() => startOf(third)).toBe('2031-03-08')
  await soon(() => startOf(first)).toBe('2031-03-03')
  await closeToasts()
  await dragBy(first, 2)
  await dialog.getByRole('button', { name: 'Move only this' }).click()
  await soon(() => page.locator('.gover path.broken').count()).toBe(1)
  await soon(() => startOf(first)).toBe('2031-03-05')
  expect(await startOf(second)).toBe('2031-03-05')
  await closeToasts()
})

test('a drag on an empty part of a row creates a record there, in its group', async () => {
  const slot = page.locator('.grp', { hasText: 'Workbench' }).locator('.gt')
  const box = (await slot.boundingBox())!
  const day = await dayWidth()
  const y = box.y + 6
  // The timeline begins on Monday, 24 February.
  await plan.drag({ x: box.x + day * 30.5, y }, { x: box.x + day * 32.5, y })
  await page.getByRole('dialog', { name: 'New' }).getByLabel('Name').fill('Sweep')
  await page.keyboard.press('Enter')
  const made = page.locator('.gbar[aria-label^="Sweep"]')
  await made.waitFor()
  const id = Number(await made.getAttribute('data-bar'))
  expect([await startOf(id), await endOf(id)]).toEqual(['2031-03-26', '2031-03-29'])
  expect(await plan.readField('project.task', id, 'project_id')).toMatchObject([project, 'Workbench'])
})

test('keys go from row to row, fold groups, and move a bar; all rows are one stop of Tab', async () => {
  const id = await newTask('Key work', '2031-05-06', '2031-05-07')
  await open('date=2031-05-01')
  const group = page.locator('.twist', { hasText: 'Workbench' })
  await group.focus()
  await page.keyboard.press('ArrowLeft')
  await soon(() => bar(id).count()).toBe(0)
  await page.keyboard.press('ArrowRight')
  await bar(id).waitFor()
  await page.keyboard.press('ArrowDown')
  await soon(() => bar(id).evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('m')
  await soon(plan.told).toContain('Key work is lifted.')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Enter')
  await soon(() => endOf(id)).toBe('2031-05-09')
  expect(await startOf(id)).toBe('2031-05-07')
  await closeToasts()
  const stops = page.locator('.gantt :is(a, button, [tabindex]):not([tabindex="-1"])')
  await soon(() => stops.count()).toBe(1)
})

test('bars appear together with the code that moves them, so that no key is lost', async () => {
  const id = await newTask('Early keys', '2031-07-08', '2031-07-09')
  let letLoad = () => {}
  const mayLoad = new Promise<void>((resolve) => {
    letLoad = resolve
  })
  await page.route(/deferred-chunk-.*\.js/, async (route) => {
    await mayLoad
    await route.fallback()
  })
  await page.goto(RESTING_PLACE)
  await signedIn.go(`${TASKS}#date=2031-07-01`)
  await page.locator('.gantt[aria-busy=true]').waitFor()
  expect(await bar(id).count()).toBe(0)
  letLoad()
  await bar(id).focus()
  for (const key of ['m', 'ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key)
  await soon(() => startOf(id)).toBe('2031-07-10')
  await page.unrouteAll({ behavior: 'wait' })
  await closeToasts()
})

test('a change elsewhere moves its bar, and others are not drawn again', async () => {
  const id = await newTask('Far away', '2031-05-12', '2031-05-14')
  const other = await newTask('Still here', '2031-05-12', '2031-05-14')
  await open('date=2031-05-01')
  await bar(id).waitFor()
  await bar(other).evaluate((element) => element.setAttribute('data-same', ''))
  const left = async () => (await bar(id).boundingBox())?.x ?? 0
  const before = await left()
  await plan.call('project.task', 'write', [
    [id],
    { date_end: '2031-05-24T00:00:00Z', date_start: '2031-05-22T00:00:00Z' },
  ])
  await soon(async () => Math.round(((await left()) - before) / (await dayWidth()))).toBe(10)
  await expect.poll(() => bar(other).getAttribute('data-same')).toBe('')
})

test('what others change during a drag is drawn at once, and the drag goes on from where it began', async () => {
  const id = await newTask('Dragged', '2031-08-11', '2031-08-13')
  const other = await newTask('Moved meanwhile', '2031-08-11', '2031-08-13')
  await open('date=2031-08-01')
  const [from, day] = [await plan.centre(bar(id)), await dayWidth()]
  const left = async () => (await bar(other).boundingBox())?.x ?? 0
  const before = await left()
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + day, from.y, { steps: 4 })
  await plan.call('project.task', 'write', [[id], { name: 'Dragged on' }])
  await plan.call('project.task', 'write', [
    [other],
    { date_start: '2031-08-15T00:00:00Z', date_end: '2031-08-17T00:00:00Z' },
  ])
  await soon(async () => Math.round(((await left()) - before) / day)).toBe(4)
  await page.mouse.move(from.x + 3 * day, from.y, { steps: 4 })
  await page.mouse.up()
  await soon(() => startOf(id)).toBe('2031-08-14')
  expect(await plan.readField('project.task', id, 'name')).toBe('Dragged on')
  await page.getByRole('button', { name: 'Undo' }).click()
  await soon(() => startOf(id)).toBe('2031-08-11')
  expect(await plan.readField('project.task', id, 'name')).toBe('Dragged on')
  await closeToasts()
})

test('on a phone the timeline opens with today beside the names, in both directions of writing', async () => {
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 844 })
  for (const direction of ['ltr', 'rtl']) {
    await page.evaluate((dir) => {
      document.dir = dir
    }, direction)
    await open('scale=month')
    const isSeen = () =>
      page.locator('.gantt').evaluate((box) => {
        const edges = (name: string) => box.querySelector(name)!.getBoundingClientRect()
        const [seen, names, { left: now }] = [box.getBoundingClientRect(), edges('.gl'), edges('.nowline')]
        return now > seen.left && now < seen.right && (now > names.right || now < names.left)
      })
    await soon(isSeen).toBe(true)
  }
  await page.evaluate(() => {
    document.dir = 'ltr'
  })
  await page.setViewportSize(size)
})

test('a thousand bars: only those in the window are drawn, wherever one scrolls to', async () => {
  await client.modules().asSystem(async (env) => {
    const start = Date.parse('2033-03-01T00:00:00Z')
    const at = (days: number) => new Date(start + days * DAY_MS).toISOString()
    await env.model('project.task').createMany(
      Array.from({ length: 1_000 }, (_, i) => ({
        name: `Task ${i}`,
        project_id: project,
        date_start: at(i % 28),
        date_end: at((i % 28) + 2),
      })),
    )
  })
  await open('date=2033-03-01')
  await soon(() => page.locator('.grp .gl .tn').first().textContent()).toContain('1,000')
  const counts = await page.locator('.gantt').evaluate(async (box) => {
    const drawn: number[] = []
    for (let top = 0; top < 16_000; top += 400) {
      box.scrollTop = top
      await new Promise(requestAnimationFrame)
      drawn.push(box.querySelectorAll('.gbar').length)
    }
    return drawn
  })
  expect(Math.max(...counts)).toBeLessThan(60)
  expect(Math.min(...counts.slice(-5))).toBeGreaterThan(0)
})

/** Days of the period that each scale shows. */
const SCALES = [
  ['Day', 1],
  ['Week', 7],
  ['Month', 42],
  ['Quarter', 91],
  ['Year', 365],
] as const

test.each(SCALES)('a %s is shown whole, and a bar takes its share of it', async (label, days) => {
  const id = await newTask(`A quarter of a ${label}`, '2031-05-07', '2031-05-07')
  const end = new Date(Date.parse('2031-05-07T00:00:00Z') + (days / 4) * DAY_MS)
  await plan.call('project.task', 'write', [[id], { date_end: end.toISOString() }])
  await open('date=2031-05-07', `${TASKS}&q=A quarter of a ${label}`)
  await page.locator('.planbar').getByRole('button', { name: label, exact: true }).click()
  // A bar ends a pixel or two before the next could begin; in a year a day has about two.
  await soon(async () => {
    const whole = (await page.locator('.ghead .gt').boundingBox())?.width ?? 1
    return Math.abs(((await bar(id).boundingBox())?.width ?? 0) - whole / 4)
  }).toBeLessThan(3)
})

test('the down arrow leads into the rows when nothing has the focus', async () => {
  await open('scale=year')
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  await page.keyboard.press('ArrowDown')
  const focused = () => page.evaluate(() => document.activeElement?.closest('.gantt') !== null)
  await soon(focused).toBe(true)
})
