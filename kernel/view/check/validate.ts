import type { TextFile } from '../../data/source.ts'
import { viewPlaces } from '../../data/view-lines.ts'
import type { Env } from '../../env.ts'
import { refusal } from '../../errors.ts'
import { type ArchNode, elementsOf } from '../arch/arch.ts'
import { parseArch, parseSpecs } from '../arch/parse-arch.ts'
import {
  describeProblem,
  indexViews,
  originOf,
  primaryOf,
  resolveView,
  type ViewIndex,
  type ViewProblem,
} from '../inherit/resolve.ts'
import { loadViewTables } from '../load.ts'
import type { ViewRow, ViewTables } from '../tables.ts'
import { checkArch } from './check-arch.ts'
import { unknownInSpec } from './check-vocabulary.ts'

/** A primary view with everything that is wrong with it and with what extends it. */
export interface CheckedView {
  readonly family: readonly ViewRow[]
  readonly problems: readonly ViewProblem[]
}

/** Resolves a view and holds the result against models, groups and actions. */
export function checkView(env: Env, tables: ViewTables, index: ViewIndex, view: ViewRow): CheckedView {
  const { root, problems: broken, family } = resolveView(index, view)
  const problems: ViewProblem[] = [...broken, ...family.flatMap(unknownInSpecs)]
  const model = env.registry.model(view.model)
  if (model === undefined) problems.push({ view, reason: `There is no model ${view.model}.` })
  else if (root !== null) {
    const problemAt = ({ source, attrSources }: ArchNode, reason: string, attribute?: string) => {
      const from = attrSources?.[attribute ?? ''] ?? source
      const origin = from === undefined ? undefined : tables.views.get(from.viewId)
      return { view: origin ?? view, reason, ...(from && { line: from.line }) }
    }
    checkArch(
      {
        env,
        tables,
        type: view.type,
        model,
        parent: null,
        report: (node, reason, attribute) => problems.push(problemAt(node, reason, attribute)),
        unknown: (node, reason, attribute) => problems.push({ ...problemAt(node, reason, attribute), isUnknown: true }),
      },
      root,
    )
  }
  return { family, problems }
}

/** A change that names a field is found by the name alone, so nothing else would miss what it says besides. */
function unknownInSpecs(view: ViewRow): readonly ViewProblem[] {
  const parsed = view.inheritId === null ? null : parseSpecs(view.arch, originOf(view))
  if (parsed === null || 'problems' in parsed) return []
  return elementsOf(parsed.root).flatMap((spec) =>
    unknownInSpec(spec).map((reason) => ({ view, reason, line: spec.source?.line ?? 1, isUnknown: true as const })),
  )
}

/** Every active view, each with its problems; one that copies another does not repeat what is wrong with that. */
export function checkAllViews(env: Env, tables: ViewTables): readonly CheckedView[] {
  const rows = [...tables.views.values()]
  const index = indexViews(rows)
  return rows.filter((row) => row.mode === 'primary').map((row) => checkView(env, tables, index, row))
}

/** An addon whose files are being loaded. */
export interface LoadedAddon {
  readonly name: string
  readonly data: readonly TextFile[]
}

/**
 * Refuses a module operation that leaves a view of an addon broken, naming all that is wrong. Where a user has changed a view,
 * or extended it, no addon can be blamed: such a view opens without what does not fit, and the operation goes on. Names that
 * nothing knows count in views of addons that are loaded now.
 */
export async function requireValidViews(env: Env, loaded: readonly LoadedAddon[]): Promise<void> {
  const problems = await viewMistakes(env, loaded)
  if (problems.length > 0)
    throw refusal('VALIDATION', 'views_invalid', `Views are not valid:\n${problems.join('\n')}`, { problems })
}

/** All that is wrong with views and has an addon to blame, with file and line where its files are loaded now. */
export async function viewMistakes(env: Env, loaded: readonly LoadedAddon[]): Promise<readonly string[]> {
  const checked = checkAllViews(env, await env.views())
  const blamed = checked.filter(({ family }) => !family.some((row) => row.edited))
  const counts = ({ isUnknown, view }: ViewProblem) => !isUnknown || loaded.some(({ name }) => name === view.module)
  const problems = blamed.flatMap((view) => view.problems.filter(counts))
  const places = new Map(problems.length === 0 ? [] : loaded.flatMap(({ name, data }) => [...viewPlaces(name, data)]))
  return [...new Set(problems.map((problem) => describeProblem(problem, places.get(problem.view.xmlid ?? ''))))]
}

/**
 * What is wrong with a view as this transaction has it, or with views that change or copy it; null when nothing is. Under sudo,
 * where a module operation checks all views at its end, only what the text itself tells.
 */
export async function explainView(
  env: Env,
  view: Pick<ViewRow, 'id' | 'type' | 'arch' | 'inheritId'>,
): Promise<string | null> {
  const text = explainText(view)
  if (text !== null || env.isSudo) return text
  const tables = await loadViewTables(env.tx, env.registry, 0)
  const index = indexViews([...tables.views.values()])
  const problems = [...tables.views.values()]
    .filter((row) => row.mode === 'primary' && (row === primaryOf(index, view.id) || row.inheritId === view.id))
    .flatMap((row) => checkView(env, tables, index, row).problems)
    .filter((problem) => !problem.isUnknown || problem.view.id === view.id)
    .map((problem) => describeProblem(problem))
  return problems.length === 0 ? null : [...new Set(problems)].join('\n')
}

function explainText({
  id,
  type,
  arch,
  inheritId,
}: Pick<ViewRow, 'id' | 'type' | 'arch' | 'inheritId'>): string | null {
  const origin = originOf({ id, module: null })
  const parsed = inheritId === null ? parseArch(arch, origin) : parseSpecs(arch, origin)
  if ('problems' in parsed) return parsed.problems.map(({ line, reason }) => `Line ${line}: ${reason}`).join('\n')
  if (inheritId !== null || parsed.root.tag === type) return null
  return `The root of a ${type} view is <${type}>, not <${parsed.root.tag}>.`
}
