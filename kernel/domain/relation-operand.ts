import type { Field } from '../model/fields/field.ts'
import type { Model } from '../model/registry.ts'
import { type DomainNode, isPattern, not, or, TRUE } from './ast.ts'
import { compare, isOneOf, isUnset, readInteger, readList, readTextOperand, unsupported } from './operand.ts'
import { type Leaf, refuseOperator, refuseValue } from './parsing.ts'
import { hop, targetOf } from './relation.ts'

/** Numbers are compared with ids; text is searched in the display names of the linked records. */
export function parseRelation(leaf: Leaf): DomainNode {
  const { operator, value } = leaf
  if (operator === '=') return linkedToOneOf(leaf, [readTarget(leaf, value)])
  if (operator === 'in') {
    const targets = readList(leaf).map((item, index) => readTarget(leaf, item, index))
    return linkedToOneOf(leaf, targets)
  }
  if (!isPattern(operator)) return unsupported(leaf)
  if (isUnset(leaf)) return operator.startsWith('=') ? not(isLinked(leaf)) : isLinked(leaf)
  return linkedTo(leaf, compare(nameOf(leaf, targetOf(leaf)), operator, readTextOperand(leaf, value)))
}

function readTarget(leaf: Leaf, value: unknown, index?: number): number | string | null {
  if (isUnset(leaf, value)) return null
  if (typeof value === 'string') return readTextOperand(leaf, value, index)
  if (typeof value === 'number') return readInteger(leaf, value, index)
  return refuseValue(leaf, 'expected an id, a name or null', index)
}

function linkedToOneOf(leaf: Leaf, targets: readonly (number | string | null)[]): DomainNode {
  const names = targets.filter((target) => typeof target === 'string')
  const byName = names.length === 0 ? [] : [linkedTo(leaf, isOneOf(nameOf(leaf, targetOf(leaf)), names))]
  const rest = targets.filter((target) => typeof target !== 'string')
  if (rest.length === 0 && names.length > 0) return byName[0]!
  if (leaf.field.relation!.kind === 'many2one') {
    return or([rest.length === 1 ? compare(leaf, '=', rest[0] ?? null) : isOneOf(leaf, rest), ...byName])
  }
  const ids = rest.filter((target) => target !== null)
  const byId = ids.length > 0 || rest.length === 0 ? [linkedTo(leaf, isOneOf(idOf(leaf, targetOf(leaf)), ids))] : []
  return or([...byId, ...(rest.includes(null) ? [not(isLinked(leaf))] : []), ...byName])
}

const linkedTo = (leaf: Leaf, where: DomainNode) => hop(leaf.parsing.registry, leaf.model, leaf.field, where)

const isLinked = (leaf: Leaf): DomainNode =>
  leaf.field.relation!.kind === 'many2one' ? not(compare(leaf, '=', null)) : linkedTo(leaf, TRUE)

/** The condition as one on the id or display name of the linked record. */
const idOf = (leaf: Leaf, model: Model): Leaf => ({ ...leaf, model, field: model.fields.get('id')! })
const nameOf = (leaf: Leaf, model: Model): Leaf => ({ ...leaf, model, field: model.fields.get('display_name')! })

/** On `id` in the tree of the model itself, on a relation in the tree of its target. */
export function parseHierarchy(leaf: Leaf, direction: 'child_of' | 'parent_of'): DomainNode {
  const isOwn = leaf.field.name === 'id'
  if (!isOwn && leaf.field.relation === null) return unsupported(leaf)
  const model = isOwn ? leaf.model : targetOf(leaf)
  const parentField = isOwn ? parentOf(model) : (selfRelation(leaf, model) ?? parentOf(model))
  if (parentField?.column == null) return refuseOperator(leaf, `${model.name} is not a tree`)
  const start = parseStart(leaf, model)
  const within: DomainNode = { kind: 'hierarchy', direction, model: model.name, parentField, start }
  if (isOwn) return within
  // On the parent field itself the condition is about the record, and a start record matches, too. The field is kept for the access check.
  if (parentField === leaf.field) return { kind: 'rewritten', model: model.name, field: leaf.field, item: within }
  return linkedTo(leaf, within)
}

const parentOf = (model: Model): Field | undefined => model.fields.get(model.parentField ?? '')

/** A relation of a model to itself defines its own hierarchy. */
function selfRelation({ field, model }: Leaf, target: Model): Field | undefined {
  const relation = field.relation!
  if (target !== model || relation.kind === 'many2many') return undefined
  return relation.kind === 'many2one' ? field : target.fields.get(relation.inverse)
}

function parseStart(leaf: Leaf, model: Model): DomainNode {
  const starts = Array.isArray(leaf.value)
    ? readList(leaf).map((value, index) => readStart(leaf, value, index))
    : [readStart(leaf, leaf.value)]
  const ids = starts.filter((start) => typeof start === 'number')
  const names = starts.filter((start) => typeof start === 'string')
  return or([isOneOf(idOf(leaf, model), ids), ...names.map((name) => compare(nameOf(leaf, model), 'ilike', name))])
}

function readStart(leaf: Leaf, value: unknown, index?: number): number | string | null {
  if (value === null || value === false || value === '') return null
  return typeof value === 'string' ? readTextOperand(leaf, value, index) : readInteger(leaf, value, index)
}
