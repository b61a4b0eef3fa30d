import { msg } from '../../core/i18n.ts'
import { type PageEntry, type PageModule, pages } from '../../core/registries.ts'

/** The pages of the administration by path; each is a chunk of its own. */
const ADMIN_PAGES: Readonly<Record<string, PageEntry>> = {
  '/web/settings/access': { title: msg('Access rights'), load: () => import('./access/access-page.tsx') },
  '/web/settings/account': { title: msg('Your account'), load: () => import('./account/account-page.tsx') },
  '/web/settings/app': { title: msg('App settings'), load: () => import('./app-settings/app-settings-page.tsx') },
  '/web/settings/app-logs': { title: msg('Log'), load: () => import('./log/log-page.tsx') },
  '/web/settings/keys': { title: msg('API keys'), load: () => import('./keys/keys-page.tsx') },
  '/web/settings/operations': { title: msg('Operations'), load: () => import('./operations/operations-page.tsx') },
  '/web/settings/translations': {
    title: msg('Translations'),
    load: () => import('./translations/translations-page.tsx'),
  },
  '/web/settings/users': { title: msg('Users'), load: () => import('./users/users-page.tsx') },
}

/** Pages whose data is part of the HTML, so from other pages the browser must load them. */
const LOADED_PAGES: Readonly<Record<string, PageEntry>> = {
  '/web/settings': { title: msg('Settings'), load: () => import('../settings.tsx') },
  '/web/apps': { title: msg('Apps'), load: () => import('../apps/apps.tsx') },
}

/** Registers the pages, so that links between them do not load the page again. */
export function registerAdminPages(): void {
  for (const [path, entry] of Object.entries(ADMIN_PAGES)) pages.add(path, entry)
}

/** The page that the browser was opened with. */
export async function openAdminPage(path: string): Promise<PageModule> {
  const entry = ADMIN_PAGES[path] ?? LOADED_PAGES[path]
  if (entry === undefined) throw new Error(`no page at ${path}`)
  return { ...entry, ...(await entry.load()) }
}
