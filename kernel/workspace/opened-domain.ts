import type { Env } from '../env.ts'
import { pruneArch } from '../view/prune.ts'
import type { ViewTables } from '../view/tables.ts'
import { translateArch } from '../view/translate-arch.ts'
import { bindDomainText } from '../view/variables.ts'
import type { WireDomain, WireSearch } from '../view/wire.ts'
import { filterDomain } from './filter-domain.ts'
import { allDomains } from './join-domains.ts'
import type { Screen } from './screen.ts'
import { readSearchView, type SearchView, wireSearch } from './search.ts'

type Opened = Pick<Screen, 'action' | 'model'>

/** The records that are shown when an action is opened: its own domain, and the filters and values it searches for by default. */
export const openedDomain = (env: Env, views: ViewTables, opened: Opened): WireDomain =>
  allDomains([actionDomain(env, opened), defaultDomain(env, openedSearch(env, views, opened))])

export const actionDomain = (env: Env, { action }: Opened): WireDomain =>
  action?.domain == null ? [] : bindDomainText(env, action.domain)

export const defaultDomain = (env: Env, search: WireSearch): WireDomain =>
  allDomains([filterDomain(env, search, search.defaultFilters), valuesDomain(search)])

/** Values an action searches for, as the search field of that name would. */
const valuesDomain = ({ defaultValues }: WireSearch): WireDomain =>
  Object.entries(defaultValues).map(([name, value]) => [name, typeof value === 'string' ? 'ilike' : '=', value])

/** The search view of an action for this user. */
export function openedSearch(env: Env, views: ViewTables, { action, model }: Opened): WireSearch {
  const context = action?.context ?? {}
  const resolved = views.resolve(model.name, 'search', action?.searchViewId)
  if (resolved === null) return wireSearch(env, NO_SEARCH, context)
  const view = views.memo(env, `${model.name} search ${resolved.viewId}`, () =>
    readSearchView(env, model, translateArch(env, pruneArch(env, model.name, resolved.root))),
  )
  return wireSearch(env, view, context)
}

const NO_SEARCH: SearchView = { fields: [], filters: [], panel: [], grouped: [] }
