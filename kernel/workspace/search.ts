import { bindVariables } from '../domain/bind.ts'
import { parseDomainText } from '../domain/literal.ts'
import type { Env } from '../env.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import type { Field } from '../model/fields/field.ts'
import type { Model } from '../model/registry.ts'
import { modelOf, parseChecked } from '../orm/statement/scope.ts'
import { type ArchNode, elementsOf } from '../view/arch/arch.ts'
import { viewVariables } from '../view/variables.ts'
import type {
  WireDomain,
  WireField,
  WireFilter,
  WireSearch,
  WireSearchField,
  WireSearchPanelSection,
} from '../view/wire.ts'
import { toWireField } from '../view/wire-field.ts'

/** A search view for users with the same groups; its domains still contain variables. */
export interface SearchView {
  readonly fields: readonly WireSearchField[]
  readonly filters: readonly WireFilter[]
  readonly panel: readonly WireSearchPanelSection[]
  readonly grouped: readonly WireField[]
}

/**
 * Reads a search view that was pruned and translated for the user. Adjacent filters form one set; any other element between
 * them starts a new one. A filter over something the user may not read is not offered.
 */
export function readSearchView(env: Env, model: Model, root: ArchNode): SearchView {
  const fields: WireSearchField[] = []
  const filters = new Map<string, WireFilter>()
  const panel: WireSearchPanelSection[] = []
  let set = 0
  const walk = (node: ArchNode): void => {
    for (const child of elementsOf(node)) {
      const { name } = child.attrs
      if (child.tag === 'filter') {
        const filter = name === undefined || filters.has(name) ? null : readFilter(env, model, child, name, set)
        if (filter !== null) filters.set(filter.name, filter)
        continue
      }
      set++
      if (child.tag === 'field') fields.push(...readField(env, model, child))
      else if (child.tag === 'searchpanel')
        panel.push(...elementsOf(child).flatMap((section) => readSection(env, model, section)))
      else walk(child)
      set++
    }
  }
  walk(root)
  return { fields, filters: [...filters.values()], panel, grouped: groupedFields(env, model, filters.values(), panel) }
}

function groupedFields(
  env: Env,
  model: Model,
  filters: Iterable<WireFilter>,
  panel: readonly WireSearchPanelSection[],
): readonly WireField[] {
  const names = [...[...filters].map(({ groupBy }) => groupBy?.split(':')[0]), ...panel.map(({ field }) => field)]
  return [...new Set(names)].flatMap((name) => {
    const field = model.fields.get(name ?? '')
    return field === undefined ? [] : [toWireField(env, field)]
  })
}

function readFilter(env: Env, model: Model, node: ArchNode, name: string, set: number): WireFilter | null {
  const { string: label = name, domain: text, date, group_by: groupBy } = node.attrs
  const domain = text === undefined ? undefined : parseDomainText(text)
  const conditions = [...(domain ?? []), ...(date === undefined ? [] : [[date, '!=', null]])]
  const paths = groupBy === undefined ? [] : [[groupBy.split(':')[0], '!=', null]]
  if (![conditions, paths].every((asked) => mayQuery(env, model, asked))) return null
  return { name, label, set, ...(domain && { domain }), ...(date && { date }), ...(groupBy && { groupBy }) }
}

/** Whether the user may search by all fields of a view's domain; false if the domain is invalid. */
const mayQuery = (env: Env, model: Model, domain: WireDomain): boolean => problemOf(env, model, domain) === null

/** Whether the domain of a search field names something the user may not search by; the typed value may be of any kind. */
const isRefused = (env: Env, model: Model, domain: WireDomain): boolean =>
  problemOf(env, model, domain) === 'ACCESS_DENIED'

function problemOf(env: Env, model: Model, domain: WireDomain): ErrorCode | null {
  try {
    parseChecked(env, model, bindVariables(domain, viewVariables(env)))
    return null
  } catch (error) {
    if (error instanceof AppError && (error.code === 'ACCESS_DENIED' || error.code === 'BAD_REQUEST')) return error.code
    throw error
  }
}

function readField(env: Env, model: Model, { attrs }: ArchNode): readonly WireSearchField[] {
  const field = model.fields.get(attrs['name'] ?? '')
  if (field === undefined) return []
  const { string: label = env.t(field.label), filter_domain: text } = attrs
  const type = field.type.name
  const domain = text === undefined ? null : markSelf(parseDomainText(text))
  const filterDomain = domain !== null && !isRefused(env, model, domain) ? { filterDomain: domain } : {}
  return [{ name: field.name, label, type, ...filterDomain }]
}

/** The variable `self` is the value the user types; it is sent as the text `self`. */
const markSelf = (domain: WireDomain): WireDomain => {
  const mark = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(mark)
    const isSelf = typeof value === 'object' && value !== null && 'var' in value && value.var === 'self'
    return isSelf ? 'self' : value
  }
  return domain.map(mark)
}

function readSection(env: Env, model: Model, { attrs }: ArchNode): readonly WireSearchPanelSection[] {
  const field = model.fields.get(attrs['name'] ?? '')
  if (field === undefined) return []
  return [
    {
      field: field.name,
      label: attrs['string'] ?? env.t(field.label),
      multi: attrs['select'] === 'multi',
      hierarchical: attrs['hierarchize'] !== '0' && isTree(env, field),
    },
  ]
}

const isTree = (env: Env, { relation }: Field): boolean =>
  relation !== null && modelOf(env, relation.target).parentField !== null

const DEFAULT = 'search_default_'

/** The search view with the variables replaced by this user's values, and the filters that the action switches on. */
export function wireSearch(env: Env, view: SearchView, context: Readonly<Record<string, unknown>>): WireSearch {
  const variables = viewVariables(env)
  const filters = view.filters.map((filter) =>
    filter.domain === undefined ? filter : { ...filter, domain: bindVariables(filter.domain, variables) },
  )
  const names = new Set(filters.map(({ name }) => name))
  const fields = new Set(view.fields.map(({ name }) => name))
  const asked = Object.entries(context).flatMap(([key, value]) =>
    key.startsWith(DEFAULT) && value !== false && value !== null ? [[key.slice(DEFAULT.length), value] as const] : [],
  )
  return {
    defaultFilters: [...names].filter((name) => asked.some(([other]) => other === name)),
    defaultValues: Object.fromEntries(
      asked
        .filter(([name]) => !names.has(name) && fields.has(name))
        .map(([name, value]) => [
          name,
          typeof value === 'string' && variables.has(value) ? variables.get(value) : value,
        ]),
    ),
    ...view,
    filters,
  }
}
