import { execFileSync } from 'node:child_process'
import pg from 'pg'
import { type Browser, chromium, type Page } from 'playwright-core'
import { findChromium } from '../support/browser.ts'
import { postgresTime, processorTime } from './processor-time.ts'
import { CLI, freePort, startService, stop } from './service.ts'

interface Place {
  readonly env: NodeJS.ProcessEnv
  readonly dsn: string
  readonly postgresPid: number
  /** The user, and the token of the session. */
  readonly login: string
  readonly session: string
  /** The kinds to measure; none: all. */
  readonly only: readonly string[]
}

const RECORDS = 100_000
const RUNS = 3
const UPDATES_PER_SECOND = 100
/** Records of one write. */
const AT_ONCE = 20
const SECONDS = 6

/** An element that each view has once its content is drawn. */
const DRAWN: Readonly<Record<string, string>> = {
  graph: '.graphview canvas',
  pivot: '.pivot tbody td a',
  calendar: '.calview [data-event]',
  gantt: '.gantt .gbar',
  map: '.mapview .pins button',
  cohort: '.cohort tbody td a',
}

/**
 * The six views of figures, time and places over 100,000 records: how long each takes to open in a fresh page, and how long its frames
 * are while 100 of the records change every second.
 */
export async function benchViews({ env, dsn, postgresPid, login, session, only }: Place): Promise<void> {
  execFileSync(process.execPath, [CLI, 'module', 'install', 'crm'], { env, stdio: 'ignore' })
  await fill(dsn, login)
  const port = await freePort()
  const service = await startService({ ...env, SVC_HTTP_PORT: String(port) })
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-dev-shm-usage'],
  })
  const origin = `http://127.0.0.1:${port}`
  try {
    const named = Object.keys(DRAWN).filter((kind) => only.includes(kind))
    for (const kind of named.length > 0 ? named : Object.keys(DRAWN)) {
      const opened: number[] = []
      const worked: number[] = []
      for (let run = 0; run <= RUNS; run++) {
        const before = processorTime(service.pid!) + postgresTime(postgresPid)
        const page = await openView(browser, origin, session, kind)
        const ms = await page.evaluate(() => (window as unknown as Marks).drawn)
        // The first one also warms the caches of the service.
        if (run > 0) {
          opened.push(ms)
          worked.push(processorTime(service.pid!) + postgresTime(postgresPid) - before)
        }
        if (run === RUNS) await measureFrames(page, origin, session, kind)
        await page.context().close()
      }
      show(`${kind} over ${RECORDS.toLocaleString('en')} records opens`, median(opened), 1_000)
      show(`${kind}: processor time of service and database for it`, median(worked), 1_000)
    }
  } finally {
    await browser.close()
    await stop(service)
  }
}

interface Marks {
  /** When the content was there, by the page's own clock. */
  drawn: number
}

async function openView(browser: Browser, origin: string, session: string, kind: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addCookies([{ name: 'svc_session', value: session, domain: '127.0.0.1', path: '/' }])
  const page = await context.newPage()
  await page.addInitScript((selector) => {
    const marks = Object.assign(window as unknown as Marks, { drawn: 0 })
    const look = () => {
      if (document.querySelector(selector)) marks.drawn = performance.now()
      else requestAnimationFrame(look)
    }
    look()
  }, DRAWN[kind]!)
  await page.goto(`${origin}/web?model=crm.lead&view_type=${kind}`)
  await page.waitForFunction(() => (window as unknown as Marks).drawn > 0)
  return page
}

/** Processor time of frames while records change, preferably records that the view shows. */
async function measureFrames(page: Page, origin: string, session: string, kind: string): Promise<void> {
  const ids = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-event], [data-key*="|"]')].flatMap(
      ({ dataset }) => Number(dataset['event'] ?? dataset['key']?.split('|').at(-1)) || [],
    ),
  )
  const changed = [...new Set(ids.length > 0 ? ids : Array.from({ length: 500 }, (_, index) => index + 1))]
  await page.evaluate(() => {
    const tick = () => requestAnimationFrame(tick)
    tick()
  })
  await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
  const browser = page.context().browser()!
  await browser.startTracing(page, {
    categories: ['disabled-by-default-devtools.timeline', 'devtools.timeline', 'toplevel'],
  })
  const made = await update(origin, session, changed)
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: readonly TraceEvent[] }
  const frames = frameWork(traceEvents).toSorted((a, b) => a - b)
  const at = (part: number) => frames[Math.floor(frames.length * part)] ?? 0
  show(`${kind}: work of a frame at ${made.toFixed(0)} updates a second, p95`, at(0.95), 34)
  show(`${kind}: work of the longest frame`, frames.at(-1) ?? 0, 100)
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  /** Processor time in microseconds. */
  readonly tdur?: number
}

