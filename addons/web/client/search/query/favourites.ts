import { signal } from '@preact/signals'
import type { WireDomain, WireWorkspace } from '../../../../../kernel/view/wire.ts'
import type { Row } from '../../net/rpc.ts'
import { changeRoute, parseRoute, type Route } from '../../router/codec.ts'
import { services } from '../../services.ts'
import { searchRead } from '../../store/queries.ts'
import { EMPTY_STATE, readSearchState, SEARCH_KEYS, splitNames, writeSearchState } from './search-state.ts'

/** A saved search (`sys.filter`), private to the user or shared. */
export interface Favourite {
  readonly id: number
  readonly name: string
  readonly model: string
  /** Null if it is offered for every action of the model. */
  readonly actionId: number | null
  readonly isShared: boolean
  /** Whether it is applied when the action is opened. */
  readonly isDefault: boolean
  readonly domain: WireDomain
  readonly sort: string | null
  /** Query parameters and fragment of the search and of the view, such as its measure, as saved by this client. */
  readonly address: Readonly<Record<string, string>> | null
}

/** All favourites the user can see. */
export const favourites = signal<readonly Favourite[]>([])

/** Sets the favourites sent with the page. */
export function takeFavourites(rows: readonly Row[]): void {
  favourites.value = rows.map(toFavourite)
}

const FIELDS = ['name', 'model', 'action_id', 'user_id', 'domain', 'context', 'sort', 'is_default'] as const
const MAX_FAVOURITES = 200
/** Key in `context` under which the search is stored as parts of an address. */
export const ADDRESS = 'search'

/** Loads the favourites again. */
export async function loadFavourites(): Promise<void> {
  takeFavourites(await searchRead(services().rpc, 'sys.filter', [], FIELDS, { limit: MAX_FAVOURITES, order: 'name' }))
}

function toFavourite(row: Row): Favourite {
  const context = asObject(row['context'])
  const address = asObject(context[ADDRESS])
  const domain = row['domain']
  return {
    id: row.id,
    name: String(row['name']),
    model: String(row['model']),
    actionId: idOf(row['action_id']),
    isShared: idOf(row['user_id']) === null,
    isDefault: row['is_default'] === true,
    domain: Array.isArray(domain) ? domain : [],
    sort: typeof row['sort'] === 'string' && row['sort'] !== '' ? row['sort'] : null,
    address: context[ADDRESS] === undefined ? null : textsOf(address),
  }
}

/** A many2one value is either an id or a pair of id and name. */
const idOf = (value: unknown): number | null => {
  const id: unknown = Array.isArray(value) ? value[0] : value
  return typeof id === 'number' ? id : null
}

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

export const textsOf = (value: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))

/** Favourites offered for an action. */
export const favouritesAt = (model: string, actionId: number): readonly Favourite[] =>
  favourites.value.filter((each) => each.model === model && (each.actionId === null || each.actionId === actionId))

/** The route with its search replaced by the favourite; what it says of the view itself, it keeps. */
export function applyFavourite(route: Route, favourite: Favourite): Route {
  const { address, domain, name, id, sort } = favourite
  const own = address === null ? { ...EMPTY_STATE, where: [{ label: name, domain }] } : readSearchState(address)
  return changeRoute(
    route,
    {
      filter: splitNames(address?.['filter'] ?? ''),
      q: address?.['q'],
      sort: sort ?? undefined,
      offset: undefined,
      id: undefined,
      ...(route.params.id !== undefined && { view_type: undefined }),
    },
    { ...address, ...route.state, filter: undefined, q: undefined, ...writeSearchState({ ...own, favourite: id }) },
  )
}

/** The route of the default favourite, or null if there is none or the address already contains a search. */
export function defaultRoute({ model, actionId, viewType }: WireWorkspace, route: Route): Route | null {
  const { filter, q, sort, offset } = route.params
  const isPlain = [filter, q, sort, offset].every((each) => each === undefined)
  if (viewType === 'form' || !isPlain || SEARCH_KEYS.some((key) => route.state[key] !== undefined)) return null
  const chosen = defaultFavourite(model, actionId)
  return chosen ? applyFavourite(route, chosen) : null
}

/** The search an action opens with; the user's own takes precedence over the shared one. */
export function defaultFavourite(model: string, actionId: number): Favourite | undefined {
  const offered = favouritesAt(model, actionId).filter(({ isDefault }) => isDefault)
  return offered.find(({ isShared }) => !isShared) ?? offered[0]
}

/** Route of a favourite, based on a link to its action. */
export const favouriteRoute = (href: string, favourite: Favourite): Route => applyFavourite(parseRoute(href), favourite)
