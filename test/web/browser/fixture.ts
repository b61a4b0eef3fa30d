import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { bundledAddons } from '../../../addons/index.ts'
import { createSession } from '../../../kernel/auth/session.ts'
import { SESSION_COOKIE } from '../../../kernel/http/cookie.ts'
import { installModules } from '../../../kernel/module/install.ts'
import { sql } from '../../../kernel/sql/sql.ts'
import { baseTemplate } from '../../support/base-database.ts'
import { DESKTOP, openPage, sharedBrowser, type WatchedPage } from '../../support/browser.ts'
import { buildOnce } from '../../support/build-once.ts'
import { createDatabase, type TestDatabase, template } from '../../support/database.ts'
import { openModules, type TestModules } from '../../support/modules.ts'
import { startShared } from '../../support/shared-services.ts'
import type { Settings } from '../../support/svc.ts'

export const PASSWORD = 'correct horse battery'

/** Who may sign in: an administrator, and somebody who sells but manages nothing. */
const PEOPLE = {
  admin: ['base.group_system'],
  seller: ['base.group_user', 'sale.group_user', 'crm.group_user'],
  reader: ['base.group_user'],
} as const

/** Also the accountant of the second company, whom the examples bring. */
export type Person = keyof typeof PEOPLE | 'frieda@example.com'

/** Every bundled addon with its example records. */
const clientTemplate = template(
  'client',
  async ({ db }) => {
    const modules = openModules(db, bundledAddons)
    const names = bundledAddons.map(({ name }) => name)
    await installModules(modules.services, modules.catalogue, names, { demo: true })
    const { access } = await modules.holder.latest()
    for (const [login, groups] of Object.entries(PEOPLE)) {
      await modules.asSystem(async (env) => {
        const [company] = await env.model('core.company').search([], { limit: 1 })
        const group_ids = groups.map((group) => access.groupIdByXmlid.get(group)!)
        const values = {
          login,
          name: login,
          password: PASSWORD,
          group_ids,
          company_id: company!,
          company_ids: [company!],
        }
        await env.model('core.user').create(values)
      })
    }
  },
  baseTemplate,
)

/** The token of a new session, as the sign-in gives one. The form is tested in `pages.test.ts`; here it would cost two pages per person. */
async function sessionOf({ services }: TestModules, login: string, userAgent: string): Promise<string> {
  const { rows } = await sql<{ id: number }>`select id from core_user where login = ${login}`.execute(services.db)
  const { token } = await createSession(services, services.db, { userId: rows[0]!.id, ip: '127.0.0.1', userAgent })
  return token
}

/** A page of the same origin without the client. A foreign one, such as `about:blank`, would cost a new process of the browser. */
export const RESTING_PLACE = '/web/confirm'

/** A view without records, which costs least. */
export const RESTING_VIEW = '/web/settings'

/** A signed-in page, with what it should never say. */
export interface SignedIn extends WatchedPage {
  /** Goes to an address of the client and waits until the view is there: by a load, but at first by `follow` in a page that was handed on. */
  go(address: string): Promise<void>
  /** From one view of the client to another one, as a click on a link does: many times faster than a load of the page. */
  follow(address: string): Promise<void>
  /** As `follow`, by way of a view without records, so that the view is made anew, also if it is the one that is open; a new page loads it. */
  followAnew(address: string): Promise<void>
  /**
   * Gives the page back, with empty storage, for the next `signIn` with the same options: the client loads twice as fast in a page
   * that has had it before. Whoever changed what stays (a session, a clock, a header) closes the context instead.
   */
  release(): Promise<void>
  /**
   * Gives the page back with the client still running, for a next test that may begin as a user does who has worked there before: the
   * client remembers what it was told of its user when it was loaded (language, rights, menus) and, for example, the last tab of a
   * form. A page that says or asks something (unsaved changes, a toast, a dialog) is released.
   */
  handOn(): Promise<void>
}

/** A page that waits for the next test. */
interface Idle {
  readonly watched: WatchedPage
  readonly isRunning: boolean
}

export interface ClientFixture {
  readonly url: () => string
  readonly modules: () => TestModules
  /** A page of somebody, in a context that nobody else uses meanwhile. */
  signIn(person?: Person, options?: BrowserContextOptions): Promise<SignedIn>
}

/** A service over a database, as `startShared` and `startService` give one. */
export type StartService = (
  dsn: string,
  settings: Settings,
) => Promise<{ readonly url: string; end(signal: NodeJS.Signals): Promise<unknown> }>

