import type { WireDomain } from '../../../../../kernel/view/wire.ts'
import type { Route } from '../../router/codec.ts'

/** A value searched for in one field: a typed text, or the key or id of a chosen entry. */
export interface Wanted {
  readonly field: string
  readonly value: string | number | boolean | null
  /** Text shown for the value. */
  readonly label: string
}

/** A custom filter built by the user. */
export interface OwnFilter {
  readonly label: string
  readonly domain: WireDomain
}

/** The part of a search that is kept in the fragment because the query parameters cannot express it. */
export interface SearchState {
  /** `field` or `field:granularity`; null uses the grouping of the filters or of the view. */
  readonly group: readonly string[] | null
  readonly by: readonly Wanted[]
  readonly where: readonly OwnFilter[]
  readonly panel: readonly Wanted[]
  /** Id of the applied favourite. */
  readonly favourite: number | null
}

export const EMPTY_STATE: SearchState = { group: null, by: [], where: [], panel: [], favourite: null }

/** Keys used in the fragment. */
export const SEARCH_KEYS = ['group', 'by', 'where', 'panel', 'fav'] as const

/** Fragment value that turns off the default grouping of a view. */
export const UNGROUPED = 'none'

type FragmentState = Route['state']

/** Parses a fragment and ignores invalid parts. */
export function readSearchState(state: FragmentState): SearchState {
  const group = state['group']
  const favourite = Number(state['fav'])
  return {
    group: group === undefined ? null : group === UNGROUPED ? [] : splitNames(group),
    by: readList(state['by']).flatMap(readWanted),
    where: readList(state['where']).flatMap(readOwnFilter),
    panel: readList(state['panel']).flatMap(readWanted),
    favourite: Number.isInteger(favourite) && favourite > 0 ? favourite : null,
  }
}

/** Serialises the state to fragment values; undefined removes a key. */
export function writeSearchState({ group, by, where, panel, favourite }: SearchState): {
  readonly [K in (typeof SEARCH_KEYS)[number]]: string | undefined
} {
  const wanted = ({ field, value, label }: Wanted) => (value === label ? [field, value] : [field, value, label])
  return {
    group: group === null ? undefined : group.length === 0 ? UNGROUPED : group.join(','),
    by: writeList(by.map(wanted)),
    where: writeList(where.map(({ label, domain }) => [label, domain])),
    panel: writeList(panel.map(wanted)),
    fav: favourite === null ? undefined : String(favourite),
  }
}

export const splitNames = (text: string): readonly string[] => text.split(',').flatMap((part) => part.trim() || [])

const writeList = (list: readonly unknown[]): string | undefined =>
  list.length === 0 ? undefined : JSON.stringify(list)

function readList(text: string | undefined): readonly unknown[] {
  if (text === undefined) return []
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list : []
  } catch {
    // An incomplete or edited address.
    return []
  }
}

function readWanted(entry: unknown): readonly Wanted[] {
  if (!Array.isArray(entry)) return []
  const [field, value, label]: readonly unknown[] = entry
  if (typeof field !== 'string' || !isPlain(value)) return []
  return [{ field, value, label: typeof label === 'string' ? label : String(value ?? '') }]
}

const isPlain = (value: unknown): value is Wanted['value'] =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

function readOwnFilter(entry: unknown): readonly OwnFilter[] {
  if (!Array.isArray(entry)) return []
  const [label, domain]: readonly unknown[] = entry
  return typeof label === 'string' && Array.isArray(domain) ? [{ label, domain }] : []
}
