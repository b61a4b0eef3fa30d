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

/** Name of the picture → address; `full` ones make sense with records only. */
const SCREENS = {
  home: { path: '/web/home' },
  apps: { path: '/web/apps' },
  settings: { path: '/web/settings' },
  account: { path: '/web/account' },
  logs: { path: '/web/settings/app-logs' },
  list: { path: '/web?model=sale.order&view_type=list' },
  'list-grouped': { path: '/web?model=sale.order&view_type=list#group=state' },
  form: { path: '/web?model=sale.order&view_type=form', record: 'sale.order' },
  'form-new': { path: '/web?model=sale.order&view_type=form' },
  partner: { path: '/web?model=core.partner&view_type=form', record: 'core.partner' },
  lead: { path: '/web?model=crm.lead&view_type=form', record: 'crm.lead' },
  task: { path: '/web?model=project.task&view_type=form', record: 'project.task' },
  kanban: { path: '/web?model=crm.lead&view_type=kanban' },
  tasks: { path: '/web?model=project.task&view_type=kanban' },
  products: { path: '/web?model=product.product&view_type=kanban' },
  contacts: { path: '/web?model=core.partner&view_type=kanban' },
  gantt: { path: '/web?model=project.task&view_type=gantt' },
  palette: { path: '/web?model=sale.order&view_type=list', keys: 'Control+k' },
  shortcuts: { path: '/web?model=sale.order&view_type=list', keys: '?' },
}

const wanted = process.argv.slice(2)

execFileSync(process.execPath, ['runtime/build.mjs'], { stdio: 'inherit' })
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
    if (kind === 'empty') await anonymous(url, 'setup', '/setup')
    const line = ['init', '--company', 'Alder & Finch', '--login', LOGIN, '--modules', APPS, ...options]
    execFileSync(process.execPath, ['.build/svc.js', ...line], { env, stdio: 'ignore' })
    if (kind === 'full') {
      await anonymous(url, 'login', '/web/login')
      await anonymous(url, 'forgot', '/web/forgot')
      await anonymous(url, 'not-found', '/web/nothing')
    }
    for (const [width, height] of SIZES) for (const theme of THEMES) await signedIn(url, kind, width, height, theme)
  } finally {
    service.kill('SIGTERM')
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

async function anonymous(url, name, path) {
  if (wanted.length > 0 && !wanted.includes(name)) return
  for (const [width, height] of SIZES) {
    for (const theme of THEMES) {
      const page = await browser.newPage({ viewport: { width, height }, colorScheme: theme })
      await page.goto(url + path)
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
    if (screen.record && kind === 'empty') continue
    const id = screen.record ? await firstId(page, screen.record) : null
    await page.goto(url + screen.path + (id === null ? '' : `&id=${id}`))
    await page
      .locator('[aria-busy=true]')
      .first()
      .waitFor({ state: 'detached', timeout: 5_000 })
      .catch(() => {})
    await page.waitForTimeout(400)
    if (screen.keys) {
      await page.keyboard.press(screen.keys)
      await page.waitForTimeout(400)
    }
    await page.screenshot({ path: join(OUT, `${name}-${kind}-${width}-${theme}.png`) })
  }
  await page.close()
}

/** A record of the model, asked for as the client would. */
function firstId(page, model) {
  return page.evaluate(async (name) => {
    const { csrfToken } = window.__WC_BOOTSTRAP__ ?? {}
    const body = JSON.stringify({
      model: name,
      method: 'search_read',
      args: [[], ['id']],
      kwargs: { limit: 1, offset: 3 },
    })
    const headers = { 'content-type': 'application/json', 'x-csrf-token': csrfToken }
    const answer = await (await fetch('/api/rpc', { method: 'POST', headers, body })).json()
    return answer.result[0].id
  }, model)
}
