import { mayUseModel } from '../access/acl.ts'
import type { Env } from '../env.ts'
import { type PageParams, pageHref, pageParams } from '../navigation/href.ts'
import type { Navigation } from '../navigation/menu.ts'
import { type ContentViewType, viewTypeLabel } from '../view/arch/arch.ts'
import type { WireBreadcrumb, WireMenu, WireViewTab } from '../view/wire.ts'
import type { Screen } from './screen.ts'

/** A screen with the state that is kept when the kind of view changes. */
export interface ScreenState {
  readonly screen: Screen
  readonly type: ContentViewType
  readonly recordId: number
  /** Filters, search text and order. */
  readonly search: Readonly<Record<'filter' | 'q' | 'sort', string | undefined>>
}

/** The parameters of a screen's address: the screen, the view, then the search. */
const screenParams = ({ action, model, menuId }: Screen, view: PageParams, search: PageParams): PageParams =>
  Object.assign(action === null ? { model: model.name } : { action: action.id }, { menu_id: menuId }, view, search)

const recordParam = (recordId: number) => (recordId > 0 ? recordId : undefined)

/** One tab per kind of view. The form is included if there is a record to show or the user may create one. */
export function viewTabs(env: Env, { screen, type, recordId, search }: ScreenState): readonly WireViewTab[] {
  const isFormOffered = type === 'form' || mayUseModel(env, screen.model.name, 'create')
  const modes = screen.modes.includes(type) ? screen.modes : [...screen.modes, type]
  return modes
    .filter((mode) => mode !== 'form' || isFormOffered)
    .map((mode) => ({
      mode,
      label: env.t(viewTypeLabel(env.registry, mode)),
      href: pageHref(
        screenParams(screen, { view_type: mode, id: mode === 'form' ? recordParam(recordId) : undefined }, search),
      ),
      active: mode === type,
    }))
}

/** The query string that opens the form of this screen's record; without a record the client adds the `id`. */
export const formBaseQuery = ({ screen, recordId, search }: ScreenState): string =>
  pageParams(screenParams(screen, { view_type: 'form', id: recordParam(recordId) }, search))

/** The menu of a screen with its ancestors; without one the first menu that opens records of the model. */
const trailOf = ({ trails }: Navigation, { menuId, model }: Screen): readonly WireMenu[] =>
  (menuId === null ? [...trails.values()].find((trail) => trail.at(-1)?.model === model.name) : trails.get(menuId)) ??
  []

/** The title of a screen: the name of its menu, unless that is the name of the application. */
function nameOf(
  { actions }: Navigation,
  { action, menuId }: Screen,
  trail: readonly WireMenu[],
  title: string,
): string {
  const isOwn = action !== null && menuId !== null && actions.get(menuId) === action.id
  const name = isOwn ? trail.at(-1)?.name : undefined
  return name === undefined || name === trail[0]?.name ? title : name
}

/** Application, menu, record; the last one is the current page. */
export function breadcrumbs(
  menus: Navigation,
  { screen, type, search }: ScreenState,
  title: string,
  record: string | null,
): readonly WireBreadcrumb[] {
  const trail = trailOf(menus, screen)
  const [app] = trail
  const name = nameOf(menus, screen, trail, title)
  const mode = screen.modes.find((other) => other !== 'form')
  const crumbs: WireBreadcrumb[] = [
    ...(app === undefined || app.name === name ? [] : [{ label: app.name, href: app.href }]),
    { label: name, href: pageHref(screenParams(screen, { view_type: mode }, search)) },
    ...(type === 'form' && record !== null ? [{ label: record, href: null }] : []),
  ]
  return crumbs.map((crumb, index) => (index === crumbs.length - 1 ? { ...crumb, href: null } : crumb))
}
