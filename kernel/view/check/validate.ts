import type { TextFile } from '../../data/source.ts'
import { viewPlaces } from '../../data/view-lines.ts'
import type { XmlProblem } from '../../data/xml-document.ts'
import type { Env } from '../../env.ts'
import { refusal } from '../../errors.ts'
import { turnsOf } from '../../slices.ts'
import { type ArchNode, elementsOf } from '../arch/arch.ts'
import { parseArch, parseSpecs } from '../arch/parse-arch.ts'
import { describeProblems, listProblems } from '../inherit/list-problems.ts'
import { indexViews, originOf, primaryOf, resolveView, type ViewIndex, type ViewProblem } from '../inherit/resolve.ts'
import { loadViewTables } from '../load.ts'
import type { ViewRow, ViewTables } from '../tables.ts'
import { type ArchPlace, checkArch } from './check-arch.ts'
import { unknownInSpec } from './check-vocabulary.ts'
import { Vocabulary } from './vocabulary.ts'

/** A primary view with everything that is wrong with it and with what extends it. */
export interface CheckedView {
  readonly family: readonly ViewRow[]
  readonly problems: readonly ViewProblem[]
}

/** Characters of definitions that are read and put together in one go, which takes some ten milliseconds. */
const TURN = 50_000
/** What it costs to check an element, in the same measure. */
const ELEMENT = 500

/** Gives others their turn whenever so much has been checked. */
type Rest = (work: number) => Promise<void>

const restsOf = (env: Env): Rest => turnsOf(env, TURN)

/** Resolves a view and holds the result against models, groups and actions. */
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

/** A change that names a field is found by the name alone, so nothing else would miss what it says besides. */
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

/** Every active view, each with its problems; one that copies another does not repeat what is wrong with that. */
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
  const checked = await checkAllViews(env, await env.views())
  const blamed = checked.filter(({ family }) => !family.some((row) => row.edited))
  const counts = ({ isUnknown, view }: ViewProblem) => !isUnknown || loaded.some(({ name }) => name === view.module)
  const problems = blamed.flatMap((view) => view.problems.filter(counts))
  const places = new Map(problems.length === 0 ? [] : loaded.flatMap(({ name, data }) => [...viewPlaces(name, data)]))
  return describeProblems(problems, ({ xmlid }) => places.get(xmlid ?? ''))
}

/**
 * What is wrong with a view as this transaction has it, or with views that change or copy it; null when nothing is. Under sudo,
 * where a module operation checks all views at its end, only what the text itself tells.
 */
export async function explainView(
  env: Env,
  view: Pick<ViewRow, 'id' | 'type' | 'arch' | 'inheritId'>,
): Promise<string | null> {
  // Many views may be saved at once, and each is read in one go.
  if (view.arch.length > TURN / 10) await env.services.sleep(0)
  const text = explainText(view)
  if (text !== null || env.isSudo) return text
  const tables = await loadViewTables(env.tx, env.registry, 0)
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
