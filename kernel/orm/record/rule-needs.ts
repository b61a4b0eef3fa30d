import type { DomainNode } from '../../domain/ast.ts'
import type { Field } from '../../model/fields/field.ts'

/** The fields of a model that conditions compare, and the relations they follow. */
export interface Needs {
  readonly model: string
  readonly fields: ReadonlyMap<string, Field>
  readonly links: ReadonlyMap<string, Link>
}

interface Link {
  readonly field: Field
  /** What is needed of the linked records; for the parent in a hierarchy, the needs of the record itself. */
  readonly needs: Needs
}

/** Everything that these conditions on records of a model read. */
export function needsOf(model: string, conditions: readonly DomainNode[]): Needs {
  const fields = new Map<string, Field>()
  const links = new Map<string, Link>()
  const needs: Needs = { model, fields, links }
  const hops = new Map<string, { readonly field: Field; readonly wheres: DomainNode[] }>()
  const collect = (node: DomainNode): void => {
    switch (node.kind) {
      case 'constant':
        break
      case 'and':
      case 'or':
        node.items.forEach(collect)
        break
      case 'not':
      case 'rewritten':
        collect(node.item)
        break
      case 'compare':
        fields.set(node.field.name, node.field)
        break
      case 'any': {
        const { name } = node.field
        if (links.has(name)) collect(node.where)
        else hops.set(name, { field: node.field, wheres: [...(hops.get(name)?.wheres ?? []), node.where] })
        break
      }
      case 'hierarchy': {
        const { name } = node.parentField
        const asked = hops.get(name)?.wheres ?? []
        hops.delete(name)
        links.set(name, { field: node.parentField, needs })
        for (const each of [...asked, node.start]) collect(each)
      }
    }
  }
  conditions.forEach(collect)
  for (const [name, { field, wheres }] of hops)
    links.set(name, { field, needs: needsOf(field.relation!.target, wheres) })
  return needs
}

/** Whether a condition reads records that the record does not link to: `parent_of` searches the ancestors of other records. */
export function asksForOthers(node: DomainNode): boolean {
  switch (node.kind) {
    case 'constant':
    case 'compare':
      return false
    case 'and':
    case 'or':
      return node.items.some(asksForOthers)
    case 'not':
    case 'rewritten':
      return asksForOthers(node.item)
    case 'any':
      return asksForOthers(node.where)
    case 'hierarchy':
      return node.direction === 'parent_of' || asksForOthers(node.start)
  }
}
