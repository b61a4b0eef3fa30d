import type { WireDomain } from '../../../../../../kernel/view/wire.ts'
import type { Row } from '../../../net/rpc.ts'
import type { Route } from '../../../router/codec.ts'
import { textsOf } from '../../../search/query/favourites.ts'
import { EMPTY_STATE, type OwnFilter, splitNames, writeSearchState } from '../../../search/query/search-state.ts'
import type { TilePlace } from './layout.ts'

/** The kind of a tile that shows a single number. */
export const FIGURE = 'figure'

/** A tile as it is stored (`sys.dashboard.tile`); one that was not saved yet has a negative id. */
export interface TileRecord extends TilePlace {
  readonly id: number
  readonly name: string
  readonly viewType: string
  readonly model: string
  readonly actionId: number | null
  readonly domain: WireDomain
  /** Filters, grouping and other state of the view, as parts of an address. */
  readonly address: Readonly<Record<string, string>>
  readonly sort: string | null
  /** The date that the period of the dashboard applies to. */
  readonly dateField: string | null
  readonly companyField: string | null
}

export const TILE_FIELDS = [
  ...['name', 'view_type', 'model', 'action_id', 'domain', 'context', 'sort', 'date_field', 'company_field'],
  ...['x', 'y', 'w', 'h'],
] as const

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

export function toTile(row: Row): TileRecord {
  const context = row['context']
  const search: unknown = typeof context === 'object' && context !== null && 'search' in context ? context.search : null
  const action = row['action_id']
  return {
    id: row.id,
    name: String(row['name']),
    viewType: String(row['view_type']),
    model: String(row['model']),
    actionId: Array.isArray(action) ? Number(action[0]) : null,
    domain: Array.isArray(row['domain']) ? row['domain'] : [],
    address: typeof search === 'object' && search !== null ? textsOf({ ...search }) : {},
    sort: textOrNull(row['sort']),
    dateField: textOrNull(row['date_field']),
    companyField: textOrNull(row['company_field']),
    x: Number(row['x']),
    y: Number(row['y']),
    w: Number(row['w']),
    h: Number(row['h']),
  }
}

/** The values a tile is saved with. */
export const tileValues = (tile: TileRecord): Readonly<Record<string, unknown>> => ({
  name: tile.name,
  view_type: tile.viewType,
  model: tile.model,
  action_id: tile.actionId,
  domain: tile.domain,
  context: { search: tile.address },
  sort: tile.sort,
  date_field: tile.dateField,
  ...placeValues(tile),
})

export const placeValues = ({ x, y, w, h }: TilePlace): TilePlace => ({ x, y, w, h })

/** The address of the full view of a tile. `filters` are those of the dashboard; the search bar shows each by its label. */
export function tileRoute(
  tile: TileRecord,
  filters: readonly OwnFilter[],
  period: Readonly<Record<string, string>> = {},
): Route {
  const { filter, q, ...state } = tile.address
  const own = tile.domain.length === 0 ? [] : [{ label: tile.name, domain: tile.domain }]
  const { where } = writeSearchState({ ...EMPTY_STATE, where: [...own, ...filters] })
  return {
    path: '/web',
    params: {
      ...(tile.actionId === null ? { model: tile.model } : { action: tile.actionId }),
      view_type: shownKind(tile),
      filter: splitNames(filter ?? ''),
      ...(q !== undefined && { q }),
      ...(tile.sort !== null && { sort: tile.sort }),
    },
    state: { ...state, ...period, ...(where !== undefined && { where }) },
    extra: {},
  }
}

/** A figure opens as the list of what it counts. */
const shownKind = ({ viewType }: TileRecord): string => (viewType === FIGURE ? 'list' : viewType)
