import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../kernel/sql/sql.ts'
import { allLoaded } from '../../support/browser.ts'
import { findViolations } from './find-violations.ts'
import { RESTING_VIEW, type SignedIn, useClient } from './fixture.ts'
import { type PlanPage, planPage, soon } from './plan-page.ts'

const PLACES = '/web?model=core.partner&view_type=map&filter='

const client = useClient()
let signedIn: SignedIn
let page: Page
let plan: PlanPage

beforeAll(async () => {
  signedIn = await client.signIn()
  page = signedIn.page
  plan = planPage(client, page)
  await signedIn.go(RESTING_VIEW)
})
afterAll(async () => {
  expect(signedIn?.complaints).toEqual([])
  await page?.context().close()
})

const pin = (id: number) => page.locator(`[data-pin="${id}"]`)
const place = (id: number) => page.locator(`[data-place="${id}"]`)

async function open(fragment = '', more = ''): Promise<void> {
  await signedIn.followAnew(`${PLACES}${more}#${fragment}`)
  await page.locator('.mapview[aria-busy=false]').waitFor()
}

const newPartner = (name: string, latitude: number, longitude: number) =>
  plan.call<number>('core.partner', 'create', [{ name, latitude, longitude, city: 'Somewhere' }])

test('all records with a place are on the map, close ones as one, over an outline that needs no network', async () => {
  const outside: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(client.url()) && !request.url().startsWith('data:')) outside.push(request.url())
  })
  await open()
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from core_partner where active and latitude is not null and longitude is not null
      and (company_id is null or company_id in (select company_id from core_user where login = 'admin'))`.execute(
    client.modules().services.db,
  )
  await soon(() => page.locator('.maplist h2').textContent()).toBe(`${rows[0]!.count} records`)
  const shown = await page
    .locator('.pin')
    .evaluateAll((pins) => pins.reduce((sum, each) => sum + Number(each.textContent || '1'), 0))
  expect(shown).toBe(rows[0]!.count)
  await soon(async () => (await page.locator('.map .land').getAttribute('d'))?.length ?? 0).toBeGreaterThan(10_000)
  expect(outside).toEqual([])
  await allLoaded(page)
  expect(await findViolations(page)).toEqual([])
})

test('the list has what is in view, the popup its fields, and both lead on', async () => {
  const id = await newPartner('Tristan Post Office', -37.07, -12.31)
  const other = await newPartner('Edinburgh Farm', -37.09, -12.28)
  await open('at=-37.0800,-12.2900,12.00')
  await soon(() => page.locator('.maplist li').count()).toBe(2)
  await place(id).click()
  const popup = page.getByRole('dialog', { name: 'Tristan Post Office' })
  await popup.getByText('Somewhere').waitFor()
  await expect.poll(() => popup.getByRole('link', { name: 'Open' }).getAttribute('href')).toContain(`id=${id}`)
  await expect
    .poll(() => popup.getByRole('link', { name: 'Route' }).getAttribute('href'))
    .toBe('https://www.openstreetmap.org/directions?to=-37.07,-12.31')
  await allLoaded(page)
  expect(await findViolations(page)).toEqual([])
  await pin(other).click()
  await page.getByRole('dialog', { name: 'Edinburgh Farm' }).waitFor()
  await soon(() => place(other).getAttribute('aria-pressed')).toBe('true')
  await page.keyboard.press('Escape')
  await soon(() => page.locator('.mpop').count()).toBe(0)
})

test('records at one place are shown one after the other, by keys too', async () => {
  await newPartner('Upper Floor', -20, -20)
  await newPartner('Lower Floor', -20, -20)
  await open('at=-20.0000,-20.0000,12.00')
  const both = page.getByRole('button', { name: '2 records at one place, show them' })
  await both.press('Enter')
  const popup = page.locator('.mpop')
  await popup.getByText('1 of 2 at this place').waitFor()
  const first = await popup.getAttribute('aria-label')
  const next = popup.getByRole('button', { name: 'Next' })
  await next.press('Enter')
  await popup.getByText('2 of 2 at this place').waitFor()
  expect([first, await popup.getAttribute('aria-label')].toSorted()).toEqual(['Lower Floor', 'Upper Floor'])
  await soon(() => next.evaluate((button) => button === document.activeElement)).toBe(true)
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await soon(() => both.evaluate((button) => button === document.activeElement)).toBe(true)
})

test('it is dragged and zoomed, and the address has where it is', async () => {
  const map = (await page.locator('.map').boundingBox())!
  const middle = { x: map.x + map.width / 2, y: map.y + map.height - 60 }
  await plan.drag(middle, { x: middle.x - map.width, y: middle.y })
  await soon(() => page.locator('.maplist li').count()).toBe(0)
  await soon(() => page.url()).not.toContain('at=-37.0800%2C-12.2900')
  await page.getByRole('button', { name: 'Show all' }).click()
  await soon(() => page.locator('.pin.cl').count()).toBeGreaterThan(3)
  const before = await page.locator('.maplist li').count()
  await page.locator('.pin.cl').first().click()
  await soon(() => page.locator('.maplist li').count()).toBeLessThan(before)
  const heading = await page.locator('.maplist h2').textContent()
  const address = page.url()
  await signedIn.go('/web/home')
  await signedIn.go(address)
  await soon(() => page.locator('.maplist h2').textContent()).toBe(heading)
})

test('a change elsewhere moves its pin, and the search narrows all of it', async () => {
  const id = await newPartner('Drifting Buoy', 30, -40)
  const other = await newPartner('Anchored Buoy', 30.5, -40)
  await open('at=30.0000,-40.0000,8.00')
  await pin(id).waitFor()
  await pin(other).evaluate((element) => element.setAttribute('data-same', ''))
  const left = async () => Math.round((await pin(id).boundingBox())?.x ?? 0)
  const before = await left()
  await plan.call('core.partner', 'write', [[id], { longitude: -39 }])
  await soon(async () => (await left()) > before + 100).toBe(true)
  await expect.poll(() => pin(other).getAttribute('data-same')).toBe('')
  await plan.call('core.partner', 'write', [[other], { latitude: null }])
  await pin(other).waitFor({ state: 'detached' })
  await open('', '&q=Drifting')
  await soon(() => page.locator('.maplist h2').textContent()).toBe('1 record')
  await signedIn.followAnew(`${PLACES}&q=Nothing%20like%20this`)
  await page.getByText('Nothing matches').waitFor()
})

test('another search shows its records, and the way back the place that was left', async () => {
  const id = await newPartner('Lone Lighthouse', 62, -120)
  const other = await newPartner('Second Lighthouse', 62.4, -120.4)
  await open('at=30.0000,-40.0000,8.00')
  const heading = () => page.locator('.maplist h2').textContent()
  await soon(heading).toContain(' in view')
  const left = await heading()
  const address = page.url()
  await page.evaluate((href) => {
    const found = document.body.appendChild(Object.assign(document.createElement('a'), { href }))
    found.click()
    found.remove()
  }, `${PLACES}&q=Lighthouse#at=30.0000,-40.0000,8.00`)
  await soon(heading).toBe('2 records')
  await soon(() => page.url()).not.toContain('at=30.0000')
  await place(other).waitFor()
  // By keys the popup takes the focus and gives it back.
  await place(id).focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await soon(() => place(id).evaluate((element) => element.matches(':focus-visible'))).toBe(true)
  await page.keyboard.press('Enter')
  const link = page.getByRole('dialog', { name: 'Lone Lighthouse' }).getByRole('link', { name: 'Open' })
  await soon(() => link.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('Escape')
  await soon(() => place(id).evaluate((element) => element === document.activeElement)).toBe(true)
  await page.goBack()
  await soon(() => page.url()).toBe(address)
  await soon(heading).toBe(left)
})
