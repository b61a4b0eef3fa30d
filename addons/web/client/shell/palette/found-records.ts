import type { WireApp, WireBootstrap, WireFound, WireMenu } from '../../../../../kernel/view/wire.ts'
import { aboutText } from '../../fields/value/about-text.ts'
import type { Transport } from '../../net/transport.ts'
import { changeRoute, formatRoute, parseRoute } from '../../router/codec.ts'
import { allMenus } from '../../router/menus.ts'
import type { FoundRecord, ScopeSearch } from './palette-entries.ts'

/** A model that menus link to, and the menu whose action opens its records. */
export interface SearchedModel {
  readonly model: string
  readonly module: string
  readonly menu: WireMenu & { readonly href: string }
}

const MAX_MODELS = 16

/**
 * The models to search. The first model of every application comes first, then every second one and so on, because
 * applications list their main models before tags and stages. The current application goes first, the settings last.
 */
export function searchedModels({ apps, topMenus }: WireBootstrap, current: string | null): readonly SearchedModel[] {
  const listOf = ({ module, menuId }: WireApp) =>
    modelsOf(
      module,
      topMenus.find(({ id }) => id === menuId),
    )
  const isLast = ({ module }: WireApp) => module === 'base' && module !== current
  const lists = apps
    .filter((app) => !isLast(app))
    .toSorted((a, b) => Number(b.module === current) - Number(a.module === current))
    .map(listOf)
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const inTurns = Array.from({ length: longest }, (_, turn) => lists.flatMap((models) => models[turn] ?? []))
  const all = [...inTurns.flat(), ...apps.filter(isLast).flatMap(listOf)]
  return all
    .filter(({ model }, index) => all.findIndex((other) => other.model === model) === index)
    .slice(0, MAX_MODELS)
}

function modelsOf(module: string, root: WireMenu | undefined): readonly SearchedModel[] {
  const found = new Map<string, SearchedModel>()
  for (const menu of allMenus(root ? [root] : [])) {
    const { model, href } = menu
    if (model === undefined || href === null || found.has(model) || model.startsWith('sys.')) continue
    found.set(model, { model, module, menu: { ...menu, href } })
  }
  return [...found.values()]
}

/** The address of a record's form in the action of its menu. */
export const foundHref = ({ menu }: SearchedModel, id: number): string =>
  formatRoute(changeRoute(parseRoute(menu.href), { view_type: 'form', id }))

/** Requests records of all these models at once. A failed request is not repeated, since the next key press sends a new one. */
export async function findRecords(
  transport: Transport,
  base: string,
  { models, of }: Pick<ScopeSearch, 'models' | 'of'>,
  typed: string,
  signal: AbortSignal,
): Promise<readonly FoundRecord[]> {
  const query = new URLSearchParams({
    q: typed,
    models: models.join(),
    ...(of && { of_model: of.model, of_id: String(of.id) }),
  })
  const { json } = await transport.send(`${base}/find?${query}`, { method: 'GET', repeatable: false, signal })
  // The contract of GET /web/wc/find.
  const { found } = json as { readonly found: readonly WireFound[] }
  return found.flatMap(({ model, label, fields, records }) =>
    records.map((record) => ({
      model,
      label,
      id: record.id,
      name: String(record['display_name'] ?? record.id),
      about: aboutText(model, fields, record),
    })),
  )
}
