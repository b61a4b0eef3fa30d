import type { Registry } from '../../model/registry.ts'

/** One element of a view, as it travels to the browser. Text between elements is kept for card templates. */
export interface ArchNode {
  readonly tag: string
  readonly attrs: Readonly<Record<string, string>>
  readonly children: readonly (ArchNode | string)[]
  /** The addon the element comes from; extensions keep theirs. */
  readonly addon: string
  /** Where it was read; not sent to browsers. */
  readonly source?: ArchSource
  /** Where attributes set by another view were read; not sent to browsers. */
  readonly attrSources?: Readonly<Record<string, ArchSource>>
}

/** A line in the definition of a view. */
export interface ArchSource {
  readonly viewId: number
  readonly line: number
}

/** Kinds of view with their names; the tag of a view's root is its kind. */
export const VIEW_TYPE_LABELS = {
  list: 'List',
  form: 'Form',
  kanban: 'Kanban',
  graph: 'Graph',
  pivot: 'Pivot',
  calendar: 'Calendar',
  gantt: 'Gantt',
  map: 'Map',
  cohort: 'Cohort',
  search: 'Search',
} as const

export type BuiltInViewType = keyof typeof VIEW_TYPE_LABELS

/** A kind of view by its name: a built-in one, or one of an addon. */
export type ViewType = BuiltInViewType | (string & {})

// `Object.keys` returns strings to the type checker, but only these keys exist.
export const VIEW_TYPES = Object.keys(VIEW_TYPE_LABELS) as readonly BuiltInViewType[]
/** Every kind of view that shows records. */
export type ContentViewType = ViewType

type Kinds = Pick<Registry, 'viewKinds'>

const isBuiltIn = (text: string): text is BuiltInViewType => Object.hasOwn(VIEW_TYPE_LABELS, text)

export const isViewType = ({ viewKinds }: Kinds, text: string): boolean => isBuiltIn(text) || viewKinds.has(text)

export const isContentViewType = (kinds: Kinds, text: string): boolean => isViewType(kinds, text) && text !== 'search'

/** All kinds that show records, the built-in ones first. */
export const contentViewTypes = ({ viewKinds }: Kinds): readonly ContentViewType[] => [
  ...VIEW_TYPES.filter((type) => type !== 'search'),
  ...viewKinds.keys(),
]

/** The label of a kind of view, in English. */
export const viewTypeLabel = ({ viewKinds }: Kinds, type: ViewType): string =>
  isBuiltIn(type) ? VIEW_TYPE_LABELS[type] : (viewKinds.get(type)?.label ?? type)

export const elementsOf = (node: ArchNode): readonly ArchNode[] => node.children.filter(isElement)

export const isElement = (node: ArchNode | string): node is ArchNode => typeof node !== 'string'

/** The node and every element below it, in document order. */
export function* elementsBelow(node: ArchNode): Generator<ArchNode> {
  yield node
  for (const child of node.children) if (isElement(child)) yield* elementsBelow(child)
}

/** The fields that a view shows of its own record, without those of lines inside them. */
export const ownFieldNodes = (node: ArchNode): readonly ArchNode[] =>
  elementsOf(node).flatMap((child) => (child.tag === 'field' ? [child] : ownFieldNodes(child)))
