import type { Model, Registry } from '../model/registry.ts'
import type { ViewType } from './arch/arch.ts'
import { completeView } from './complete-view.ts'
import { generateView } from './default/view.ts'
import { describeProblems } from './inherit/list-problems.ts'
import { byPriority, indexViews, primaryOf, resolveView, type ViewIndex } from './inherit/resolve.ts'
import { createMemo } from './memo.ts'
import type { MenuRow, ResolvedView, ViewRow, ViewTables, WindowAction } from './tables.ts'

export interface ViewSources {
  readonly views: readonly ViewRow[]
  readonly actions: readonly WindowAction[]
  readonly menus: readonly MenuRow[]
}

export const NO_VIEWS: ViewSources = { views: [], actions: [], menus: [] }

/** The tables that a process keeps. Each view is resolved once, when it is first needed. */
export function buildViewTables(registry: Registry, epoch: number, sources: ViewSources): ViewTables {
  const index = indexViews(sources.views)
  const actionIdByXmlid = new Map(
    sources.actions.flatMap(({ id, xmlid }) => (xmlid === null ? [] : [[xmlid, id] as const])),
  )
  const resolved = new Map<string, ResolvedView | null>()

  const resolve = (modelName: string, type: ViewType, viewId: number | null = null): ResolvedView | null => {
    // Only known models are cached: names from requests must not fill the memory.
    const model = registry.model(modelName)
    if (model === undefined) return null
    const view = chooseView(index, modelName, type, viewId)
    const key = `${modelName} ${type} ${view?.id ?? ''}`
    const known = resolved.get(key)
    if (known !== undefined) return known
    const found = findArch(registry, index, model, type, view)
    const listOf = (name: string) => resolve(name, 'list')?.root ?? null
    const made = found && { ...found, root: completeView({ registry, actionIdByXmlid, listOf }, model, found.root) }
    resolved.set(key, made)
    return made
  }

  return Object.freeze({
    epoch,
    views: index.views,
    actions: new Map(sources.actions.map((action) => [action.id, action])),
    menus: sources.menus,
    actionIdByXmlid,
    resolve,
    memo: createMemo(),
  })
}

function chooseView(index: ViewIndex, model: string, type: ViewType, viewId: number | null): ViewRow | null {
  const fits = (row: ViewRow) => row.mode === 'primary' && row.model === model && row.type === type
  const named = viewId === null ? null : primaryOf(index, viewId)
  if (named !== null && fits(named)) return named
  return [...index.views.values()].filter(fits).sort(byPriority)[0] ?? null
}

/** The view's own definition, or a generated one if there is none that can be parsed. */
function findArch(
  registry: Registry,
  index: ViewIndex,
  model: Model,
  type: ViewType,
  view: ViewRow | null,
): ResolvedView | null {
  const resolution = view === null ? null : resolveView(index, view)
  const problems = describeProblems(resolution?.problems ?? [])
  if (view !== null && resolution?.root?.tag === type) return { viewId: view.id, root: resolution.root, problems }
  const root = generateView(registry, model.name, type)
  return root === null ? null : { viewId: null, root, problems }
}
