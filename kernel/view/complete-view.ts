import { fullXmlid } from '../data/xmlid.ts'
import type { Field } from '../model/fields/field.ts'
import type { Model, Registry } from '../model/registry.ts'
import { type ArchNode, isElement, isViewType } from './arch/arch.ts'

/** Where missing parts of a definition are taken from. */
export interface Completion {
  readonly registry: Registry
  readonly actionIdByXmlid: ReadonlyMap<string, number>
  /** The list of a model, for lines of a form without one. */
  readonly listOf: (model: string) => ArchNode | null
}

/** The view with lists for lines that have none of their own, and with ids where buttons name actions; unknown actions are removed. */
export function completeView(completion: Completion, model: Model, root: ArchNode): ArchNode {
  const fill = (node: ArchNode, owner: Model, inForm: boolean): ArchNode | null => {
    if (node.tag === 'button' && node.attrs['type'] === 'action') return withActionId(completion, node)
    const field = node.tag === 'field' ? owner.fields.get(node.attrs['name'] ?? '') : undefined
    const inner = field?.relation ? completion.registry.model(field.relation.target) : owner
    const children = node.children
      .map((child) =>
        isElement(child)
          ? fill(child, inner ?? owner, child.tag === 'form' || (inForm && !isViewType(completion.registry, child.tag)))
          : child,
      )
      .filter((child) => child !== null)
    const lines = inForm && field !== undefined && children.length === 0 ? linesOf(completion, node, field) : null
    return { ...node, children: lines === null ? children : [lines] }
  }
  return fill(root, model, root.tag === 'form') ?? root
}

function withActionId({ actionIdByXmlid }: Completion, node: ArchNode): ArchNode | null {
  const id = actionIdByXmlid.get(fullXmlid(node.addon, node.attrs['name'] ?? '') ?? '')
  return id === undefined ? null : { ...node, attrs: { ...node.attrs, name: String(id) } }
}

/** The list for the lines of a field; null for a field with a widget, which draws its records itself. */
function linesOf({ listOf }: Completion, node: ArchNode, { relation }: Field): ArchNode | null {
  if (relation?.kind !== 'one2many' || node.attrs['widget'] !== undefined) return null
  const list = listOf(relation.target)
  return (
    list && {
      ...list,
      children: list.children.filter((child) => !isElement(child) || child.attrs['name'] !== relation.inverse),
    }
  )
}
