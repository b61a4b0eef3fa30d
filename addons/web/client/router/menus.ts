import { computed, type ReadonlySignal } from '@preact/signals'
import type { WireApp, WireBootstrap, WireMenu, WireWorkspace } from '../../../../kernel/view/wire.ts'
import { services } from '../services.ts'
import { parseRoute } from './codec.ts'

/** The application and menu of the current view. */
export interface MenuLocation {
  readonly app: WireApp | null
  readonly menus: readonly WireMenu[]
  /** The menu that is open, as far as it is known. */
  readonly menuId: number | null
}

let made: ReadonlySignal<MenuLocation> | undefined

/** Follows the current view. */
export function menuLocation(): ReadonlySignal<MenuLocation> {
  made ??= computed(() => {
    const { session, currentView } = services()
    const shown = currentView.shown.value
    if (shown?.kind !== 'view') return { app: null, menus: [], menuId: null }
    return locate(session.bootstrap, shown.workspace)
  })
  return made
}

/** The application and its menus around a menu, else around the first that leads to the same action or the same records. */
export function locate(
  { topMenus, apps }: WireBootstrap,
  { menuId, actionId, model }: Pick<WireWorkspace, 'menuId' | 'actionId' | 'model'>,
): MenuLocation {
  const byId = (menu: WireMenu) => menu.id === Number(menuId)
  const byAction = (menu: WireMenu) => actionOf(menu) === actionId && actionId > 0
  const byModel = (menu: WireMenu) => menu.model === model
  for (const isIt of [byId, byAction, byModel]) {
    for (const root of topMenus) {
      const found = allMenus([root]).find(isIt)
      if (found)
        return { app: apps.find((app) => app.menuId === root.id) ?? null, menus: menusOf(root), menuId: found.id }
    }
  }
  return { app: null, menus: [], menuId: null }
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
export const appHue = (module: string): string => (module === 'base' ? 'settings' : module)

/** The icon of a menu: its own, or the default for its kind. */
export const menuIcon = ({ icon, href }: WireMenu): string => icon ?? (href === null ? 'folder' : 'list')
