import type { ArchNode } from '../arch/arch.ts'
import { VIEW_LIMITS } from '../arch/parse-arch.ts'
import { editAttributes } from './edit-attributes.ts'
import {
  type Budget,
  BudgetSpent,
  copyTree,
  detach,
  type EditNode,
  editNodes,
  insertAt,
  isText,
  measure,
  spend,
  toArch,
  toEditTree,
} from './edit-tree.ts'
import { describeSpec, locate } from './locate.ts'

/** One change that does not fit the view. */
export interface SpecProblem {
  readonly expr: string
  readonly line: number | undefined
  readonly reason: string
}

export type Extended =
  | { readonly root: ArchNode; readonly problems: readonly [] }
  /** Every change that does not fit; the view stays as it was. */
  | { readonly root: null; readonly problems: readonly SpecProblem[] }

/** Applies the changes below `<data>` to a view, all of them or none. Inserted nodes keep their own addon. */
export function extendArch(root: ArchNode, data: ArchNode, budget: Budget): Extended {
  const problems: SpecProblem[] = []
  try {
    let tree = toEditTree(root, budget)
    for (const spec of specsOf(toEditTree(data, budget))) {
      const report = (reason: string) => problems.push({ expr: describeSpec(spec), line: spec.source?.line, reason })
      tree = applySpec(tree, spec, budget, report)
    }
    const { nodes, depth, chars } = measure(tree)
    if (nodes > VIEW_LIMITS.nodes || depth > VIEW_LIMITS.depth || chars > VIEW_LIMITS.bytes) {
      problems.push({ expr: '<data>', line: undefined, reason: 'makes the view too large or too deep.' })
    }
    return problems.length > 0 ? { root: null, problems } : { root: toArch(tree), problems: [] }
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error
    return { root: null, problems: [...problems, { expr: '<data>', line: undefined, reason: error.message }] }
  }
}

const specsOf = (data: EditNode): EditNode[] =>
  data.children.flatMap((child) => (isText(child) ? [] : child.tag === 'data' ? specsOf(child) : [child]))

type Report = (reason: string) => void

/** Returns the root, which a replacement may have changed. */
function applySpec(root: EditNode, spec: EditNode, budget: Budget, report: Report): EditNode {
  const target = locate(spec, root, budget)
  if (isText(target)) {
    report(target)
    return root
  }
  const position = spec.attrs.get('position') ?? 'inside'
  if (position === 'attributes') {
    for (const problem of editAttributes(target, spec)) report(problem)
    return root
  }
  const place = PLACES.get(position)
  if (place === undefined) {
    report(
      position === 'move'
        ? 'position="move" stands directly inside another change.'
        : `There is no position "${position}".`,
    )
    return root
  }
  const content = takeContent(root, spec, target, budget, report)
  return content === null ? root : place({ root, spec, target, content, budget, report })
}

interface Placing {
  readonly root: EditNode
  readonly spec: EditNode
  readonly target: EditNode
  readonly content: readonly (EditNode | string)[]
  readonly budget: Budget
  readonly report: Report
}

type Place = (placing: Placing) => EditNode

const PLACES: ReadonlyMap<string, Place> = new Map<string, Place>([
  ['inside', ({ root, target, content }) => insertInto(root, target, target.children.length, content)],
  ['before', (placing) => placeBeside(placing, 0)],
  ['after', (placing) => placeBeside(placing, 1)],
  [
    'replace',
    (placing) => (placing.spec.attrs.get('mode') === 'inner' ? replaceContent(placing) : replaceNode(placing)),
  ],
])

function insertInto(root: EditNode, parent: EditNode, index: number, nodes: readonly (EditNode | string)[]): EditNode {
  insertAt(parent, index, nodes)
  return root
}

function placeBeside({ root, target, content, report }: Placing, offset: 0 | 1): EditNode {
  const { parent } = target
  if (parent !== null) return insertInto(root, parent, parent.children.indexOf(target) + offset, content)
  report('Nothing can stand beside the root of a view.')
  return root
}

function replaceContent({ root, target, content, report }: Placing): EditNode {
  if (content.some(mentionsReplaced)) report('$0 stands for a replaced node, which mode="inner" keeps.')
  target.children = []
  return insertInto(root, target, 0, content)
}

/** Text beside the node is not part of it, so it stays where it is. */
function replaceNode({ root, spec, target, content, budget, report }: Placing): EditNode {
  const mode = spec.attrs.get('mode')
  if (mode !== undefined && mode !== 'outer') report(`There is no mode "${mode}".`)
  const filled = content.flatMap((node) => fillReplaced(node, target, budget))
  const { parent } = target
  if (parent !== null) {
    const index = parent.children.indexOf(target)
    detach(target)
    return insertInto(root, parent, index, filled)
  }
  const [only, ...others] = filled.filter((node): node is EditNode => !isText(node))
  if (only === undefined || others.length > 0) {
    report('The root of a view is replaced by exactly one element.')
    return root
  }
  only.parent = null
  return only
}

const mentionsReplaced = (node: EditNode | string): boolean =>
  isText(node) ? node.includes('$0') : node.children.some(mentionsReplaced)

/** The content with a copy of the replaced node wherever its text says `$0`. */
function fillReplaced(node: EditNode | string, replaced: EditNode, budget: Budget): (EditNode | string)[] {
  if (!isText(node)) {
    node.children = node.children.flatMap((child) => fillReplaced(child, replaced, budget))
    for (const child of node.children) if (!isText(child)) child.parent = node
    return [node]
  }
  return node.split('$0').flatMap((text, index) => {
    const shown = text.trim() === '' ? [] : [text]
    return index === 0 ? shown : [copyTree(replaced, budget), ...shown]
  })
}

/** The content of a spec: its children, with nodes to move taken out of their place. Null if one cannot be moved. */
function takeContent(
  root: EditNode,
  spec: EditNode,
  target: EditNode,
  budget: Budget,
  report: Report,
): readonly (EditNode | string)[] | null {
  const content: (EditNode | string)[] = []
  for (const child of spec.children) {
    if (isText(child) || child.attrs.get('position') === undefined) {
      if (!isText(child) && hasPosition(child)) report('position="move" stands directly inside another change.')
      content.push(child)
      continue
    }
    if (child.attrs.get('position') !== 'move') {
      report(`Inside a change only position="move" is possible, not "${child.attrs.get('position')}".`)
      return null
    }
    if (child.children.some((inner) => !isText(inner) || inner.trim() !== '')) {
      report(`${describeSpec(child)}: position="move" takes the element as it is, without content.`)
      return null
    }
    const moved = locate(child, root, budget)
    if (isText(moved) || contains(moved, target) || moved.parent === null) {
      report(`${describeSpec(child)}: ${isText(moved) ? moved : 'cannot be moved into or beside itself.'}`)
      return null
    }
    spend(budget, 1)
    detach(moved)
    content.push(moved)
  }
  return content
}

const hasPosition = (node: EditNode): boolean => [...editNodes(node)].some(({ attrs }) => attrs.has('position'))

const contains = (node: EditNode, other: EditNode): boolean => {
  for (let at: EditNode | null = other; at !== null; at = at.parent) if (at === node) return true
  return false
}
