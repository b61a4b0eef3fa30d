import type { ArchNode } from '../view/arch/arch.ts'
import type { Model, Registry } from './registry.ts'

/** A kind of view that an addon brings, besides the built-in ones. Its name is the tag of its root and its name in addresses. */
export interface ViewKind {
  readonly name: string
  /** For tabs and choices, in English. */
  readonly label: string
  /** Elements it may hold, at whatever depth. */
  readonly elements: readonly string[]
  /** Required attributes of the root. */
  readonly required?: readonly string[]
  /** Attributes of the root that name a field of the model: they are checked, and the field is sent with the view. */
  readonly fieldAttributes?: readonly string[]
  /** Further attributes of the root and of its elements, by tag. */
  readonly attributes?: Readonly<Record<string, readonly string[]>>
  /** What is sent with the workspace: the first page of records, or only their number. */
  readonly content: 'records' | 'count'
  /** A view for a model that has none; null, as without this function, if there is nothing to show. */
  readonly generate?: (model: Model, registry: Registry) => ArchNode | null
}

/** Declares a kind of view for the manifest of an addon. */
export const defineViewKind = (kind: ViewKind): ViewKind => Object.freeze(kind)

const NAME = /^[a-z][a-z0-9_]{1,38}$/
/** Names of the built-in kinds, and of a tile that is no view. */
const TAKEN: ReadonlySet<string> = new Set([
  ...['list', 'form', 'kanban', 'graph', 'pivot', 'calendar', 'gantt', 'map', 'cohort', 'search', 'figure'],
])

interface AddonKinds {
  readonly name: string
  readonly viewKinds?: readonly ViewKind[]
}

/** The kinds of all addons by name; reports those that are named twice or lack a part. */
export function joinViewKinds(
  addons: readonly AddonKinds[],
  report: (problem: string) => void,
): ReadonlyMap<string, ViewKind> {
  const kinds = new Map<string, ViewKind>()
  for (const { name: addon, viewKinds = [] } of addons) {
    for (const kind of viewKinds) {
      const problem = kindProblem(kind, kinds)
      if (problem === null) kinds.set(kind.name, kind)
      else report(`${addon}: ${problem}`)
    }
  }
  return kinds
}

function kindProblem(kind: ViewKind, known: ReadonlyMap<string, ViewKind>): string | null {
  const { name, label, elements, required = [], content } = kind
  if (!NAME.test(name)) return `"${name}" is no name of a view kind; it looks like timeline`
  if (TAKEN.has(name) || known.has(name)) return `there is a view kind ${name} already`
  if (label.trim() === '') return `the view kind ${name} needs a label`
  if (!Array.isArray(elements)) return `the view kind ${name} needs the elements it may hold`
  if (content !== 'records' && content !== 'count') return `the view kind ${name} needs content: 'records' or 'count'`
  const unnamed = required.filter((attribute) => !/^[a-z][a-z0-9_]*$/.test(attribute))
  return unnamed.length === 0 ? null : `the view kind ${name} requires unusable attributes: ${unnamed.join(', ')}`
}
