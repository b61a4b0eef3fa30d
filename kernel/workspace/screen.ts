import type { Env } from '../env.ts'
import { badRequest, notFound } from '../errors.ts'
import type { Model } from '../model/registry.ts'
import { mayOpen, requireShownModel, requireWindowAction } from '../navigation/action.ts'
import { firstAction, menuOf, type Navigation } from '../navigation/menu.ts'
import { sql } from '../sql/sql.ts'
import type { ContentViewType } from '../view/arch/arch.ts'
import type { ResolvedView, ViewTables, WindowAction } from '../view/tables.ts'
import type { WorkspaceQuery } from './workspace-query.ts'

/** What a workspace query opens: an action or only a model, its menu, and the available kinds of view. */
export interface Screen {
  /** Null: a model without an action. */
  readonly action: WindowAction | null
  readonly model: Model
  readonly menuId: number | null
  readonly modes: readonly ContentViewType[]
}

/** Finds the screen of a query by its action, else its model, else the action of its menu, else the user's home action. */
export async function findScreen(
  env: Env,
  views: ViewTables,
  menus: Navigation,
  query: WorkspaceQuery,
): Promise<Screen> {
  if (query.action === undefined && query.model !== undefined) {
    const model = requireShownModel(env, query.model)
    const modes = [...KINDS_OF_A_MODEL, ...env.registry.viewKinds.keys()].filter((type) =>
      isMade(views.resolve(model.name, type), type),
    )
    return { action: null, model, menuId: menuOf(menus, query.menu_id, 0), modes }
  }
  const id = query.action ?? actionOfMenu(menus, query.menu_id) ?? (await homeAction(env, views, menus))
  if (id === null) throw notFound('address_unknown', 'There is nothing here that you may open.')
  const action = requireWindowAction(env, views, id)
  const model = requireShownModel(env, action.model)
  const modes = action.viewModes.filter((type) => views.resolve(model.name, type, action.viewId) !== null)
  return { action, model, menuId: menuOf(menus, query.menu_id, action.id), modes }
}

const KINDS_OF_A_MODEL: readonly ContentViewType[] = [
  'list',
  'form',
  'kanban',
  'calendar',
  'gantt',
  'map',
  'graph',
  'pivot',
  'cohort',
]

/** Without an action, lists and forms are always available, other kinds only if the model has such a view. */
const isMade = (view: ResolvedView | null, type: ContentViewType): boolean =>
  view !== null && (view.viewId !== null || type === 'list' || type === 'form')

function actionOfMenu({ trails, actions }: Navigation, menuId: number | undefined): number | null {
  const menu = menuId === undefined ? undefined : trails.get(menuId)?.at(-1)
  return menu === undefined ? null : firstAction([menu], actions)
}

/** The home action the user has chosen, otherwise the action of the first menu. */
async function homeAction(env: Env, views: ViewTables, menus: Navigation): Promise<number | null> {
  const { rows } = await sql<{ action_id: number | null }>`
    select action_id from core_user where id = ${env.user.id}`.execute(env.tx)
  return openHome(env, views, menus, rows[0]?.action_id ?? null)
}

export function openHome(env: Env, views: ViewTables, menus: Navigation, chosen: number | null): number | null {
  const action = views.actions.get(chosen ?? 0)
  return action !== undefined && mayOpen(env, action) ? action.id : firstAction(menus.roots, menus.actions)
}

/** The kind of view to show. A record opens as a form; a kind that the action does not have is replaced by its first one. */
export function chooseType(
  { action, model, modes }: Screen,
  { view_type: requested, id }: WorkspaceQuery,
): ContentViewType {
  if (requested === 'form' || (requested === undefined && id !== undefined && id > 0)) return 'form'
  if (requested !== undefined && modes.includes(requested)) return requested
  if (requested !== undefined && action === null) {
    throw badRequest('view_unknown', `view_type: ${model.label} has no view of this kind.`, { path: 'query.view_type' })
  }
  return modes[0] ?? 'list'
}
