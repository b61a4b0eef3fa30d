/** Writes a picture of every screen into `.shots/`: two widths, two themes, with example records and without. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const OUT = '.shots'
const LOGIN = 'elena@alderfinch.example'
const PASSWORD = 'quiet harbour lamp'
const APPS = 'contacts,product,sale,crm,project'

const SIZES = [
  [1440, 900],
  [390, 844],
]
const THEMES = ['light', 'dark']

/**
 * Name of the picture → where it is taken: an address, or the names of an application and its menu. `view` is another kind of view
 * there, `record` opens the record at that place of the list; `act` does what a person would do before the picture.
 */
const SCREENS = {
  home: { path: '/web/home' },
  apps: { path: '/web/apps' },
  settings: { path: '/web/settings' },
  account: { path: '/web/settings/account' },
  logs: { path: '/web/settings/app-logs' },
  translations: { path: '/web/settings/translations' },
  'app-settings': { path: '/web/settings/app' },
  missing: { path: '/web?model=core.partner&view_type=form&id=999999' },
  list: { menu: ['Sales', 'Sales Orders'] },
  'list-selected': {
    menu: ['Sales', 'Sales Orders'],
    needsRecords: true,
    act: async (page) => {
      for (const row of [1, 3, 4]) await page.locator('[role=row] input.check').nth(row).check()
    },
  },
  'list-grouped': { menu: ['Sales', 'Sales Orders'], hash: '#group=state' },
  'list-nothing': { menu: ['Sales', 'Sales Orders'], query: { q: 'zzz' } },
  'list-edited': {
    menu: ['Project', 'All Tasks'],
    view: 'list',
    query: { filter: '' },
    isWide: true,
    needsRecords: true,
    act: async (page) => {
      await page.locator('[data-line="2"] [data-col="2"]').click()
      await page.keyboard.press('F2')
    },
  },
  filters: {
    menu: ['Sales', 'Sales Orders'],
    act: (page) => page.getByRole('button', { name: 'Filter', exact: true }).click(),
  },
  columns: {
    menu: ['Sales', 'Sales Orders'],
    isWide: true,
    needsRecords: true,
    act: (page) => page.getByRole('button', { name: 'Choose columns' }).click(),
  },
  contacts: { menu: ['Contacts', 'All Contacts'] },
  products: { menu: ['Products', 'Products'] },
  form: { menu: ['Sales', 'Sales Orders'], record: 3 },
  'form-edited': {
    menu: ['Sales', 'Quotations'],
    query: { filter: '' },
    record: 1,
    act: async (page) => {
      await page.getByLabel('Customer Reference').fill('Warehouse fit-out, phase 2')
      await page.keyboard.press('Tab')
    },
  },
  'form-new': { menu: ['Sales', 'Quotations'], view: 'form' },
  'form-all-records': {
    menu: ['Sales', 'Quotations'],
    view: 'form',
    needsRecords: true,
    act: async (page) => {
      await page.locator('.sheet').getByLabel('Customer', { exact: true }).first().click()
      await page.getByRole('option', { name: 'Show all…' }).click()
      await page.locator('.all-records [role=option]').nth(20).waitFor()
    },
  },
  'form-languages': {
    menu: ['Products', 'Products'],
    record: 2,
    act: (page) => page.getByRole('button', { name: 'Name in all languages' }).click(),
  },
  'form-sorted-lines': {
    menu: ['Sales', 'Quotations'],
    query: { filter: '' },
    record: 1,
    isWide: true,
    act: (page) => page.getByRole('columnheader', { name: 'Product' }).getByRole('button').click(),
  },
  partner: { menu: ['Contacts', 'All Contacts'], record: 4 },
  product: { menu: ['Products', 'Products'], record: 2 },
  lead: { menu: ['CRM', 'Pipeline'], record: 1 },
  task: { menu: ['Project', 'All Tasks'], query: { filter: '' }, record: 2 },
  users: { path: '/web/settings/users' },
  user: { path: '/web/settings/users#user=1' },
  access: { path: '/web/settings/access' },
  keys: { path: '/web/settings/keys' },
  'keys-new': { path: '/web/settings/keys', act: (page) => page.keyboard.press('n') },
  operations: { path: '/web/settings/operations' },
  audit: { menu: ['Settings', 'Audit Trail'] },
  kanban: { menu: ['CRM', 'Pipeline'] },
  'kanban-new': {
    menu: ['CRM', 'Pipeline'],
    act: (page) => page.keyboard.press('n'),
  },
  tasks: { menu: ['Project', 'All Tasks'], query: { filter: '' }, view: 'kanban' },
  gantt: { menu: ['Project', 'All Tasks'], view: 'gantt', query: { filter: '' } },
  calendar: { menu: ['Project', 'All Tasks'], view: 'calendar', query: { filter: '' } },
  'calendar-week': { menu: ['Project', 'All Tasks'], view: 'calendar', query: { filter: '' }, hash: '#scale=week' },
  'calendar-agenda': { menu: ['CRM', 'My Activities'], view: 'calendar', query: { filter: '' }, hash: '#scale=agenda' },
  map: { menu: ['Contacts', 'All Contacts'], view: 'map' },
  graph: { menu: ['Sales', 'Sales Orders'], view: 'graph' },
  pivot: { menu: ['Sales', 'Sales Orders'], view: 'pivot' },
  cohort: { menu: ['CRM', 'Pipeline'], view: 'cohort', query: { filter: '' } },
  export: {
    menu: ['Contacts', 'All Contacts'],
    view: 'list',
    isWide: true,
    needsRecords: true,
    act: (page) => page.getByRole('button', { name: 'Export' }).click(),
  },
  import: {
    menu: ['Contacts', 'All Contacts'],
    view: 'list',
    act: async (page) => {
      await page.getByRole('button', { name: 'Import' }).click()
      const buffer = Buffer.from(
        'Name,City,Country,Customer Since\nHolm Boats,Kiel,Germany,2026-02-01\nRiva,Como,Italia,x\n',
      )
      await page.getByLabel('File to import').setInputFiles({ name: 'contacts.csv', mimeType: 'text/csv', buffer })
      await page.locator('.maptbl tbody tr').first().waitFor()
    },
  },
  dashboard: { path: '/web?model=sys.dashboard&view_type=form&id=1#period=year' },
  'dashboard-edit': {
    path: '/web?model=sys.dashboard&view_type=form&id=1#period=year',
    act: (page) => page.getByRole('button', { name: 'Edit', exact: true }).click(),
  },
  palette: { menu: ['Sales', 'Sales Orders'], act: (page) => page.keyboard.press('Control+k') },
  'palette-found': {
    menu: ['Sales', 'Sales Orders'],
    needsRecords: true,
    act: async (page) => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('des')
      await page.waitForTimeout(600)
    },
  },
  shortcuts: { menu: ['Sales', 'Sales Orders'], act: (page) => page.keyboard.press('?') },
  'user-menu': {
    menu: ['Sales', 'Sales Orders'],
    isWide: true,
    act: (page) => page.locator('.side-foot button').click(),
  },
  'phone-menu': {
    menu: ['Sales', 'Sales Orders'],
    isNarrow: true,
    act: (page) => page.locator('#open-menu').click(),
  },
}

