import type { WireSearchField, WireWorkspace } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import type { Rpc } from '../../net/rpc.ts'
import type { Route } from '../../router/codec.ts'
import { searchNames } from '../../store/queries.ts'
import type { IconName } from '../../ui/icon-names.ts'
import { searchChanges } from './change-search.ts'
import { isGrouping } from './facets.ts'
import { fitsField } from './search-domain.ts'
import { activeFilters } from './search-model.ts'

/** An entry that the search bar offers for the typed text. */
export interface Suggestion {
  readonly key: string
  readonly icon: IconName
  /** Text in front of it, such as `Search Customer for`. */
  readonly lead: string
  readonly text: string
  go(): Route
}

const MAX_FILTERS = 4
const MAX_RECORDS = 3

/**
 * Suggestions for a typed text: search in all columns, in one field, for matching selection values, and matching
 * filters.
 */
export function suggestionsFor(workspace: WireWorkspace, route: Route, typed: string): readonly Suggestion[] {
  const text = typed.trim()
  if (text === '') return []
  const changes = searchChanges(workspace, route)
  const known = (name: string) => workspace.arch.fields.find((each) => each.name === name)
  const inField = (field: WireSearchField): readonly Suggestion[] => {
    const { name, label } = field
    const chosen = (known(name)?.selection ?? []).filter(([, each]) => isLike(each, text))
    if (chosen.length > 0) {
      return chosen.map(([key, each]) => ({
        key: `${name}=${key}`,
        icon: 'list-filter',
        lead: label,
        text: each,
        go: () => changes.want({ field: name, value: key, label: each }),
      }))
    }
    if (!fitsField(field, known(name), text)) return []
    return [
      {
        key: name,
        icon: 'search',
        lead: t('Search {field} for', { field: label }),
        text,
        go: () => changes.want({ field: name, value: text, label: text }),
      },
    ]
  }
  const active = new Set(activeFilters(workspace, route.params.filter))
  const filters = workspace.search.filters.filter(
    (filter) => !isGrouping(filter) && !active.has(filter.name) && isLike(filter.label, text),
  )
  return [
    { key: 'q', icon: 'search', lead: t('Search for'), text, go: () => changes.findText(text) },
    ...workspace.search.fields.flatMap(inField),
    ...filters.slice(0, MAX_FILTERS).map(
      ({ name, label }): Suggestion => ({
        key: `filter ${name}`,
        icon: 'list-filter',
        lead: t('Filter'),
        text: label,
        go: () => changes.toggleFilter(name),
      }),
    ),
  ]
}

/** Suggests linked records whose name contains the text, for the relations of the search view. */
export async function suggestRecords(
  rpc: Rpc,
  workspace: WireWorkspace,
  route: Route,
  typed: string,
  signal: AbortSignal,
): Promise<readonly Suggestion[]> {
  const text = typed.trim()
  if (text === '') return []
  const changes = searchChanges(workspace, route)
  const links = workspace.search.fields.flatMap(({ name, label }) => {
    const relation = workspace.arch.fields.find((each) => each.name === name && each.type === 'many2one')?.relation
    return relation === undefined ? [] : [{ name, label, relation }]
  })
  const found = await Promise.all(
    links.map(async ({ name, label, relation }) => {
      const named = await searchNames(rpc, relation, text, [], { limit: MAX_RECORDS, signal })
      return named.map(
        ([id, each]): Suggestion => ({
          key: `${name}=${id}`,
          icon: 'list-filter',
          lead: label,
          text: each,
          go: () => changes.want({ field: name, value: id, label: each }),
        }),
      )
    }),
  )
  return found.flat()
}

const isLike = (label: string, text: string): boolean => label.toLowerCase().includes(text.toLowerCase())
