import type { ViewPlace } from '../../data/view-lines.ts'
import type { ArchNode } from '../arch/arch.ts'
import { type ArchOrigin, type ParsedArch, parseArch, parseSpecs } from '../arch/parse-arch.ts'
import type { ViewRow } from '../tables.ts'
import { type Budget, COSTS_TOO_MUCH, READ_COST, VIEW_BUDGET } from './edit-tree.ts'
import { extendArch } from './inherit.ts'

/** What is wrong with one view, or with what it does to another. */
export interface ViewProblem {
  readonly view: ViewRow
  /** The change that does not fit, in an extension. */
  readonly expr?: string
  readonly line?: number
  readonly reason: string
  /** What may be meant instead; to find it takes longer than all the rest, so it is sought for what is listed only. */
  readonly hint?: () => string
  /** A name that nothing knows. Stored views are shown all the same, so it counts only for what is installed or saved now. */
  readonly isUnknown?: true
}

/** A sentence that quotes more is cut. */
const MAX_CHARS = 500

/** One sentence for whoever has to mend it; `file`: where the view is defined, if that is known. */
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

/** Of an extension that others have left nothing for. */
const SPENT: ParsedArch = { problems: [{ line: 1, reason: COSTS_TOO_MUCH }] }

export interface Resolution {
  /** Null when the view itself cannot be read, or what it copies is gone. */
  readonly root: ArchNode | null
  /** Broken extensions were left out of the view. */
  readonly problems: readonly ViewProblem[]
  /** Every view that had a say. */
  readonly family: readonly ViewRow[]
  /** The changes of those that extend or copy another, as far as they can be read. */
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

/** The view itself, or the one an extension ends up changing; null when there is none in use. */
export function primaryOf({ views }: ViewIndex, id: number): ViewRow | null {
  const seen = new Set<number>()
  let row = views.get(id)
  while (row?.mode === 'extension' && row.inheritId !== null && !seen.has(row.id)) {
    seen.add(row.id)
    row = views.get(row.inheritId)
  }
  return row?.mode === 'primary' ? row : null
}
