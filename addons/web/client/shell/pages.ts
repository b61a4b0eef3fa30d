import type { WireBootstrap } from '../../../../kernel/view/wire.ts'
import { msg } from '../core/i18n.ts'
import { pages } from '../core/registries.ts'

/**
 * Registers the pages of the shell. The data of the catalogue and of the settings is sent only with their own pages, so
 * they are registered only there: from elsewhere the router does not know their path, and the browser loads the page.
 */
export function registerPages({ modules, settings }: WireBootstrap, path: string): void {
  pages.add('/web/home', { title: msg('Home'), load: () => import('./home/home.tsx') })
  if (modules !== undefined || path === '/web/apps')
    pages.add('/web/apps', { title: msg('Apps'), load: () => import('./apps/apps.tsx') })
  if (settings !== undefined || path === '/web/settings')
    pages.add('/web/settings', { title: msg('Settings'), load: () => import('./settings.tsx') })
}
