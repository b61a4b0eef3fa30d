/** Writes a picture of every screen into `.shots/`: two widths, two themes, with example records and without. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { SCREENS } from './shot-screens.mjs'

const OUT = '.shots'
const LOGIN = 'elena@alderfinch.example'
const PASSWORD = 'quiet harbour lamp'
const APPS = 'contacts,product,sale,crm,project'

const SIZES = [
  [1440, 900],
  [390, 844],
]
const THEMES = ['light', 'dark']

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
