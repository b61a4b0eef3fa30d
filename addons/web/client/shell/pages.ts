import { deferred } from '../core/deferred.tsx'
import { msg } from '../core/i18n.ts'
import { pages } from '../core/registries.ts'

const adminPages = deferred(() => import('./admin/admin-pages.ts'))
const home = deferred(() => import('./home/home.tsx'))

/**
 * Registers the home page and the page that the browser was opened with. Those of the administration are registered later, by
 * `start-deferred.ts`; until then, and for the others always, the browser loads the page.
 */
export function registerPages(path: string): void {
  if (path !== '/web') pages.add(path, { load: async () => (await adminPages.load()).openAdminPage(path) })
  pages.add('/web/home', { title: msg('Home'), load: home.load })
}
