import type { TextFile } from '../../data/source.ts'
import { viewPlaces } from '../../data/view-lines.ts'
import type { XmlProblem } from '../../data/xml-document.ts'
import type { Env } from '../../env.ts'
import { refusal } from '../../errors.ts'
import { Turns } from '../../slices.ts'
import { type ArchNode, elementsOf } from '../arch/arch.ts'
import { parseArch, parseSpecs } from '../arch/parse-arch.ts'
import { describeProblems, listProblems } from '../inherit/list-problems.ts'
import { indexViews, originOf, primaryOf, resolveView, type ViewIndex, type ViewProblem } from '../inherit/resolve.ts'
import { loadViewTables } from '../load.ts'
import type { ViewRow, ViewTables } from '../tables.ts'
import { type ArchPlace, checkArch } from './check-arch.ts'
import { unknownInSpec } from './check-vocabulary.ts'
import { Vocabulary } from './vocabulary.ts'

/** A primary view with all problems of it and its extensions. */
export interface CheckedView {
  readonly family: readonly ViewRow[]
  readonly problems: readonly ViewProblem[]
}

/** Characters of definitions that are parsed and combined before other requests get their turn: some ten milliseconds. */
const TURN = 50_000
/** The cost of checking an element, in characters. */
const ELEMENT = 500

/** Counts checked work and gives other requests their turn when it is their time. */
type Rest = (work: number) => Promise<void>

function restsOf(env: Env): Rest {
  const turns = new Turns(env, TURN)
  return async (work) => {
    if (turns.isDue(work)) await turns.give()
  }
}

/** Resolves a view and checks the result against models, groups and actions. */
export async function checkView(
  env: Env,
  tables: ViewTables,
  index: ViewIndex,
  view: ViewRow,
  rest: Rest = restsOf(env),
): Promise<CheckedView> {
  const { root, problems: broken, family, specs } = resolveView(index, view)
  await rest(family.reduce((chars, { arch }) => chars + arch.length, 0))
  const problems: ViewProblem[] = [...broken, ...[...specs].flatMap(unknownInSpecs)]
  const model = env.registry.model(view.model)
  if (model === undefined) problems.push({ view, reason: `There is no model ${view.model}.` })
  else if (root !== null) {
    const problemAt = ({ source, attrSources }: ArchNode, reason: string, attribute?: string) => {
      const from = attrSources?.[attribute ?? ''] ?? source
      const origin = from === undefined ? undefined : tables.views.get(from.viewId)
      return { view: origin ?? view, reason, ...(from && { line: from.line }) }
    }
    const place: ArchPlace = {
      env,
      tables,
      type: view.type,
      model,
      parent: null,
      vocabulary: new Vocabulary(env.registry),
      report: (node, reason, attribute) => problems.push(problemAt(node, reason, attribute)),
      unknown: (node, reason, attribute, hint) =>
        problems.push({ ...problemAt(node, reason, attribute), hint, isUnknown: true }),
    }
    for (const _element of checkArch(place, root)) await rest(ELEMENT)
  }
  return { family, problems }
}

/** An extension's element for a field is located by the field's name only, so a wrong other attribute would go unnoticed without this. */
function unknownInSpecs([view, root]: readonly [ViewRow, ArchNode]): readonly ViewProblem[] {
  return elementsOf(root).flatMap((spec) =>
    unknownInSpec(spec).map((unknown) => ({
      ...unknown,
      view,
      line: spec.source?.line ?? 1,
      isUnknown: true as const,
    })),
  )
}

/** Every active view with its problems; a view that copies another one does not repeat the problems of that one. */
export async function checkAllViews(env: Env, tables: ViewTables): Promise<readonly CheckedView[]> {
  const rows = [...tables.views.values()]
  const index = indexViews(rows)
  const rest = restsOf(env)
  const checked: CheckedView[] = []
  for (const row of rows) if (row.mode === 'primary') checked.push(await checkView(env, tables, index, row, rest))
  return checked
}

/** An addon whose files are being loaded. */
export interface LoadedAddon {
  readonly name: string
  readonly data: readonly TextFile[]
}

/**
 * Refuses a module operation that leaves a view of an addon broken, with all problems. Problems caused by a user's change or extension
 * of a view do not stop the operation: such a view opens without the parts that do not fit. Unknown names count only in views of addons
 * that are loaded now.
 */
export async function requireValidViews(env: Env, loaded: readonly LoadedAddon[]): Promise<void> {
  const problems = await viewMistakes(env, loaded)
  if (problems.length > 0)
    throw refusal('VALIDATION', 'views_invalid', `Views are not valid:\n${problems.join('\n')}`, { problems })
}

/** All problems of views that an addon caused, with file and line if its files are loaded now. */
export async function viewMistakes(env: Env, loaded: readonly LoadedAddon[]): Promise<readonly string[]> {
  const checked = await checkAllViews(env, await env.views())
  const blamed = checked.filter(({ family }) => !family.some((row) => row.edited))
  const counts = ({ isUnknown, view }: ViewProblem) => !isUnknown || loaded.some(({ name }) => name === view.module)
  const problems = blamed.flatMap((view) => view.problems.filter(counts))
  const places = new Map(problems.length === 0 ? [] : loaded.flatMap(({ name, data }) => [...viewPlaces(name, data)]))
  return describeProblems(problems, ({ xmlid }) => places.get(xmlid ?? ''))
}

/**
 * The problems of a view in the state of this transaction, or of views that extend or copy it; null if there are none. Under sudo only
 * those of the text itself, because a module operation checks all views at its end.
 */
export async function explainView(
  env: Env,
  view: Pick<ViewRow, 'id' | 'type' | 'arch' | 'inheritId'>,
): Promise<string | null> {
  // Many views may be saved at once, and parsing one cannot be interrupted.
  if (view.arch.length > TURN / 10) await env.services.sleep(0)
  const text = explainText(view)
  if (text !== null || env.isSudo) return text
  const tables = await loadViewTables(env.tx, env.registry)
  const index = indexViews([...tables.views.values()])
  const rest = restsOf(env)
  const problems: ViewProblem[] = []
  for (const row of tables.views.values()) {
    if (row.mode !== 'primary' || !(row === primaryOf(index, view.id) || row.inheritId === view.id)) continue
    const checked = await checkView(env, tables, index, row, rest)
    problems.push(...checked.problems.filter((problem) => !problem.isUnknown || problem.view.id === view.id))
  }
  return problems.length === 0 ? null : describeProblems(problems).join('\n')
}

const tellLine = ({ line, reason }: XmlProblem): string => `Line ${line}: ${reason}`

function explainText({
  id,
  type,
  arch,
  inheritId,
}: Pick<ViewRow, 'id' | 'type' | 'arch' | 'inheritId'>): string | null {
  const origin = originOf({ id, module: null })
  const parsed = inheritId === null ? parseArch(arch, origin) : parseSpecs(arch, origin)
  if ('problems' in parsed) return listProblems(parsed.problems, { keyOf: tellLine, describe: tellLine }).join('\n')
  if (inheritId !== null || parsed.root.tag === type) return null
  return `The root of a ${type} view is <${type}>, not <${parsed.root.tag}>.`
}
