import type { WireWorkspace } from '../../../../../kernel/view/wire.ts'
import type { Route } from '../../router/codec.ts'
import { services } from '../../services.ts'
import { createRecord, unlinkRecords, writeRecords } from '../../store/queries.ts'
import { ADDRESS, type Favourite, favourites, favouritesAt, loadFavourites, textsOf } from './favourites.ts'
import type { LoadedSearch } from './loaded-search.ts'
import { searchOf } from './search-model.ts'
import { readSearchState } from './search-state.ts'

export interface NewFavourite {
  readonly name: string
  readonly isShared: boolean
  readonly isDefault: boolean
}

/** Saves the current filters, grouping and order as a favourite. */
export async function saveFavourite(search: LoadedSearch, favourite: NewFavourite): Promise<number> {
  const { workspace } = search
  const { name, isShared, isDefault } = favourite
  const { rpc, session } = services()
  const owner = isShared ? null : session.bootstrap.user.id
  if (isDefault) await dropDefault(workspace, isShared)
  const id = await createRecord(rpc, 'sys.filter', {
    name,
    model: workspace.model,
    action_id: workspace.actionId > 0 ? workspace.actionId : null,
    user_id: owner,
    ...searchValues(search),
    is_default: isDefault,
  })
  await loadFavourites()
  return id
}

function searchValues({ workspace, route }: LoadedSearch) {
  const search = searchOf(workspace, route)
  return {
    domain: [...workspace.searchDomain, ...search.extra],
    context: { group_by: search.groupBy(), [ADDRESS]: addressOf(workspace, route) },
    sort: route.params.sort ?? null,
  }
}

/** Replaces the search of a favourite by the current one. */
export async function updateFavourite(search: LoadedSearch, { id }: Favourite): Promise<void> {
  await writeRecords(services().rpc, 'sys.filter', [id], searchValues(search))
  await loadFavourites()
}

/** Makes a favourite the search its action opens with, or no longer. */
export async function setDefaultFavourite(
  workspace: WireWorkspace,
  { id, isShared }: Favourite,
  isDefault: boolean,
): Promise<void> {
  if (isDefault) await dropDefault(workspace, isShared)
  await writeRecords(services().rpc, 'sys.filter', [id], { is_default: isDefault })
  await loadFavourites()
}

/** The search and the look of the view, but not the shown period or map section. */
function addressOf({ search }: WireWorkspace, { params, state }: Route): Readonly<Record<string, string>> {
  const { fav, date, at, ...kept } = state
  const filter = (params.filter ?? search.defaultFilters).join(',')
  return textsOf({ ...kept, filter, q: params.q })
}

/** Whether the address still is that of its favourite: the same search, order and look. */
export function isAsSaved(workspace: WireWorkspace, route: Route, { id, address, sort }: Favourite): boolean {
  if (readSearchState(route.state).favourite !== id) return false
  const now = addressOf(workspace, route)
  const keys = Object.keys({ ...now, ...address })
  return address === null || ((route.params.sort ?? null) === sort && keys.every((key) => now[key] === address[key]))
}

/** Removes the default mark from the previous default: an action has one default per user and one shared default. */
async function dropDefault({ model, actionId }: WireWorkspace, isShared: boolean): Promise<void> {
  const before = favouritesAt(model, actionId).filter((each) => each.isDefault && each.isShared === isShared)
  if (before.length === 0) return
  const ids = before.map(({ id }) => id)
  await writeRecords(services().rpc, 'sys.filter', ids, { is_default: false })
}

export async function removeFavourite({ id }: Favourite): Promise<void> {
  await unlinkRecords(services().rpc, 'sys.filter', [id])
  favourites.value = favourites.value.filter((each) => each.id !== id)
}

/** Whether the user may change a favourite: their own ones, and as an administrator also shared ones. */
export const mayChange = ({ isShared }: Favourite): boolean => !isShared || services().session.bootstrap.user.isAdmin
