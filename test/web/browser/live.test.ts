import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../kernel/sql/sql.ts'
import { allLoaded } from '../../support/browser.ts'
import { isSoak, repeats } from '../../support/soak.ts'
import { findViolations } from './find-violations.ts'
import { RESTING_VIEW, type SignedIn, useClient } from './fixture.ts'
import { callAs, fieldOf } from './two-people.ts'

/** Two people on the same records, over the real bus: what `seller` does is seen on the page of `admin`. */
const client = useClient()
let admin: SignedIn
let seller: SignedIn
let page: Page
const EVENTS = repeats(5, 200)

beforeAll(async () => {
  admin = await client.signIn()
  page = admin.page
  seller = await client.signIn('seller')
  await seller.go(RESTING_VIEW)
  await admin.go(RESTING_VIEW)
})
afterAll(async () => {
  expect([...admin.complaints, ...seller.complaints]).toEqual([])
  await admin?.page.context().close()
  await seller?.page.context().close()
})
beforeEach(async () => {
  // Nothing is under the pointer, so that rows may move.
  await page.mouse.move(2, 2)
})

const bySeller = <T = true>(model: string, method: string, args: readonly unknown[]): Promise<T> =>
  callAs(seller, model, method, args)
const createPartner = (values: object) => bySeller<number>('core.partner', 'create', [values])
const write = (model: string, id: number, values: object) => bySeller(model, 'write', [[id], values])
const row = (id: number) => page.locator(`.gr[data-id="${id}"]`)
const chip = () => page.locator('.chip.updates')
const field = (label: string) => fieldOf(page, label)
const form = (id: number) => `/web?model=core.partner&view_type=form&id=${id}`

/** A list of the partners whose name begins so, without the pointer on it. */
async function openList(prefix: string, more = ''): Promise<void> {
  await admin.followAnew(`/web?model=core.partner&view_type=list&q=${prefix}${more}`)
  await page.locator('.gb .gr').first().waitFor()
}

describe('a list', () => {
  test('takes changed values in place, with a mark and the person, and new rows at once while the user is not working in it', async () => {
    const id = await createPartner({ name: 'Quince One', city: 'Leeds' })
    await openList('Quince')
    await write('core.partner', id, { city: 'Porto' })
    await row(id).locator('.gc.changed', { hasText: 'Porto' }).waitFor()
    await row(id).getByRole('img', { name: 'seller' }).waitFor()
    const other = await createPartner({ name: 'Quince Two' })
    await row(other).waitFor()
  })

  test('in which the user is working keeps its rows in place, and offers the updates', async () => {
    const id = await createPartner({ name: 'Medlar One' })
    await openList('Medlar')
    await row(id).hover()
    const other = await createPartner({ name: 'Medlar Aaa' })
    await chip().getByText('1 update').waitFor()
    await expect.poll(() => row(other).count()).toBe(0)
    await write('core.partner', id, { active: false })
    await chip().getByText('2 updates').waitFor()
    await chip().click()
    const listed = page.getByRole('dialog', { name: '2 updates' }).getByRole('listitem')
    await listed.filter({ hasText: 'Medlar Aaa is new' }).waitFor()
    const gone = listed.filter({ hasText: 'Medlar One leaves this filter' })
    await gone.getByRole('img', { name: 'seller' }).waitFor()
    await gone.locator('time').waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('r')
    await row(other).waitFor()
    await expect.poll(() => chip().count()).toBe(0)
  })

  test('keeps the counts of its groups and of the search panel up to date', async () => {
    const id = await createPartner({ name: 'Sorrel One' })
    await openList('Sorrel', '#group=country_id')
    const [belgium] = await bySeller<{ id: number }[]>('core.country', 'search_read', [[['name', '=', 'Belgium']], []])
    await row(id).waitFor()
    await write('core.partner', id, { country_id: belgium!.id })
    await page.locator('.gr.group', { hasText: 'Belgium' }).waitFor()
    await page
      .locator('.spanel')
      .getByRole('button', { name: /^Belgium\s*1$/ })
      .waitFor()
  })
})

/** When the last event of a partner was written, a moment before its commit. */
async function lastEventAt(id: number): Promise<number> {
  const { rows } = await sql<{ at: number }>`
    select (extract(epoch from created_at) * 1000)::float8 as at from sys_outbox
    where channel = 'record.updated' and payload->>'model' = 'core.partner' and (payload->>'id')::int = ${id}
    order by id desc limit 1`.execute(client.modules().services.db)
  return rows[0]!.at
}

