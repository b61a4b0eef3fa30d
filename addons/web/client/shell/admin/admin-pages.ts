import { type Deferred, deferred } from '../../core/deferred.tsx'
import { msg } from '../../core/i18n.ts'
import { type PageModule, pages } from '../../core/registries.ts'

interface AdminPage {
  readonly title: string
  readonly chunk: Deferred<PageModule>
}

/** The pages of the administration by path; each is a chunk of its own. */
const ADMIN_PAGES: Readonly<Record<string, AdminPage>> = {
  '/web/settings/access': { title: msg('Access rights'), chunk: deferred(() => import('./access/access-page.tsx')) },
  '/web/settings/account': { title: msg('Your account'), chunk: deferred(() => import('./account/account-page.tsx')) },
  '/web/settings/app': {
    title: msg('App settings'),
    chunk: deferred(() => import('./app-settings/app-settings-page.tsx')),
  },
  '/web/settings/app-logs': { title: msg('Log'), chunk: deferred(() => import('./log/log-page.tsx')) },
  '/web/settings/keys': { title: msg('API keys'), chunk: deferred(() => import('./keys/keys-page.tsx')) },
  '/web/settings/operations': {
    title: msg('Operations'),
    chunk: deferred(() => import('./operations/operations-page.tsx')),
  },
  '/web/settings/translations': {
    title: msg('Translations'),
    chunk: deferred(() => import('./translations/translations-page.tsx')),
  },
  '/web/settings/users': { title: msg('Users'), chunk: deferred(() => import('./users/users-page.tsx')) },
}

/** Pages whose data is part of the HTML, so from other pages the browser must load them. */
const LOADED_PAGES: Readonly<Record<string, AdminPage>> = {
  '/web/settings': { title: msg('Settings'), chunk: deferred(() => import('../settings.tsx')) },
  '/web/apps': { title: msg('Apps'), chunk: deferred(() => import('../apps/apps.tsx')) },
}

/** Registers the pages, so that links between them do not load the page again. */
export function registerAdminPages(): void {
  for (const [path, { title, chunk }] of Object.entries(ADMIN_PAGES)) pages.add(path, { title, load: chunk.load })
}

/** The page that the browser was opened with. */
export async function openAdminPage(path: string): Promise<PageModule> {
  const entry = ADMIN_PAGES[path] ?? LOADED_PAGES[path]
  if (entry === undefined) throw new Error(`no page at ${path}`)
  return { title: entry.title, ...(await entry.chunk.load()) }
}
