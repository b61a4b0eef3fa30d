/** One element of a view, as it travels to the browser. Text between elements is kept for card templates. */
export interface ArchNode {
  readonly tag: string
  readonly attrs: Readonly<Record<string, string>>
  readonly children: readonly (ArchNode | string)[]
  /** The addon the element comes from; extensions keep theirs. */
  readonly addon: string
}

export const VIEW_TYPES = [
  'list',
  'form',
  'kanban',
  'graph',
  'pivot',
  'calendar',
  'gantt',
  'map',
  'cohort',
  'search',
] as const

export type ViewType = (typeof VIEW_TYPES)[number]
/** Every kind of view that shows records. */
export type ContentViewType = Exclude<ViewType, 'search'>

export const elementsOf = (node: ArchNode): readonly ArchNode[] =>
  node.children.filter((child): child is ArchNode => typeof child !== 'string')
