import { addMonths, createZone, localDay } from '../domain/zone.ts'
import type { Env } from '../env.ts'
import { LIMITS } from '../limits.ts'
import type { Model } from '../model/registry.ts'
import type { BuiltInViewType, ContentViewType } from '../view/arch/arch.ts'
import type { WireDomain, WireKanban, WireWindow } from '../view/wire.ts'
import { loadBoard } from './kanban.ts'
import { type Content, type ContentQuery, countMatches, loadPage } from './list-page.ts'

export interface ViewContent extends Content {
  readonly kanban?: WireKanban
  readonly window?: WireWindow
}

type Load = (env: Env, model: Model, query: ContentQuery) => Promise<ViewContent>

/** Loads the first content of each kind of view. Forms are loaded by `loadForm`. */
const CONTENT: Readonly<Record<Exclude<BuiltInViewType, 'form' | 'search'>, Load>> = {
  list: loadPage,
  kanban: loadBoard,
  graph: loadNumbers,
  pivot: loadNumbers,
  cohort: loadNumbers,
  calendar: loadWindow,
  gantt: loadWindow,
  map: loadPlaces,
}

/** How the first content of a kind of view is loaded; those of addons say whether they want records. */
export function contentLoader({ registry }: Env, type: ContentViewType): Load {
  if (Object.hasOwn(CONTENT, type)) return CONTENT[type as keyof typeof CONTENT]
  return registry.viewKinds.get(type)?.content === 'records' ? loadPage : loadNumbers
}

/** The content of a view whose date or location fields the user may not read. */
const NOTHING: ViewContent = { records: [], total: 0, isExact: true }

/**
 * Graph, pivot and cohort views call `read_group` themselves for the axes the user chooses; here they get only the number of
 * records.
 */
async function loadNumbers(env: Env, model: Model, { domain }: ContentQuery): Promise<ViewContent> {
  return { records: [], ...(await countMatches(env, model, domain)) }
}

/** From last month to next month: the period that calendar and gantt views open with, plus one step in each direction. */
async function loadWindow(env: Env, model: Model, query: ContentQuery): Promise<ViewContent> {
  const { date_start: start, date_stop: stop } = query.root.attrs
  if (start === undefined) return NOTHING
  const month = `${localDay(createZone(env.tz), env.now.getTime()).slice(0, 7)}-01`
  const window: WireWindow = { from: addMonths(month, -1), to: addMonths(month, 2) }
  const domain = [...query.domain, ...during(window, start, stop)]
  return { ...(await loadPage(env, model, { ...query, domain, limit: LIMITS.records, offset: 0 })), window }
}

/** Records that overlap the window; a record without an end date counts at its start. */
function during({ from, to }: WireWindow, start: string, stop: string | undefined): WireDomain {
  if (stop === undefined)
    return [
      [start, '>=', from],
      [start, '<', to],
    ]
  return [[start, '<', to], '|', [stop, '>=', from], '&', [stop, '=', null], [start, '>=', from]]
}

async function loadPlaces(env: Env, model: Model, query: ContentQuery): Promise<ViewContent> {
  const { latitude, longitude } = query.root.attrs
  if (latitude === undefined || longitude === undefined) return NOTHING
  const domain = [...query.domain, [latitude, '!=', null], [longitude, '!=', null]]
  return loadPage(env, model, { ...query, domain, limit: LIMITS.records, offset: 0 })
}