/** Processor time in ms that the thread of the page spent between two frames, for each: other processes do not count. */
function frameWork(events: readonly TraceEvent[]): readonly number[] {
  const isFrame = ({ name }: TraceEvent) => name === 'FireAnimationFrame'
  const main = events.find(isFrame)
  const own = events.filter(({ pid, tid }) => pid === main?.pid && tid === main.tid).toSorted((a, b) => a.ts - b.ts)
  const frames: number[] = []
  let work = 0
  for (const event of own) {
    if (event.name === 'RunTask' || event.name === 'ThreadControllerImpl::RunTask') work += (event.tdur ?? 0) / 1_000
    else if (isFrame(event)) {
      frames.push(work)
      work = 0
    }
  }
  return frames
}

/** Writes records a few at a time, as a hundred users would, and returns how many per second were written. */
async function update(origin: string, session: string, ids: readonly number[]): Promise<number> {
  const cookie = `svc_session=${session}`
  const page = await fetch(`${origin}/web/wc/workspace?model=crm.lead&view_type=list`, { headers: { cookie } })
  const { csrfToken } = (await page.json()) as { csrfToken: string }
  const headers = { cookie, 'x-csrf-token': csrfToken, 'content-type': 'application/json' }
  const start = performance.now()
  let made = 0
  while (performance.now() - start < SECONDS * 1_000) {
    const some = Array.from({ length: AT_ONCE }, (_, index) => ids[(made + index) % ids.length])
    made += AT_ONCE
    const values = { expected_revenue: 1_000 + made, date_deadline: dayIn(made % 20) }
    const body = { model: 'crm.lead', method: 'write', args: [[...new Set(some)], values] }
    await fetch(`${origin}/api/rpc`, { method: 'POST', headers, body: JSON.stringify(body) })
    const due = start + (made / UPDATES_PER_SECOND) * 1_000
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
  }
  return made / SECONDS
}

const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Leads of three years with ten salespeople, and their places; the user may see all of them. */
async function fill(dsn: string, login: string): Promise<void> {
  const client = new pg.Client(dsn)
  await client.connect()
  await client.query(
    `insert into core_user_group_ids_rel select u.id, x.res_id from core_user u, sys_xmlid x
     where u.login = $1 and x.module = 'crm' and x.name = 'group_manager' on conflict do nothing`,
    [login],
  )
  await client.query(
    `insert into crm_lead (name, type, stage_id, user_id, team_id, currency_id, company_id, expected_revenue, weighted_revenue, probability,
       priority, date_open, date_deadline, date_closed, outcome, latitude, longitude, active, create_date, write_date, version)
     select 'Lead ' || i, 'opportunity', (array(select id from crm_stage order by id))[1 + i % 5], (array(select id from core_user order by id limit 10))[1 + i % 4],
       (select min(id) from crm_team), (select currency_id from core_company order by id limit 1), (select min(id) from core_company),
       100 + i % 9000, 10 + i % 900, 10, (i % 4)::text, now() - (i % 1095) * interval '1 day', (now() - (i % 1095 - 30) * interval '1 day')::date,
       case when i % 2 = 0 then now() - (i % 900) * interval '1 day' end, 'open', i % 140 - 70 + (i % 997) / 997.0, i % 340 - 170 + (i % 991) / 991.0,
       true, now(), now(), 1
     from generate_series(1, $1::int) i`,
    [RECORDS],
  )
  await client.query('vacuum analyze crm_lead')
  await client.end()
}

const show = (name: string, figure: number, budget: number): void =>
  console.log(
    `${name.padEnd(58)}${figure.toFixed(0).padStart(6)} of ${String(budget).padEnd(5)}ms  ${(figure / budget).toFixed(2)}`,
  )

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!