/**
 * From the writing of an event in the database to the browser: the frame of the socket, and the value on the screen. Figures of time
 * belong to a quiet machine.
 */
test.runIf(isSoak)(
  'on a quiet machine an event is in the browser 150 ms after it was written, and on the screen after 300',
  async () => {
    const id = await createPartner({ name: 'Costmary', city: 'Start' })
    const frames: number[] = []
    // A connection is observed from its beginning.
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        const { channel, payload: event } = JSON.parse(String(payload))
        if (channel === 'record.updated' && event.id === id) frames.push(Date.now())
      }),
    )
    await admin.go(`/web?model=core.partner&view_type=list&q=Costmary`)
    await row(id).waitFor()
    await page.evaluate((id) => {
      const seen: Record<string, number> = {}
      const row = document.querySelector(`.gr[data-id="${id}"]`)!
      const look = () => {
        const city = /City (\d+)/.exec(row.textContent ?? '')?.[1]
        if (city !== undefined) seen[city] ??= Date.now()
      }
      new MutationObserver(look).observe(row, { subtree: true, childList: true, characterData: true })
      Object.assign(window, { seen })
    }, id)
    const written: number[] = []
    for (let n = 0; n < EVENTS; n++) {
      await write('core.partner', id, { city: `City ${n}` })
      await row(id).getByText(`City ${n}`, { exact: true }).waitFor()
      written.push(await lastEventAt(id))
    }
    const seen = await page.evaluate(() => (window as unknown as { seen: Record<string, number> }).seen)
    const [arrived, shown] = [(n: number) => frames[n]!, (n: number) => seen[n]!].map((at) => {
      const times = written.map((from, n) => Math.round(at(n) - from)).toSorted((a, b) => a - b)
      return { p50: times[Math.floor(EVENTS / 2)]!, p99: times[Math.floor(EVENTS * 0.99)]! }
    })
    console.info(
      `${EVENTS} events, ms to the browser ${JSON.stringify(arrived)}, to the screen ${JSON.stringify(shown)}`,
    )
    expect(arrived!.p99).toBeLessThan(150)
    expect(shown!.p99).toBeLessThan(300)
  },
)

test('what happens before the page is connected, or while the connection is lost, is shown when it stands', async () => {
  const id = await createPartner({ name: 'Fennel', city: 'Leeds' })
  const { page, go } = await client.signIn()
  const opened: { connect(): void; cut(): Promise<void> }[] = []
  await page.routeWebSocket(
    '**/web/wc/bus',
    (socket) =>
      new Promise<void>((resolve) => {
        opened.push({
          connect() {
            socket.connectToServer()
            resolve()
          },
          cut: () => socket.close({ code: 1012 }),
        })
      }),
  )
  await go('/web?model=core.partner&view_type=list&q=Fennel')
  const city = (name: string) => page.locator(`.gr[data-id="${id}"]`, { hasText: name })
  await city('Leeds').waitFor()
  await expect.poll(() => opened.length).toBe(1)
  await write('core.partner', id, { city: 'Porto' })
  opened[0]!.connect()
  await city('Porto').waitFor()
  await opened[0]!.cut()
  await expect.poll(() => opened.length).toBe(2)
  await write('core.partner', id, { city: 'Gaia' })
  opened[1]!.connect()
  await city('Gaia').waitFor()
  await page.context().close()
})

test('a page that gets no socket asks every few seconds, with the same result', async () => {
  const id = await createPartner({ name: 'Dill', city: 'Leeds' })
  const { page, go } = await client.signIn()
  await page.routeWebSocket('**/web/wc/bus', (socket) => socket.close({ code: 1011 }))
  const asked = page.waitForResponse('**/web/wc/events?since=*')
  await go('/web?model=core.partner&view_type=list&q=Dill')
  expect((await asked).status()).toBe(200)
  await write('core.partner', id, { city: 'Porto' })
  await page.locator(`.gr[data-id="${id}"]`, { hasText: 'Porto' }).waitFor()
  await page.context().close()
})

test('a figure and a count of the home page follow', async () => {
  if (!page.url().endsWith('/web/home')) await admin.follow('/web/home')
  const figure = page.locator('a.kpi', { hasText: 'New opportunities' }).locator('b')
  await figure.waitFor()
  const before = Number(await figure.textContent())
  await bySeller('crm.lead', 'create', [{ name: 'Lovage', type: 'opportunity' }])
  await expect.poll(async () => Number(await figure.textContent())).toBe(before + 1)
  const count = async () => Number(/(\d+) in All Contacts/.exec((await page.locator('main').textContent()) ?? '')?.[1])
  const contacts = await count()
  await createPartner({ name: 'Sorrel' })
  await expect.poll(count).toBe(contacts + 1)
})

