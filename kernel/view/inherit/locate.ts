import { type Budget, type EditNode, editNodes, spend } from './edit-tree.ts'
import { parseXPath, XPathError } from './xpath.ts'
import { findFirst } from './xpath-find.ts'

/** Attributes that say what to do with the located node, never which one it is. */
const INSTRUCTIONS: ReadonlySet<string> = new Set(['position', 'mode'])

/** The node a spec is about, or a sentence saying why there is none. */
export function locate(spec: EditNode, root: EditNode, budget: Budget): EditNode | string {
  if (spec.tag === 'xpath') return locateByPath(spec, root, budget)
  const name = spec.attrs.get('name')
  const wanted =
    spec.tag === 'field'
      ? [['name', name ?? ''] as const]
      : [...spec.attrs].filter(([attribute]) => !INSTRUCTIONS.has(attribute))
  if (spec.tag === 'field' && !name) return '<field> needs a name to be located by.'
  for (const node of editNodes(root)) {
    spend(budget, 1)
    if (node.tag === spec.tag && wanted.every(([key, value]) => node.attrs.get(key) === value)) return node
  }
  return 'matches nothing in the view.'
}

function locateByPath(spec: EditNode, root: EditNode, budget: Budget): EditNode | string {
  const unknown = [...spec.attrs.keys()].find((name) => name !== 'expr' && !INSTRUCTIONS.has(name))
  if (unknown !== undefined) return `<xpath> has no attribute "${unknown}".`
  const expr = spec.attrs.get('expr')
  if (!expr) return '<xpath> needs an expr.'
  try {
    return findFirst(parseXPath(expr), root, budget) ?? 'matches nothing in the view.'
  } catch (error) {
    if (error instanceof XPathError) return error.message
    throw error
  }
}

/** How people find a spec in its file: the expression, or the tag with what it is located by. */
export function describeSpec(spec: EditNode): string {
  const expr = spec.tag === 'xpath' ? spec.attrs.get('expr') : undefined
  if (expr) return expr.slice(0, 200)
  const attributes = [...spec.attrs].filter(([name]) => !INSTRUCTIONS.has(name))
  return `<${[spec.tag, ...attributes.map(([name, value]) => `${name}="${value.slice(0, 80)}"`)].join(' ')}>`
}
