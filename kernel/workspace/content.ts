import { addMonths, createZone, localDay } from '../domain/zone.ts'
import type { Env } from '../env.ts'
import { LIMITS } from '../limits.ts'
import type { Model } from '../model/registry.ts'
import type { ContentViewType } from '../view/arch/arch.ts'
import type { WireDomain, WireKanban, WireWindow } from '../view/wire.ts'
import { loadBoard } from './kanban.ts'
import { type Content, type ContentQuery, countMatches, loadPage } from './list-page.ts'

export interface ViewContent extends Content {
  readonly kanban?: WireKanban
  readonly window?: WireWindow
}

type Load = (env: Env, model: Model, query: ContentQuery) => Promise<ViewContent>

/** What each kind of view shows first; a form has one record and is read by its id. */
export const CONTENT: Readonly<Record<Exclude<ContentViewType, 'form'>, Load>> = {
  list: loadPage,
  kanban: loadBoard,
  graph: loadNumbers,
  pivot: loadNumbers,
  cohort: loadNumbers,
  calendar: loadWindow,
  gantt: loadWindow,
  map: loadPlaces,
}

/** A view whose places or days the user may not see. */
const NOTHING: ViewContent = { records: [], total: 0, isExact: true }

/** Views of sums ask `read_group` themselves, along the axes the user chooses; they learn only how many records there are. */
async function loadNumbers(env: Env, model: Model, { domain }: ContentQuery): Promise<ViewContent> {
  return { records: [], ...(await countMatches(env, model, domain)) }
}

/** Last month to next month: what a calendar or a chart of bars opens at, and one step to either side. */
async function loadWindow(env: Env, model: Model, query: ContentQuery): Promise<ViewContent> {
  const { date_start: start, date_stop: stop } = query.root.attrs
  if (start === undefined) return NOTHING
  const month = `${localDay(createZone(env.tz), env.now.getTime()).slice(0, 7)}-01`
  const window: WireWindow = { from: addMonths(month, -1), to: addMonths(month, 2) }
  const domain = [...query.domain, ...during(window, start, stop)]
  return { ...(await loadPage(env, model, { ...query, domain, limit: LIMITS.records, offset: 0 })), window }
}

/** Records that lie in the window with any part; one without an end is where it begins. */
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