describe('a form', () => {
  test('takes the new values with a mark, and keeps its own', async () => {
    const id = await createPartner({ name: 'Tansy', city: 'Leeds', street: 'Old Road 1' })
    await admin.follow(form(id))
    await field('City').waitFor()
    await page.waitForFunction(() => document.querySelector('.present') !== null)
    await write('core.partner', id, { city: 'Porto' })
    await page.locator('[data-field=city].hit[data-by=S]').waitFor()
    await expect.poll(() => field('City').inputValue()).toBe('Porto')
    await field('Street').fill('My Road 2')
    await write('core.partner', id, { city: 'Gaia', street: 'Their Road 3' })
    await page.getByText('seller saved this meanwhile. Also changed there: Street.').waitFor()
    expect([await field('City').inputValue(), await field('Street').inputValue()]).toEqual(['Gaia', 'My Road 2'])
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Control+s')
    const dialog = page.getByRole('dialog', { name: 'seller saved this meanwhile' })
    await dialog.getByRole('button', { name: 'Go on editing' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
  })

  test('that the same user saves in another tab says so', async () => {
    const id = await createPartner({ name: 'Sage', street: 'Old Road 1' })
    await admin.follow(form(id))
    await field('Street').fill('My Road 2')
    await allLoaded(page)
    await callAs(admin, 'core.partner', 'write', [[id], { street: 'My Road 3' }])
    await page.getByText('You saved this in another tab. Also changed there: Street.').waitFor()
    await page.keyboard.press('Control+s')
    const dialog = page.getByRole('dialog', { name: 'You saved this in another tab' })
    await dialog.getByRole('button', { name: 'Go on editing' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
  })

  test('of a deleted record says who deleted it, keeps what was typed and makes it a new record', async () => {
    const id = await createPartner({ name: 'Yarrow' })
    const { page } = seller
    await seller.follow(form(id))
    await fieldOf(page, 'City').fill('York')
    // Waits until all requests about the record are answered, before it is deleted.
    await allLoaded(page)
    await callAs(admin, 'core.partner', 'unlink', [[id]])
    const notice = page.locator('.note.deleted')
    await notice.getByText('admin deleted this record.').waitFor()
    await notice.getByText('it is kept here until you leave').waitFor()
    await notice.getByRole('button', { name: 'Save as new' }).click()
    await page.waitForURL((url) => !url.searchParams.has('id'))
    await expect
      .poll(async () => [await fieldOf(page, 'Name').inputValue(), await fieldOf(page, 'City').inputValue()])
      .toEqual(['Yarrow', 'York'])
    await page.getByRole('button', { name: 'Discard' }).click()
    // Discard leads back to the page before the form of the deleted record.
    await page.waitForURL(`**${RESTING_VIEW}`)
  })

  test('shows who else has it open, until they leave', async () => {
    const id = await createPartner({ name: 'Borage' })
    await admin.follow(form(id))
    await seller.follow(form(id))
    await page.getByText('seller is here').waitFor()
    await seller.page.getByText('admin is here').waitFor()
    await seller.follow(RESTING_VIEW)
    await page.getByText('seller is here').waitFor({ state: 'detached' })
  })

  test('shows in which field another user types, and that they write a message', async () => {
    const id = await createPartner({ name: 'Tarragon', city: 'Leeds' })
    await admin.follow(form(id))
    await seller.follow(form(id))
    await page.getByText('seller is here').waitFor()
    // Types until the other page shows the mark, which disappears soon after the last key.
    const typed = (box: Locator, seen: Locator) => {
      let n = 0
      return expect.poll(() => box.fill(`Porto ${n++}`).then(() => seen.count())).toBe(1)
    }
    const city = seller.page.locator('.sheet').getByLabel('City', { exact: true }).first()
    await typed(city, page.locator('[data-field=city][data-peer="seller is typing"]'))
    expect(await findViolations(page)).toEqual([])
    const theirs = seller.page.getByRole('region', { name: 'Activity and messages' })
    await typed(theirs.getByRole('textbox', { name: 'Message' }), page.getByText('seller is writing'))
    await page.locator('[data-peer]').waitFor({ state: 'detached' })
    await theirs.getByRole('textbox', { name: 'Message' }).fill('')
    await seller.page.keyboard.press('Escape')
    await seller.page.getByRole('button', { name: 'Discard' }).click()
    await seller.follow(RESTING_VIEW)
    await page.getByText('seller is writing').waitFor({ state: 'detached' })
  })

  test('shows new messages of others beside it, without touching the message being written', async () => {
    const id = await createPartner({ name: 'Fennel' })
    await admin.follow(form(id))
    const chatter = page.getByRole('region', { name: 'Activity and messages' })
    await chatter.getByRole('textbox', { name: 'Message' }).fill('Half a thought')
    await seller.follow(form(id))
    const theirs = seller.page.getByRole('region', { name: 'Activity and messages' })
    const box = theirs.getByRole('textbox', { name: 'Message' })
    await box.fill('Called them ')
    await box.press('End')
    await box.pressSequentially('@adm')
    const option = seller.page.getByRole('listbox', { name: 'People' }).getByRole('option', { selected: true })
    await option.filter({ hasText: 'admin' }).filter({ hasText: 'here now' }).waitFor()
    expect(await findViolations(seller.page)).toEqual([])
    await box.press('Enter')
    await expect.poll(() => box.inputValue()).toBe('Called them @admin ')
    await box.press('Control+Enter')
    await chatter.getByRole('article').filter({ hasText: 'Called them' }).locator('[data-mention]').waitFor()
    await page.locator('.toast').filter({ hasText: 'seller' }).waitFor()
    await expect.poll(() => chatter.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Half a thought')
    await seller.follow(RESTING_VIEW)
  })
})

test('a board moves a card that another user moved, except under the pointer', async () => {
  const stages = await bySeller<{ id: number; name: string }[]>('crm.stage', 'search_read', [[], ['name']])
  const [from, to] = stages as [{ id: number; name: string }, { id: number; name: string }]
  const lead = await bySeller<number>('crm.lead', 'create', [{ name: 'Live lead', stage_id: from.id }])
  await admin.follow('/web?model=crm.lead&view_type=kanban&q=Live lead')
  const card = (stage: { name: string }) =>
    page.getByRole('region', { name: stage.name, exact: true }).locator(`[data-card="${lead}"]`)
  await card(from).waitFor()
  await write('crm.lead', lead, { stage_id: to.id })
  await card(to).waitFor()
  await card(to).locator('.flag', { hasText: 'seller' }).waitFor()
  const left = page.getByRole('region', { name: from.name, exact: true }).getByText(`seller moved this to ${to.name}`)
  await left.waitFor()
  expect(await findViolations(page)).toEqual([])
  await card(to).hover()
  await write('crm.lead', lead, { stage_id: from.id })
  await chip().waitFor()
  await expect.poll(() => card(to).count()).toBe(1)
  await page.keyboard.press('r')
  await card(from).waitFor()
  await left.waitFor({ state: 'detached' })
})

test('a board marks a card that another user is dragging, until they drop it', async () => {
  const lead = await bySeller<number>('crm.lead', 'create', [{ name: 'Lifted lead' }])
  const board = '/web?model=crm.lead&view_type=kanban&q=Lifted lead'
  const card = ({ page }: SignedIn) => page.locator(`[data-card="${lead}"]`)
  for (const person of [admin, seller]) {
    await person.followAnew(board)
    await card(person).waitFor()
  }
  await card(seller).locator('h3 a').focus()
  await seller.page.keyboard.press('m')
  await seller.page.locator('.card.lifted').waitFor()
  await card(admin).locator('.flag', { hasText: 'seller is dragging' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await seller.page.keyboard.press('Escape')
  await card(admin).locator('.flag').waitFor({ state: 'detached' })
  await seller.follow(RESTING_VIEW)
})

test('the connection is restored automatically and delivers missed events', async () => {
  const id = await createPartner({ name: 'Chervil', city: 'Leeds' })
  await openList('Chervil')
  const frames: string[] = []
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => void frames.push(String(payload))))
  // All answers have arrived before: a later one would show that the server is reachable.
  await allLoaded(page)
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Offline' }).waitFor()
  await write('core.partner', id, { city: 'Porto' })
  await page.context().setOffline(false)
  await row(id).getByText('Porto').waitFor()
  await expect.poll(() => frames).toContainEqual(expect.stringContaining('since'))
  admin.complaints.length = 0
})
