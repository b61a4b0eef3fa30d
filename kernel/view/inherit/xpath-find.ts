import { type Budget, type EditNode, editNodes, isText, spend } from './edit-tree.ts'
import type { Predicate, PredicateTerm, Step, XPath } from './xpath.ts'

/** The first match in document order. Every step visits each node of the tree at most twice. */
export function findFirst(path: XPath, root: EditNode, budget: Budget): EditNode | null {
  // XPath begins above the root element.
  const document: EditNode = { ...root, tag: '', attrs: new Map(), children: [root], parent: null }
  let context: ReadonlySet<EditNode> = new Set([path.absolute ? document : root])
  for (const step of path.steps) {
    context = takeStep(step, context, document, budget)
    if (context.size === 0) return null
  }
  for (const node of editNodes(root)) {
    spend(budget, 1)
    if (context.has(node)) return node
  }
  return null
}

function takeStep(step: Step, context: ReadonlySet<EditNode>, document: EditNode, budget: Budget): Set<EditNode> {
  if (step.test === '.') return new Set(context)
  const found = new Set<EditNode>()
  if (step.test === '..') {
    for (const node of context) if (node !== document) found.add(node.parent ?? document)
    return found
  }
  for (const node of step.deep ? withDescendants(context, budget) : context) {
    for (const child of select(step, node, budget)) found.add(child)
  }
  return found
}

/** Nodes and all below them, each once, however the nodes lie in each other. */
function withDescendants(nodes: ReadonlySet<EditNode>, budget: Budget): Set<EditNode> {
  const seen = new Set<EditNode>()
  const visit = (node: EditNode): void => {
    if (seen.has(node)) return
    spend(budget, 1)
    seen.add(node)
    for (const child of node.children) if (!isText(child)) visit(child)
  }
  for (const node of nodes) visit(node)
  return seen
}

/** Children of one node; positions count among those that the test and the predicates before have left. */
function select(step: Step, node: EditNode, budget: Budget): EditNode[] {
  spend(budget, node.children.length)
  let chosen = node.children.filter(
    (child): child is EditNode => !isText(child) && (step.test === '*' || child.tag === step.test),
  )
  for (const predicate of step.predicates) {
    spend(budget, chosen.length * predicate.length)
    const count = chosen.length
    chosen = chosen.filter((child, index) => holds(predicate, child, index, count))
  }
  return chosen
}

const holds = (predicate: Predicate, node: EditNode, index: number, count: number): boolean =>
  predicate.every((term) => holdsTerm(term, node, index, count))

function holdsTerm(term: PredicateTerm, node: EditNode, index: number, count: number): boolean {
  switch (term.kind) {
    case 'attribute':
      return term.value === null ? node.attrs.has(term.name) : node.attrs.get(term.name) === term.value
    case 'position':
      return index + 1 === (term.position === 'last' ? count : term.position)
    case 'class':
      return (node.attrs.get('class') ?? '').split(/\s+/).includes(term.name)
  }
}