const toSecond = async (page) => {
  await page.getByLabel('Company name').fill('Alder & Finch')
  await page.keyboard.press('Enter')
}
const toThird = async (page) => {
  await toSecond(page)
  await page.getByLabel('Full name').fill('Elena Rossi')
  await page.locator('#login').fill(LOGIN)
  await page.locator('#password').fill(PASSWORD)
  await page.keyboard.press('Enter')
}
/** What is typed before the picture of each step of the set-up. */
const SETUP = [async () => undefined, toSecond, toThird]

const wanted = process.argv.slice(2)

execFileSync(process.execPath, ['runtime/build/build.mjs'], { stdio: 'inherit' })
await mkdir(OUT, { recursive: true })
const browser = await chromium.launch({
  executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  await shoot('full', ['--demo'])
  await shoot('empty', [])
} finally {
  await browser.close()
}

/** Sets up an installation of its own and takes its pictures. */
async function shoot(kind, options) {
  const dataDir = await mkdtemp(join(tmpdir(), 'modulus-shots-'))
  const env = {
    ...process.env,
    SVC_DATA_DIR: dataDir,
    SVC_HTTP_PORT: '0',
    SVC_RATE_LIMIT_RPM: '0',
    MODULUS_PASSWORD: PASSWORD,
  }
  const service = spawn(process.execPath, ['.build/svc.js', 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const url = await readyAt(service)
    if (kind === 'empty')
      for (const [at, act] of SETUP.entries()) await anonymous(url, `setup-${at + 1}`, '/setup', act)
    const line = ['init', '--company', 'Alder & Finch', '--login', LOGIN, '--modules', APPS, ...options]
    execFileSync(process.execPath, ['.build/svc.js', ...line], { env, stdio: 'ignore' })
    if (kind === 'full') {
      await anonymous(url, 'login', '/web/login')
      await anonymous(url, 'forgot', '/web/forgot')
      await anonymous(url, 'not-found', '/web/nothing')
    }
    for (const [width, height] of SIZES) for (const theme of THEMES) await signedIn(url, kind, width, height, theme)
  } finally {
    service.kill('SIGINT')
    await once(service, 'exit')
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function readyAt(service) {
  let text = ''
  for await (const chunk of service.stdout) {
    text += chunk
    const [, url] = /ready at (\S+)/.exec(text) ?? []
    if (url) return url
  }
  throw new Error('The service did not start.')
}

async function anonymous(url, name, path, act) {
  if (wanted.length > 0 && !wanted.includes(name)) return
  for (const [width, height] of SIZES) {
    for (const theme of THEMES) {
      const page = await browser.newPage({ viewport: { width, height }, colorScheme: theme })
      await page.goto(url + path)
      await act?.(page)
      await page.waitForTimeout(200)
      await page.screenshot({ path: join(OUT, `${name}-${width}-${theme}.png`) })
      await page.close()
    }
  }
}

async function signedIn(url, kind, width, height, theme) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: theme })
  page.on('console', (message) => message.type() === 'error' && console.error(`console: ${message.text()}`))
  page.on('pageerror', (error) => console.error(`page: ${error.message}`))
  await page.goto(`${url}/web/login`)
  await page.fill('#login', LOGIN)
  await page.fill('#password', PASSWORD)
  await page.click('button[type=submit]')
  await page.waitForURL((address) => !address.pathname.startsWith('/web/login'))
  for (const [name, screen] of Object.entries(SCREENS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    if (kind === 'empty' && (screen.record !== undefined || screen.needsRecords)) continue
    if (screen.isWide ? width < 640 : screen.isNarrow && width >= 640) continue
    await page.goto(url + (screen.path ?? (await addressOf(page, screen))))
    await settled(page)
    await page.waitForTimeout(400)
    if (screen.act) {
      await screen.act(page)
      await page.waitForTimeout(400)
    }
    await page.screenshot({ path: join(OUT, `${name}-${kind}-${width}-${theme}.png`) })
  }
  await page.close()
}

async function settled(page) {
  const busy = page.locator('[aria-busy=true]').first()
  await busy.waitFor({ state: 'detached', timeout: 5_000 }).catch(() => {})
}

/** The address a menu leads to, as the client knows it. */
async function addressOf(page, { menu: [app, name], view, record, query = {}, hash = '' }) {
  await page.goto(new URL('/web/home', page.url()).href)
  const href = await page.evaluate(
    ([root, leaf]) => {
      const find = (menus) => menus.flatMap((menu) => [menu, ...find(menu.children)])
      const top = window.__WC_BOOTSTRAP__.topMenus.find((menu) => menu.name === root)
      return find(top.children).find((menu) => menu.name === leaf && menu.href !== null).href
    },
    [app, name],
  )
  const address = new URL(href, page.url())
  if (view !== undefined) address.searchParams.set('view_type', view)
  for (const [key, value] of Object.entries(query)) address.searchParams.set(key, value)
  if (record !== undefined) await openRecord(page, address, record)
  return address.pathname + address.search + hash
}

/** Puts the id of a record of the place into its address. */
async function openRecord(page, address, at) {
  const answer = await page.request.get(`${address.origin}/web/wc/workspace${address.search}`)
  const { records } = await answer.json()
  address.searchParams.set('view_type', 'form')
  address.searchParams.set('id', String(records[at].id))
}
