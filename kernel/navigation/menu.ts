import { mayReadField, mayUseModel } from '../access/acl.ts'
import type { Env } from '../env.ts'
import type { Model } from '../model/registry.ts'
import { accessOf } from '../view/model-access.ts'
import type { MenuRow, ViewTables, WindowAction } from '../view/tables.ts'
import type { WireApp, WireCreates, WireMenu } from '../view/wire.ts'
import { isMeantFor, mayOpen, menuText, recordNameOf } from './action.ts'
import { pageHref } from './href.ts'

/** The menus one user sees, in the order in which [load.ts](../view/load.ts) reads them: by `sequence`, then in the order they were made. */
export interface Navigation {
  /** Applications with everything below them. */
  readonly roots: readonly WireMenu[]
  readonly apps: readonly WireApp[]
  /** Each visible menu with all above it, the application first and itself last. */
  readonly trails: ReadonlyMap<number, readonly WireMenu[]>
  /** Action of each menu that has one. */
  readonly actions: ReadonlyMap<number, number>
}

/**
 * The menus without those for other groups, those whose action the user may not open, and headings without any menu left.
 * Menus below a hidden menu are hidden, too.
 */
export function navigationOf(env: Env, views: ViewTables): Navigation {
  const children = childrenOf(views.menus)
  const actions = new Map<number, number>()

  const show = (menu: MenuRow): readonly WireMenu[] => {
    if (!isMeantFor(env, menu.groupIds)) return []
    const below = (children.get(menu.id) ?? []).flatMap(show)
    const action = menu.actionId === null ? undefined : views.actions.get(menu.actionId)
    const isOpen = menu.page === null && action !== undefined && mayOpen(env, action)
    if (isOpen) actions.set(menu.id, action.id)
    const href = isOpen ? pageHref({ action: action.id, menu_id: menu.id }) : menu.page
    if (href === null && below.length === 0) return []
    const more = {
      ...(isOpen && openedBy(env, views, action)),
      ...(menu.icon !== null && { icon: menu.icon }),
      ...(menu.technical && { isTechnical: true as const }),
    }
    return [{ id: menu.id, name: menuText(env, menu, menu.name), href, ...more, children: below }]
  }

  const modules = new Map(views.menus.map((menu) => [menu.id, menu.module ?? '']))
  const roots = (children.get(null) ?? []).flatMap(show).map((root) => ({ ...root, href: firstHref(root) }))
  const apps = roots.map((root): WireApp => {
    const module = modules.get(root.id)!
    const summary = env.t(env.services.catalogue?.get(module)?.summary ?? '')
    return { module, name: root.name, summary, menuId: root.id, href: root.href }
  })
  return { roots, apps, trails: trailsOf(roots), actions }
}

/** The model of the records that a menu opens, and the word for a new one if the user may create it there. */
function openedBy(env: Env, views: ViewTables, action: WindowAction): Pick<WireMenu, 'model' | 'creates' | 'imports'> {
  const model = env.registry.model(action.model)!
  const form = views.resolve(model.name, 'form')?.root
  const list = views.resolve(model.name, 'list')?.root
  const isWritten = action.viewModes.includes('form') && accessOf(env, model, form).create
  const isFilled = isWritten && action.viewModes.includes('list') && accessOf(env, model, list).create
  return {
    model: model.name,
    ...(isWritten && { creates: createdBy(env, model, action) }),
    ...(isFilled && { imports: true }),
  }
}

function createdBy(env: Env, model: Model, action: WindowAction): WireCreates {
  const name = recordNameOf(env, model, action)
  const about = model.fields.get(model.aboutFields[0] ?? '')
  if (about?.relation?.kind !== 'many2one' || about.readonly || !mayReadField(env, about)) return { name }
  const { target } = about.relation
  return mayUseModel(env, target, 'read')
    ? { name, link: { field: about.name, model: target, label: env.t(about.label) } }
    : { name }
}

function childrenOf(menus: readonly MenuRow[]): ReadonlyMap<number | null, readonly MenuRow[]> {
  const children = new Map<number | null, MenuRow[]>()
  for (const menu of menus) {
    const siblings = children.get(menu.parentId)
    if (siblings) siblings.push(menu)
    else children.set(menu.parentId, [menu])
  }
  return children
}

/** The address an application opens: its own, or that of the first menu below it that has one. */
function firstHref({ href, children }: WireMenu): string {
  if (href !== null) return href
  // Headings without a menu that opens something have been removed.
  return firstHref(children[0]!)
}

function trailsOf(roots: readonly WireMenu[]): ReadonlyMap<number, readonly WireMenu[]> {
  const trails = new Map<number, readonly WireMenu[]>()
  const walk = (menu: WireMenu, above: readonly WireMenu[]): void => {
    const trail = [...above, menu]
    trails.set(menu.id, trail)
    for (const child of menu.children) walk(child, trail)
  }
  for (const root of roots) walk(root, [])
  return trails
}

/** The menus of people who have not switched developer mode on. */
export const withoutTechnical = (menus: readonly WireMenu[]): readonly WireMenu[] =>
  menus.flatMap((menu) => (menu.isTechnical ? [] : [{ ...menu, children: withoutTechnical(menu.children) }]))

/** The menu a page belongs to: the one it names if the user sees it, else the first that leads to its action. */
export function menuOf({ trails, actions }: Navigation, menuId: number | undefined, action: number): number | null {
  if (menuId !== undefined && trails.has(menuId)) return menuId
  for (const id of trails.keys()) if (actions.get(id) === action) return id
  return null
}

/** The first action that these menus or anything below them open. */
export function firstAction(menus: readonly WireMenu[], actions: Navigation['actions']): number | null {
  for (const menu of menus) {
    const found = actions.get(menu.id) ?? firstAction(menu.children, actions)
    if (found !== null) return found
  }
  return null
}
