import type { Field } from '../model/field.ts'
import type { Model } from '../model/registry.ts'
import { type DomainNode, isPattern, not, or, TRUE } from './ast.ts'
import { compare, isOneOf, isUnset, listOf, readInteger, readText, unsupported } from './operand.ts'
import { type Leaf, refuseOperator, refuseValue } from './parsing.ts'
import { hop, targetOf } from './relation.ts'

/** Ids are compared as they are; text is looked for in the display names of the linked records. */
export function parseRelation(leaf: Leaf): DomainNode {
  const { operator, value } = leaf
  if (isPattern(operator)) {
    if (isUnset(leaf)) return operator.startsWith('=') ? not(isLinked(leaf)) : isLinked(leaf)
    return linkedTo(leaf, compare(displayName(leaf), operator, readText(leaf, value)))
  }
  if (operator === '=') return linkedToOneOf(leaf, [readTarget(leaf, value)])
  if (operator === 'in')
    return linkedToOneOf(
      leaf,
      listOf(leaf).map((item, index) => readTarget(leaf, item, index)),
    )
  return unsupported(leaf)
}

function readTarget(leaf: Leaf, value: unknown, index?: number): number | string | null {
  if (isUnset(leaf, value)) return null
  if (typeof value === 'string') return readText(leaf, value, index)
  if (typeof value === 'number') return readInteger(leaf, value, index)
  return refuseValue(leaf, 'expected an id, a name or null', index)
}

function linkedToOneOf(leaf: Leaf, targets: readonly (number | string | null)[]): DomainNode {
  const names = targets.filter((target) => typeof target === 'string')
  const byName = names.length === 0 ? [] : [linkedTo(leaf, isOneOf(displayName(leaf), names))]
  const rest = targets.filter((target) => typeof target !== 'string')
  if (rest.length === 0 && names.length > 0) return byName[0]!
  if (leaf.field.relation!.kind === 'many2one') {
    return or([rest.length === 1 ? compare(leaf, '=', rest[0] ?? null) : isOneOf(leaf, rest), ...byName])
  }
  const ids = rest.filter((target) => target !== null)
  const byId = ids.length > 0 || rest.length === 0 ? [linkedTo(leaf, hasId(targetOf(leaf), leaf, ids))] : []
  return or([...byId, ...(rest.includes(null) ? [not(isLinked(leaf))] : []), ...byName])
}

const linkedTo = (leaf: Leaf, where: DomainNode) => hop(leaf.parsing.registry, leaf.model, leaf.field, where)

const isLinked = (leaf: Leaf): DomainNode =>
  leaf.field.relation!.kind === 'many2one' ? not(compare(leaf, '=', null)) : linkedTo(leaf, TRUE)

const hasId = (model: Model, leaf: Leaf, ids: readonly number[]): DomainNode =>
  isOneOf({ ...leaf, model, field: model.fields.get('id')! }, ids)

/** The same condition, on the display name of the linked records. */
function displayName(leaf: Leaf): Leaf {
  const model = targetOf(leaf)
  return { ...leaf, model, field: model.fields.get('display_name')! }
}

/** On `id` in the tree of the model itself, on a relation in the tree of its target. */
export function parseHierarchy(leaf: Leaf, direction: 'child_of' | 'parent_of'): DomainNode {
  const isOwn = leaf.field.name === 'id'
  if (!isOwn && leaf.field.relation === null) return unsupported(leaf)
  const model = isOwn ? leaf.model : targetOf(leaf)
  const parentField = isOwn ? parentOf(model) : (selfRelation(leaf, model) ?? parentOf(model))
  if (parentField?.column == null) return refuseOperator(leaf, `${model.name} is not a tree`)
  const below = {
    kind: 'hierarchy',
    direction,
    model: model.name,
    parentField,
    start: parseStart(leaf, model),
  } as const
  return isOwn ? below : linkedTo(leaf, below)
}

const parentOf = (model: Model): Field | undefined => model.fields.get(model.parentField ?? '')

/** A relation of a model onto itself is a tree of its own. */
function selfRelation({ field, model }: Leaf, target: Model): Field | undefined {
  const relation = field.relation!
  if (target !== model || relation.kind === 'many2many') return undefined
  return relation.kind === 'many2one' ? field : target.fields.get(relation.inverse)
}

function parseStart(leaf: Leaf, model: Model): DomainNode {
  const values = Array.isArray(leaf.value) ? listOf(leaf) : [leaf.value]
  const targets = values.map((value, index) => readStart(leaf, value, Array.isArray(leaf.value) ? index : undefined))
  const ids = targets.filter((target) => typeof target === 'number')
  const names = targets.filter((target) => typeof target === 'string')
  const named = { ...leaf, model, field: model.fields.get('display_name')! }
  return or([hasId(model, leaf, ids), ...(names.length > 0 ? [isOneOf(named, names)] : [])])
}

function readStart(leaf: Leaf, value: unknown, index?: number): number | string | null {
  if (value === null || value === false || value === '') return null
  return typeof value === 'string' ? readText(leaf, value, index) : readInteger(leaf, value, index)
}
