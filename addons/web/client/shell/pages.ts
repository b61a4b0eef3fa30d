import type { WireBootstrap } from '../../../../kernel/view/wire.ts'
import { msg } from '../core/i18n.ts'
import { pages } from '../core/registries.ts'

/**
 * The pages of the shell. What the catalogue and the settings show comes with their own page, so from anywhere else a link to
 * them loads it: a path that is not registered is one the router leaves to the browser.
 */
export function registerPages({ modules, settings }: WireBootstrap, path: string): void {
  pages.add('/web/home', { title: msg('Home'), load: () => import('./home/home.tsx') })
  if (modules !== undefined || path === '/web/apps')
    pages.add('/web/apps', { title: msg('Apps'), load: () => import('./apps/apps.tsx') })
  if (settings !== undefined || path === '/web/settings')
    pages.add('/web/settings', { title: msg('Settings'), load: () => import('./settings.tsx') })
}