/** One real service over example data, and one browser, for the tests of a file. `settings` are further ones of the service. */
export function useClient(settings: Settings = {}, start: StartService = startShared): ClientFixture {
  let database: TestDatabase
  let modules: TestModules
  let service: Awaited<ReturnType<StartService>>
  let browser: Browser
  const contexts: BrowserContext[] = []
  const states = new Map<Person, Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>>()

  const idle = new Map<string, Idle>()

  beforeAll(async () => {
    await buildOnce()
    database = await createDatabase(clientTemplate)
    modules = openModules(database.db, bundledAddons)
    service = await start(database.dsn, settings)
    browser = await sharedBrowser()
  })
  afterAll(async () => {
    await Promise.all(contexts.map((context) => context.close()))
    await service?.end('SIGINT')
    await database?.drop()
  })

  return {
    url: () => service.url,
    modules: () => modules,
    async signIn(person = 'admin', { viewport, colorScheme = 'light', ...options } = {}) {
      const key = JSON.stringify([person, options])
      const kept = idle.get(key)
      idle.delete(key)
      const storageState = states.get(person)
      const watched =
        kept?.watched ??
        (await openPage(browser, { baseURL: service.url, ...options, ...(storageState && { storageState }) }))
      const { page } = watched
      if (!kept) contexts.push(page.context())
      await page.setViewportSize(viewport ?? DESKTOP)
      // The test that had the page before may have printed it.
      await page.emulateMedia({ media: 'screen', colorScheme })
      if (!storageState) {
        const userAgent = await page.evaluate(() => navigator.userAgent)
        const value = await sessionOf(modules, person, userAgent)
        await page
          .context()
          .addCookies([{ name: SESSION_COOKIE, value, url: service.url, httpOnly: true, sameSite: 'Lax' }])
        states.set(person, await page.context().storageState())
      }
      let isRunning = kept?.isRunning ?? false
      const follow = (address: string) => followLink(page, address)
      /** Without what a test has added to the page. */
      const clear = async () => {
        for (const other of page.context().pages()) if (other !== page) await other.close()
        page.removeAllListeners('request')
        page.removeAllListeners('dialog')
        await page.unrouteAll({ behavior: 'ignoreErrors' })
      }
      const keep = async (stillRuns: boolean) => {
        await page.evaluate(() => {
          localStorage.clear()
          sessionStorage.clear()
        })
        watched.complaints.length = 0
        if (idle.has(key)) await page.context().close()
        else idle.set(key, { watched, isRunning: stillRuns })
      }
      const release = async () => {
        await clear()
        // A form with unsaved changes asks before it is left.
        page.on('dialog', (dialog) => void dialog.accept())
        await page.goto(RESTING_PLACE)
        page.removeAllListeners('dialog')
        await keep(false)
      }
      return {
        ...watched,
        async go(address) {
          if (isRunning && !isResting(new URL(address, service.url).href)) await follow(address)
          else await load(page, address)
          isRunning = false
        },
        follow,
        async followAnew(address) {
          if (!page.url().startsWith(service.url)) return load(page, address)
          if (!isResting(page.url())) await follow(RESTING_VIEW)
          await follow(address)
        },
        release,
        async handOn() {
          if (!(await isQuiet(page))) return release()
          await clear()
          if (!isResting(page.url())) await follow(RESTING_VIEW)
          // An answer that came meanwhile may have brought a toast.
          if (!(await isQuiet(page))) return release()
          await keep(true)
        },
      }
    },
  }
}

async function load(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.locator('.viewhost[aria-busy=false]').first().waitFor()
}

async function followLink(page: Page, address: string): Promise<void> {
  await page.evaluate((href) => {
    document.querySelector('.viewhost > .viewhost')?.setAttribute('data-left', '')
    const link = document.body.appendChild(Object.assign(document.createElement('a'), { href }))
    link.click()
    link.remove()
  }, address)
  await page.locator('.viewhost[aria-busy=false] > :not([data-left])').first().waitFor()
}

const isResting = (url: string) => new URL(url).pathname === RESTING_VIEW

/** Whether the client runs, and nothing in it waits for its user or for the service. */
const isQuiet = (page: Page): Promise<boolean> =>
  page.evaluate(
    () =>
      window.__WC_BOOTSTRAP__ !== undefined &&
      window.fetchesUnderWay.size === 0 &&
      document.querySelector('.viewhost[aria-busy=false]') !== null &&
      document.querySelector('.toast, .savebar, [role=alert], [role=menu], dialog[open], [popover]:popover-open') ===
        null,
  )
