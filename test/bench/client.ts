import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { findChromium } from '../support/browser.ts'
import { median } from './median.ts'

/** The address of the client and the session of its user. */
export interface ClientPlace {
  readonly port: number
  /** Token of a session. */
  readonly session: string
}

const ADDRESS = '/web?model=core.partner&view_type=list'
/** The name of a view's tab, and what its first record looks like. */
const LIST = ['List', '[role=row][data-id]'] as const
const BOARD = ['Kanban', '[data-card]'] as const
const RUNS = 5
const SWITCHES = 50
const FRAMES = 120
const PAUSE_MS = 600

/**
 * What the client costs in a real browser, each figure beside its budget. Script, style and layout are CPU time of the page's own
 * thread, so that they mean something on a machine with two cores; waiting is by the clock.
 */
export async function benchClient(place: ClientPlace): Promise<void> {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-dev-shm-usage', '--js-flags=--expose-gc'],
  })
  const show = (name: string, figure: number, budget: number, unit: string) =>
    console.log(
      `${name.padEnd(44)}${figure.toFixed(figure < 10 ? 2 : 0).padStart(9)} of ${String(budget).padEnd(5)}${unit.padEnd(6)}${(figure / budget).toFixed(2)}`,
    )
  try {
    const cold = await repeat(() => coldList(browser, place))
    show('cold list, until the rows are there', median(cold.map(({ ms }) => ms)), 1_000, 'ms')
    show('requests until then', Math.max(...cold.map(({ requests }) => requests)), 9, '')
    const { page, cdp, ended } = await openList(browser, place)
    const switches = await repeat(async () => [await switchTo(page, BOARD), await switchTo(page, LIST)] as const)
    show('warm switch from list to board', median(switches.map(([board]) => board)), 200, 'ms')
    show('warm switch from board to list', median(switches.map(([, list]) => list)), 200, 'ms')
    await switchTo(page, BOARD)
    const drawn = await cost(cdp, () => switchTo(page, LIST))
    show('drawing the list: script, style, layout', drawn.script + drawn.style + drawn.layout, 120, 'ms')
    for (const [name, step] of [
      ['a row a frame', 32],
      ['a screen a frame', 800],
      ['a thousand rows a frame', 32_000],
    ] as const) {
      const spent = await cost(cdp, () => scroll(page, step, FRAMES))
      show(`scrolling 100,000 rows, ${name}: script`, spent.script / FRAMES, 4, 'ms')
    }
    show('rows drawn at most', await page.evaluate(() => (window as unknown as Marks).mostRows), 60, '')
    await switchBackAndForth(page, 4)
    const soFar = await longestTask(page)
    const before = await heap(cdp)
    // What is collected on demand is no task of the client.
    await page.waitForTimeout(PAUSE_MS)
    await forgetTasks(page)
    await switchBackAndForth(page, SWITCHES)
    const longest = Math.max(soFar, await longestTask(page))
    show(`heap after ${SWITCHES} switches, growth`, ((await heap(cdp)) / before - 1) * 100, 10, '%')
    show('longest task after loading', longest, 100, 'ms')
    await ended()
  } finally {
    await browser.close()
  }
}

/** What a script in the page records. */
interface Marks {
  longest: number
  mostRows: number
  /** When the first row was drawn. */
  firstRow: number
}

async function openPage(browser: Browser, { port, session }: ClientPlace): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addCookies([{ name: 'svc_session', value: session, domain: '127.0.0.1', path: '/' }])
  const page = await context.newPage()
  await page.addInitScript(() => {
    const marks = Object.assign(window as unknown as Marks, { longest: 0, mostRows: 0, firstRow: 0 })
    // By the page's own clock, so that the time Playwright needs to notice it does not count.
    const look = () => {
      if (document.querySelector('[role=row][data-id]')) marks.firstRow = performance.now()
      else requestAnimationFrame(look)
    }
    look()
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) marks.longest = Math.max(marks.longest, duration)
    }).observe({ type: 'longtask' })
  })
  await page.goto(`http://127.0.0.1:${port}${ADDRESS}`)
  return page
}

async function coldList(browser: Browser, place: ClientPlace) {
  const page = await openPage(browser, place)
  await page.locator(LIST[1]).first().waitFor()
  const seen = await page.evaluate(() => {
    const { firstRow } = window as unknown as Marks
    const loaded = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < firstRow)
    return { ms: firstRow, requests: loaded.length + 1 }
  })
  await page.context().close()
  return seen
}

async function openList(browser: Browser, place: ClientPlace) {
  const page = await openPage(browser, place)
  await page.locator(LIST[1]).first().waitFor()
  await page.waitForLoadState('networkidle')
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  await forgetTasks(page)
  return { page, cdp, ended: () => page.context().close() }
}

const longestTask = (page: Page): Promise<number> => page.evaluate(() => (window as unknown as Marks).longest)

const forgetTasks = (page: Page): Promise<void> =>
  page.evaluate(() => {
    ;(window as unknown as Marks).longest = 0
  })

/** Follows the tab of a view; milliseconds until its first record is drawn and nothing is busy. */
async function switchTo(page: Page, view: readonly [name: string, content: string]): Promise<number> {
  // A user reads a view before leaving it, so what it loads after the first record has arrived by then.
  await page.waitForTimeout(PAUSE_MS)
  return page.evaluate(async ([name, content]) => {
    const start = performance.now()
    document.querySelector<HTMLElement>(`nav.seg a[aria-label="${name}"]`)!.click()
    do await new Promise((resolve) => requestAnimationFrame(resolve))
    while (!document.querySelector(`.viewhost[aria-busy=false] ${content}`))
    return performance.now() - start
  }, view)
}

async function switchBackAndForth(page: Page, times: number): Promise<void> {
  for (let index = 0; index < times; index++) await switchTo(page, index % 2 ? LIST : BOARD)
}

const scroll = (page: Page, step: number, frames: number): Promise<void> =>
  page.evaluate(
    async ([px, count]) => {
      const marks = window as unknown as Marks
      const scroller = document.querySelector<HTMLElement>('[data-scroll=list]')!
      scroller.scrollTop = 0
      for (let index = 0; index < count; index++) {
        scroller.scrollTop = (scroller.scrollTop + px) % (scroller.scrollHeight - scroller.clientHeight)
        await new Promise((resolve) => requestAnimationFrame(resolve))
        marks.mostRows = Math.max(marks.mostRows, scroller.querySelectorAll('.gb > [role=row]').length)
      }
    },
    [step, frames] as const,
  )

/** Processor time of the page's thread by kind of work, in milliseconds. */
async function cost(cdp: CDPSession, work: () => Promise<unknown>) {
  const read = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    const of = (name: string) => (metrics.find((metric) => metric.name === name)?.value ?? 0) * 1_000
    return { script: of('ScriptDuration'), style: of('RecalcStyleDuration'), layout: of('LayoutDuration') }
  }
  const before = await read()
  await work()
  const after = await read()
  return {
    script: after.script - before.script,
    style: after.style - before.style,
    layout: after.layout - before.layout,
  }
}

async function heap(cdp: CDPSession): Promise<number> {
  for (let round = 0; round < 3; round++) await cdp.send('HeapProfiler.collectGarbage')
  const { metrics } = await cdp.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')!.value
}

async function repeat<T>(work: () => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (let round = 0; round < RUNS; round++) results.push(await work())
  return results
}
