import type { ArchNode, ArchSource } from '../arch/arch.ts'

/** An element while extensions change the tree it is in: it knows its parent, and every place has a node of its own. */
export interface EditNode {
  readonly tag: string
  readonly attrs: Map<string, string>
  children: (EditNode | string)[]
  parent: EditNode | null
  readonly addon: string
  readonly source: ArchSource | undefined
  /** Where attributes set by another view were read. */
  readonly attrSources: Map<string, ArchSource>
}

/** Counts what applying extensions costs, so that no definition can make it cost much. */
export interface Budget {
  left: number
}

/** Work one view may cost, in visits of nodes. A view of the largest size is read with a hundredth of it. */
export const VIEW_BUDGET = 200_000

/** What an extension costs to read, for each character of it. */
export const READ_COST = 0.5

/** What copying a node costs: copies stay and are visited again, so a view that doubles itself ends early. */
const COPY_COST = 50

export const COSTS_TOO_MUCH = 'Costs too much to apply.'

export class BudgetSpent extends Error {}

export function spend(budget: Budget, work: number): void {
  budget.left -= work
  if (budget.left < 0) throw new BudgetSpent(COSTS_TOO_MUCH)
}

export function toEditTree(node: ArchNode, budget: Budget, parent: EditNode | null = null): EditNode {
  spend(budget, 1)
  const { tag, addon, source } = node
  const attrSources = new Map(Object.entries(node.attrSources ?? {}))
  const attrs = new Map(Object.entries(node.attrs))
  const made: EditNode = { tag, attrs, children: [], parent, addon, source, attrSources }
  made.children = node.children.map((child) => (isText(child) ? child : toEditTree(child, budget, made)))
  return made
}

export function copyTree(node: EditNode, budget: Budget, parent: EditNode | null = null): EditNode {
  spend(budget, COPY_COST)
  const made: EditNode = {
    ...node,
    attrs: new Map(node.attrs),
    attrSources: new Map(node.attrSources),
    children: [],
    parent,
  }
  made.children = node.children.map((child) => (isText(child) ? child : copyTree(child, budget, made)))
  return made
}

export function toArch({ tag, attrs, children, addon, source, attrSources }: EditNode): ArchNode {
  const node = {
    tag,
    attrs: Object.fromEntries(attrs),
    children: children.map((child) => (isText(child) ? child : toArch(child))),
    addon,
  }
  const changed = attrSources.size === 0 ? {} : { attrSources: Object.fromEntries(attrSources) }
  return source === undefined ? { ...node, ...changed } : { ...node, source, ...changed }
}

export const isText = (node: unknown): node is string => typeof node === 'string'

/** Puts nodes among the children of `parent`, before the one that is at `index` now. */
export function insertAt(parent: EditNode, index: number, nodes: readonly (EditNode | string)[]): void {
  for (const node of nodes) if (!isText(node)) node.parent = parent
  parent.children.splice(index, 0, ...nodes)
}

/** Takes a node out of its parent. */
export function detach(node: EditNode): void {
  const siblings = node.parent?.children
  siblings?.splice(siblings.indexOf(node), 1)
  node.parent = null
}

/** In document order. */
export function* editNodes(node: EditNode): Generator<EditNode> {
  yield node
  for (const child of node.children) if (!isText(child)) yield* editNodes(child)
}

export interface TreeSize {
  readonly nodes: number
  readonly depth: number
  /** Characters of text and attributes. */
  readonly chars: number
}

export function measure(node: EditNode, depth = 1): TreeSize {
  let nodes = 1
  let deepest = depth
  let chars = node.tag.length
  for (const [name, value] of node.attrs) chars += name.length + value.length
  for (const child of node.children) {
    if (isText(child)) {
      chars += child.length
      continue
    }
    const below = measure(child, depth + 1)
    nodes += below.nodes
    chars += below.chars
    deepest = Math.max(deepest, below.depth)
  }
  return { nodes, depth: deepest, chars }
}
