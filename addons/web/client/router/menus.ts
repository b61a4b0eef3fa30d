import { computed, type ReadonlySignal } from '@preact/signals'
import type { WireApp, WireBootstrap, WireMenu, WireWorkspace } from '../../../../kernel/view/wire.ts'
import { services } from '../services.ts'
import { parseRoute, type Route } from './codec.ts'

/** The application and menu of the current view. */
export interface MenuLocation {
  readonly app: WireApp | null
  readonly menus: readonly WireMenu[]
  /** The menu that is open, as far as it is known. */
  readonly menu: WireMenu | null
}

let made: ReadonlySignal<MenuLocation> | undefined

/**
 * Follows the current view, and a menu as soon as it is followed, also if the server does not answer. Records that no application has
 * a menu for, such as an import, stay in the one they are opened from.
 */
export function menuLocation(): ReadonlySignal<MenuLocation> {
  let last: MenuLocation | undefined
  made ??= computed(() => {
    const { session, currentView, router } = services()
    const shown = currentView.shown.value
    const ahead = menuAhead(router.route.value, shown?.route)
    const view = shown?.kind === 'view' ? shown.workspace : null
    const found = locateMenu(
      session.bootstrap,
      ahead ? { menuId: ahead } : (view ?? { path: shown?.route.path }),
      last?.app?.module,
    )
    if (view && !found.app && last) return { ...last, menu: null }
    last = found
    return found
  })
  return made
}

/** The menu that was followed, while the address on screen is still that of another. */
export const menuAhead = ({ params }: Route, shown: Route | undefined): string | undefined =>
  params.menu_id === shown?.params.menu_id ? undefined : params.menu_id

/** The module whose application is the administration. */
const ADMINISTRATION = 'base'

/** The target of a menu: a workspace, or a page by its path. */
type Place = Partial<Pick<WireWorkspace, 'menuId' | 'actionId' | 'model'>> & { readonly path?: string | undefined }

/**
 * The application and its menus around a menu, else around the first that leads to the same page, action or records. Menus of the
 * administration do not take records out of the application `from`.
 */
export function locateMenu(
  { topMenus, apps }: WireBootstrap,
  { menuId, actionId = 0, model, path }: Place,
  from: string = ADMINISTRATION,
): MenuLocation {
  const byId = (menu: WireMenu) => menu.id === Number(menuId)
  // No action has the number 0.
  const byAction = (menu: WireMenu) => actionOf(menu) === actionId
  const byModel = (menu: WireMenu) => model && menu.model === model
  // An application has the address of its first menu.
  const byPath = ({ href, children }: WireMenu) => href === path && !children[0]
  for (const isIt of [byId, byAction, byModel, byPath]) {
    for (const root of topMenus) {
      const app = apps.find((each) => each.menuId === root.id) ?? null
      if (isIt === byModel && app?.module === ADMINISTRATION && from !== ADMINISTRATION) continue
      const found = allMenus([root]).find(isIt)
      if (found) return { app, menus: menusOf(root), menu: found }
    }
  }
  return { app: null, menus: [], menu: null }
}

const actionOf = ({ href }: WireMenu): number | undefined =>
  href === null ? undefined : parseRoute(href).params.action

/** An application without menus below it is its own menu. */
const menusOf = (root: WireMenu): readonly WireMenu[] => (root.children.length > 0 ? root.children : [root])

/** A menu and everything below it, in the order of the tree. */
export const allMenus = (menus: readonly WireMenu[]): readonly WireMenu[] =>
  menus.flatMap((menu) => [menu, ...allMenus(menu.children)])

/** Icons of the built-in applications; others use the icon of their menu. */
const APP_ICONS: Readonly<Record<string, string>> = {
  sale: 'shopping-bag',
  crm: 'target',
  project: 'square-check-big',
  contacts: 'contact',
  product: 'package',
  mail: 'messages-square',
  base: 'settings',
}

export const appIcon = (module: string): string => APP_ICONS[module] ?? 'blocks'

/** The name of an application's colours. */
export const appHue = (module: string): string => (module === ADMINISTRATION ? 'settings' : module)

/** The icon of a menu: its own, or the default for its kind. */
export const menuIcon = ({ icon, href }: WireMenu): string => icon ?? (href === null ? 'folder' : 'list')
