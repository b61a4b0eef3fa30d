import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorker } from '../../support/worker.ts'
import { PASSWORD, type SignedIn, type StartService, useClient } from './fixture.ts'
import { callAs, fieldOf } from './two-people.ts'

/** The worker and the client as they are shipped, in a browser. */
const startWorker: StartService = async (dsn) => {
  const script = await readFile('.build/worker.js', 'utf8')
  const { url, close } = await openWorker(dsn, { script, clientFolder: '.build/web', overSocket: true })
  return { url, end: close }
}

const client = useClient({}, startWorker)
let admin: SignedIn
let seller: SignedIn
const sockets: string[] = []

beforeAll(async () => {
  admin = await client.signIn()
  admin.page.on('websocket', (socket) => sockets.push(socket.url()))
  seller = await client.signIn('seller')
  await seller.go('/web/home')
})
afterAll(() => expect([...admin.complaints, ...seller.complaints]).toEqual([]))

const list = (name: string) => `/web?model=core.partner&view_type=list&q=${name}`
const create = (values: object) => callAs<number>(seller, 'core.partner', 'create', [values])

test('a user can sign in on its page', async () => {
  const { page } = await client.signIn('reader', { storageState: { cookies: [], origins: [] } })
  await page.context().clearCookies()
  await page.goto('/web/login')
  await page.getByLabel('Login').fill('reader')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/web/home')
  await page.locator('.viewhost[aria-busy=false]').first().waitFor()
  await page.context().close()
})

test('a page asks for what others change, by the position of the last event, and opens no socket', async () => {
  const id = await create({ name: 'Dill', city: 'Leeds' })
  const asked = admin.page.waitForResponse('**/web/wc/events?since=*')
  await admin.go(list('Dill'))
  expect((await asked).status()).toBe(200)
  await callAs(seller, 'core.partner', 'write', [[id], { city: 'Porto' }])
  await admin.page.locator(`.gr[data-id="${id}"]`, { hasText: 'Porto' }).waitFor()
  expect(sockets).toEqual([])
})

test('a form is opened, changed and saved', async () => {
  const id = await create({ name: 'Fennel', city: 'Leeds' })
  await admin.go(`/web?model=core.partner&view_type=form&id=${id}`)
  await fieldOf(admin.page, 'City').fill('Gaia')
  await admin.page.keyboard.press('Control+s')
  await expect.poll(() => callAs(seller, 'core.partner', 'read', [[id], ['city']])).toMatchObject([{ city: 'Gaia' }])
})
