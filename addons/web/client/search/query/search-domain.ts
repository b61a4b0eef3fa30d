import type {
  WireDomain,
  WireField,
  WireSearchField,
  WireSearchPanelSection,
  WireWorkspace,
} from '../../../../../kernel/view/wire.ts'
import { anyDomain } from '../../../../../kernel/workspace/join-domains.ts'
import { today } from '../../core/format.ts'
import { parseDate, parseNumber } from '../../core/parse.ts'
import { groupByKey } from './group-by-key.ts'
import type { Wanted } from './search-state.ts'

/** Combines values of the same field with "or", and different fields with "and". */
export function searchDomain(wanted: readonly Wanted[], toDomain: (each: Wanted) => WireDomain): WireDomain {
  const byField = groupByKey(wanted, ({ field }) => field)
  return [...byField.values()].flatMap((each) => anyDomain(each.map(toDomain)))
}

/** Returns the function that turns a value typed into a search field into a domain. */
export function fieldDomain({ search, arch }: WireWorkspace): (wanted: Wanted) => WireDomain {
  return ({ field: name, value }) => {
    const field = search.fields.find((each) => each.name === name)
    if (typeof value === 'number' && isLink(field?.type)) return [[name, '=', value]]
    if (field?.filterDomain) return fillSelf(field.filterDomain, value)
    return [
      conditionOf(
        name,
        field,
        arch.fields.find((each) => each.name === name),
        value,
      ),
    ]
  }
}

/**
 * Returns the function that turns a value of the search panel into a domain; in a hierarchy it includes all
 * descendants.
 */
export function panelDomain(sections: readonly WireSearchPanelSection[]): (wanted: Wanted) => WireDomain {
  const trees = new Set(sections.filter(({ hierarchical }) => hierarchical).map(({ field }) => field))
  return ({ field, value }) => {
    if (value === null) return [[field, '=', null]]
    return [trees.has(field) ? [field, 'child_of', value] : [field, 'in', [value]]]
  }
}

const isLink = (type: string | undefined): boolean => type === 'many2one' || type === 'many2many'

/** Replaces `self`, the placeholder in domains of the search view, by the value. */
function fillSelf(domain: WireDomain, value: unknown): WireDomain {
  const fill = (part: unknown): unknown => (part === 'self' ? value : Array.isArray(part) ? part.map(fill) : part)
  return domain.map(fill)
}

const NUMBERS = new Set(['integer', 'float', 'monetary'])

function conditionOf(
  name: string,
  field: WireSearchField | undefined,
  known: WireField | undefined,
  value: Wanted['value'],
): readonly [string, string, unknown] {
  if (typeof value !== 'string') return [name, '=', value]
  const type = field?.type ?? known?.type ?? 'char'
  if (known?.selection) return [name, 'in', keysLike(known.selection, value)]
  if (NUMBERS.has(type)) return [name, '=', parseNumber(value)]
  if (type === 'date' || type === 'datetime') return [name, '=', parseDate(value, today())]
  return [name, 'ilike', value]
}

const keysLike = (selection: readonly (readonly [string, string])[], text: string): readonly string[] =>
  selection
    .filter(([key, label]) => key === text || label.toLowerCase().includes(text.toLowerCase()))
    .map(([key]) => key)

/** Whether a text can be searched for in a field of this type. */
export function fitsField({ type }: WireSearchField, known: WireField | undefined, text: string): boolean {
  if (known?.selection) return keysLike(known.selection, text).length > 0
  if (NUMBERS.has(type)) return parseNumber(text) !== null
  if (type === 'date' || type === 'datetime') return parseDate(text, today()) !== null
  return type !== 'boolean'
}
