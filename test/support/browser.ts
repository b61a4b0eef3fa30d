import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { installPackages, mayInstall } from './debian-packages.ts'

/**
 * Paths of Chromium, the preferred one first. The headless shell is the same engine without the browser's interface and takes a quarter
 * of the processor time; Debian's program is started without its wrapper, which adds switches for a screen.
 */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/lib/chromium/chromium',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** A Chromium to test with: `$CHROME_PATH`, one of the system, or Debian's package when this is root. Throws if it is missing and cannot be installed. */
export function findChromium(): string {
  const asked = process.env['CHROME_PATH']
  if (asked) {
    if (existsSync(asked)) return asked
    throw new Error(`CHROME_PATH names ${asked}, which does not exist.`)
  }
  return PLACES.find(existsSync) ?? installChromium()
}

function installChromium(): string {
  if (mayInstall()) installPackages(['chromium-headless-shell'])
  const installed = PLACES.find(existsSync)
  if (installed) return installed
  throw new Error(
    'The browser tests need Chromium: install it (apt-get install chromium-headless-shell) or name one in CHROME_PATH.',
  )
}

let running: Promise<Browser> | undefined

/** The browser of this worker: one for all its test files, which close their own contexts. It ends with the worker. */
export async function sharedBrowser(): Promise<Browser> {
  if (!(await running)?.isConnected()) running = launch()
  return running!
}

function launch(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0
  return chromium.launch({
    executablePath: findChromium(),
    // The worker handles its own end; the browser ends when the pipe to it closes.
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
    args: [
      ...(isRoot ? ['--no-sandbox'] : []),
      '--disable-dev-shm-usage',
      '--force-color-profile=srgb',
      '--disable-gpu',
      // A page lives for a second or two: to compile its code and to collect its garbage in further threads costs more than it gives.
      '--js-flags=--single-threaded',
    ],
  })
}

/** Long enough for a slow page on a busy machine; only a page that hangs takes longer. */
const WAIT_MS = 120_000

/**
 * With `TEST_SLOW_MS` every answer to the client is delayed by a random time of up to that many milliseconds, so that wrong assumptions of
 * a test or the client about the order of answers fail within a run or two.
 */
const SLOW_MS = Number(process.env['TEST_SLOW_MS'] ?? 0)

/** A page that records complaints, which a correct page never has. */
export interface WatchedPage {
  readonly page: Page
  /** Console errors and warnings, uncaught errors, failed requests and violations of the content policy. */
  readonly complaints: string[]
}

export const DESKTOP = { width: 1440, height: 900 }

export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: DESKTOP,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(WAIT_MS)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`))
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    // The client itself aborted the request, for example because of a newer one.
    if (reason !== 'net::ERR_ABORTED') complaints.push(`request: ${request.url()} ${reason}`)
  })
  await context.exposeFunction('reportViolation', (text: string) => complaints.push(`policy: ${text}`))
  await context.addInitScript({
    content: `document.addEventListener('securitypolicyviolation', (event) =>
      window.reportViolation(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample))`,
  })
  await context.addInitScript({
    content: `{
      const send = window.fetch
      const someTime = () => ${SLOW_MS} && new Promise((done) => setTimeout(done, Math.random() * ${SLOW_MS}))
      window.fetchesUnderWay = new Set()
      window.fetch = async (...args) => {
        const call = { address: String(args[0]?.url ?? args[0]) }
        window.fetchesUnderWay.add(call)
        try {
          const answer = await send(...args)
          await someTime()
          args[1]?.signal?.throwIfAborted()
          return answer
        } finally {
          window.fetchesUnderWay.delete(call)
        }
      }
    }`,
  })
  return { page, complaints }
}

/** After this time without requests, everything that a page loads by itself has arrived. */
const QUIET_MS = 300

/** How often the page is checked; Playwright would check in every frame and force drawing it. */
const LOOK_MS = 50

/**
 * Waits until the page loads nothing more. Counted in the page: Playwright's `networkidle` counts requests over the protocol, and waits
 * for ever when the end of one is not reported.
 */
export async function allLoaded(page: Page): Promise<void> {
  await page.waitForFunction(
    (quietMs) => {
      const loaded = performance.getEntriesByType('resource').length
      const isBusy = window.fetchesUnderWay.size > 0 || document.querySelector('[aria-busy=true]') !== null
      const before = window.lastLoad
      if (isBusy || before?.loaded !== loaded) window.lastLoad = { loaded, at: performance.now() }
      return !isBusy && before !== undefined && before.loaded === loaded && performance.now() - before.at > quietMs
    },
    QUIET_MS,
    { polling: LOOK_MS },
  )
}

declare global {
  interface Window {
    /** Pending requests of the page, kept by `openPage`. */
    fetchesUnderWay: Set<{ address: string }>
    lastLoad?: { loaded: number; at: number }
  }
}
