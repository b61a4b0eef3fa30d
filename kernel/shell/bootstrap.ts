import { mayUseModel } from '../access/acl.ts'
import type { Env } from '../env.ts'
import { LIMITS } from '../limits.ts'
import { currentPosition } from '../live/follow-outbox.ts'
import { positionText } from '../live/position.ts'
import { recordNamesOf } from '../navigation/action.ts'
import { firstAction, menuOf, type Navigation, navigationOf, withoutTechnical } from '../navigation/menu.ts'
import { modelOf } from '../orm/statement/scope.ts'
import { sql } from '../sql/sql.ts'
import type { ViewTables } from '../view/tables.ts'
import type { WireApp, WireBootstrap, WireMenu } from '../view/wire.ts'
import { openedDomain } from '../workspace/opened-domain.ts'
import { openHome } from '../workspace/screen.ts'
import { homeOf } from './home.ts'

export interface PageFacts {
  readonly csrfToken: string
  /** Parameters of the workspace the page opens; null for a page of another kind. */
  readonly query: Readonly<Record<string, string>> | null
}

/** The preference of users who want to see technical menus. */
export const DEVELOPER_MODE = 'developer'

interface UserFacts {
  readonly action_id: number | null
  readonly pinned_apps: unknown
  readonly companies: readonly { readonly id: number; readonly name: string }[]
  readonly preferences: WireBootstrap['preferences']
}

/** The initial data of every client page: the user, the menus, and the current page. */
export async function bootstrapOf(env: Env, { csrfToken, query }: PageFacts): Promise<WireBootstrap> {
  // Read first, before any data of the page: the client will receive events of everything committed after this position.
  const busSeq = positionText(await currentPosition(env.tx))
  const views = await env.views()
  const menus = views.memo(env, 'menus', () => navigationOf(env, views))
  const { action_id, pinned_apps, companies, preferences } = await userFacts(env)
  const { user, services } = env
  const isDeveloper = preferences.some(({ key, value }) => key === DEVELOPER_MODE && value === true)
  const listed = isDeveloper ? (all: readonly WireMenu[]) => all : withoutTechnical
  const shown = companies.map((company) => ({ ...company, active: user.companyIds.includes(company.id) }))
  const current = companies.find(({ id }) => id === user.companyIds[0])
  const { id, name, login, lang, tz } = user
  return {
    rpcUrl: '/api/rpc',
    wcApiBase: '/web/wc',
    csrfToken,
    user: { id, name, login, lang, tz, isAdmin: env.hasGroup('base.group_system') },
    company: current ?? { id: 0, name: '' },
    companies: shown,
    worksIn: [current, ...shown.filter(({ id: each, active }) => active && each !== current?.id)]
      .flatMap((company) => company?.name ?? [])
      .join(', '),
    topMenus: listed(menus.roots),
    sidebarMenus: query === null ? [] : listed(sidebarOf(env, views, menus, query, action_id)),
    apps: menus.apps.map((app) => ({ ...app, ...openedBy(env, views, menus, app) })),
    pinnedApps: visiblePins(menus, pinned_apps),
    favourites: await favouritesOf(env),
    preferences,
    home: await homeOf(env, views, menus),
    workspace: query ?? {},
    busEnabled: services.busEnabled ?? false,
    busSeq,
    toasts: [],
    mapTilesUrl: services.mapTilesUrl ?? null,
  }
}

/** The user's own row, preferences and company names, in one statement. Needs no access rights. */
async function userFacts(env: Env): Promise<UserFacts> {
  const { rows } = await sql<UserFacts>`
    select action_id, pinned_apps, coalesce((
      select json_agg(json_build_object('id', c.id, 'name', c.name) order by c.name, c.id) from core_company c
      where c.id = any(${env.user.allowedCompanyIds}::int[])), '[]') as companies, coalesce((
      select json_agg(json_build_object('id', p.id, 'key', p.key, 'value', p.value) order by p.id)
      from (
        select *, sum(octet_length(key) + octet_length(value::text)) over (order by id desc) as bytes
        from sys_preference where user_id = u.id order by id desc limit ${LIMITS.preferences}) p
      where p.bytes <= ${LIMITS.shellPreferenceBytes}), '[]') as preferences
    from core_user u where id = ${env.user.id}`.execute(env.tx)
  return rows[0] ?? { action_id: null, pinned_apps: null, companies: [], preferences: [] }
}

async function favouritesOf(env: Env): Promise<WireBootstrap['favourites']> {
  if (!mayUseModel(env, 'sys.filter', 'read')) return []
  const fields = ['name', 'model', 'action_id', 'user_id', 'domain', 'context', 'sort', 'is_default'] as const
  return env.model('sys.filter').searchRead([], fields, { limit: LIMITS.filters, order: 'name' })
}

/** What an application opens with: the first action of its menus, unless its first menu opens a page of its own. */
function openedBy(
  env: Env,
  views: ViewTables,
  { roots, actions }: Navigation,
  { menuId, href }: WireApp,
): Pick<WireApp, 'opens'> {
  const first = firstAction(
    roots.filter(({ id }) => id === menuId),
    actions,
  )
  const action = first === null ? undefined : views.actions.get(first)
  const isOpened = new URLSearchParams(href.split('?')[1]).get('action') === String(first)
  if (action === undefined || !isOpened) return {}
  const domain = openedDomain(env, views, { action, model: modelOf(env, action.model) })
  return { opens: { actionId: action.id, model: action.model, domain, ...recordNamesOf(env, action) } }
}

const visiblePins = ({ apps }: Navigation, pins: unknown): readonly string[] =>
  Array.isArray(pins) ? pins.filter((pin: unknown) => apps.some(({ module }) => module === pin)) : []

/** The menus of the application the page is in. */
function sidebarOf(
  env: Env,
  views: ViewTables,
  menus: Navigation,
  query: Readonly<Record<string, string>>,
  home: number | null,
): readonly WireMenu[] {
  const isHome = query['action'] === undefined && query['model'] === undefined
  const action = isHome ? openHome(env, views, menus, home) : Number(query['action'] ?? 0)
  const menu = menuOf(menus, Number(query['menu_id']), action ?? 0)
  return menu === null ? [] : (menus.trails.get(menu)?.[0]?.children ?? [])
}
