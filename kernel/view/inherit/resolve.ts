import type { ViewPlace } from '../../data/view-lines.ts'
import type { ArchNode } from '../arch/arch.ts'
import { type ArchOrigin, type ParsedArch, parseArch, parseSpecs } from '../arch/parse-arch.ts'
import type { ViewRow } from '../tables.ts'
import { type Budget, COSTS_TOO_MUCH, READ_COST, VIEW_BUDGET } from './edit-tree.ts'
import { extendArch } from './inherit.ts'

/** A problem of one view, or of its change to another view. */
export interface ViewProblem {
  readonly view: ViewRow
  /** The change that does not fit, in an extension. */
  readonly expr?: string
  readonly line?: number
  readonly reason: string
  /** The name that may be meant. Finding it is slow, so it is called only for problems that are listed. */
  readonly hint?: () => string
  /** An unknown name. Stored views are shown nevertheless, so it counts only in views that are installed or saved now. */
  readonly isUnknown?: true
}

/** Longer sentences are cut, since they may quote long texts. */
const MAX_CHARS = 500

/** One sentence for the author of the view; `file`: where the view is defined, if known. */
export function describeProblem({ view, expr, line, reason, hint }: ViewProblem, file?: ViewPlace): string {
  const addon = view.module ?? 'changed by a user'
  const place = [
    `view ${view.xmlid ?? `"${view.name}" (${view.id})`}`,
    ...(file === undefined && line !== undefined ? [`line ${line}`] : []),
    ...(expr === undefined ? [] : [expr]),
  ]
  const where = file === undefined ? addon : `${addon}/${file.file}:${file.lineOf(line ?? 1)}`
  const text = `${where}: ${place.join(', ')}: ${reason}`
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : `${text}${hint?.() ?? ''}`
}

/** Views by id, and the extensions of each in the order they apply. */
export interface ViewIndex {
  readonly views: ReadonlyMap<number, ViewRow>
  readonly extensions: ReadonlyMap<number, readonly ViewRow[]>
}

export const byPriority = (a: ViewRow, b: ViewRow): number => a.priority - b.priority || a.id - b.id

export function indexViews(rows: readonly ViewRow[]): ViewIndex {
  const extensions = new Map<number, ViewRow[]>()
  for (const row of [...rows].sort(byPriority)) {
    if (row.mode !== 'extension' || row.inheritId === null) continue
    extensions.set(row.inheritId, [...(extensions.get(row.inheritId) ?? []), row])
  }
  return { views: new Map(rows.map((row) => [row.id, row])), extensions }
}

/** The result for an extension after earlier ones have used up the budget. */
const SPENT: ParsedArch = { problems: [{ line: 1, reason: COSTS_TOO_MUCH }] }

export interface Resolution {
  /** Null if the view itself does not parse, or the view it copies does not exist any more. */
  readonly root: ArchNode | null
  /** Broken extensions were left out of the view. */
  readonly problems: readonly ViewProblem[]
  /** Every view that took part in the result. */
  readonly family: readonly ViewRow[]
  /** The changes of views that extend or copy another one, if they parse. */
  readonly specs: ReadonlyMap<ViewRow, ArchNode>
}

/** A primary view: its definition or a changed copy of another's, then its extensions, each followed by its own. */
export function resolveView(index: ViewIndex, view: ViewRow): Resolution {
  const problems: ViewProblem[] = []
  const family = new Set<ViewRow>()
  const specs = new Map<ViewRow, ArchNode>()
  const budget: Budget = { left: VIEW_BUDGET }
  const report = (problem: ViewProblem) => problems.push(problem)

  const extend = (root: ArchNode, extension: ViewRow): ArchNode => {
    budget.left -= extension.arch.length * READ_COST
    const parsed = budget.left < 0 ? SPENT : parseSpecs(extension.arch, originOf(extension))
    if ('problems' in parsed) {
      for (const problem of parsed.problems) report({ view: extension, ...problem })
      return root
    }
    specs.set(extension, parsed.root)
    const extended = extendArch(root, parsed.root, budget)
    for (const { expr, line, reason } of extended.problems) {
      report({ view: extension, expr, reason, ...(line === undefined ? {} : { line }) })
    }
    return extended.root ?? root
  }

  const withExtensions = (root: ArchNode, parent: ViewRow): ArchNode =>
    (index.extensions.get(parent.id) ?? []).reduce((tree, extension) => {
      if (family.has(extension)) return tree
      family.add(extension)
      return withExtensions(extend(tree, extension), extension)
    }, root)

  const own = (row: ViewRow): ArchNode | null => {
    if (family.has(row)) {
      report({ view: row, reason: 'is a copy of itself.' })
      return null
    }
    family.add(row)
    if (row.inheritId === null) return parseRoot(row, report)
    const parent = primaryOf(index, row.inheritId)
    const copied = parent === null ? null : own(parent)
    if (copied === null || parent === null) {
      report({ view: row, reason: 'The view it starts from is missing or switched off.' })
      return null
    }
    return extend(withExtensions(copied, parent), row)
  }

  const root = own(view)
  return { root: root === null ? null : withExtensions(root, view), problems, family: [...family], specs }
}

export const originOf = ({ id, module }: Pick<ViewRow, 'id' | 'module'>): ArchOrigin => ({
  addon: module ?? '',
  viewId: id,
})

function parseRoot(row: ViewRow, report: (problem: ViewProblem) => void): ArchNode | null {
  const parsed = parseArch(row.arch, originOf(row))
  if ('root' in parsed) return parsed.root
  for (const problem of parsed.problems) report({ view: row, ...problem })
  return null
}

/** The view itself, or the primary view that an extension finally changes; null if there is none in use. */
export function primaryOf({ views }: ViewIndex, id: number): ViewRow | null {
  const seen = new Set<number>()
  let row = views.get(id)
  while (row?.mode === 'extension' && row.inheritId !== null && !seen.has(row.id)) {
    seen.add(row.id)
    row = views.get(row.inheritId)
  }
  return row?.mode === 'primary' ? row : null
}
