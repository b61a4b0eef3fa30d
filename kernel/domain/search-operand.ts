import { AppError } from '../errors.ts'
import type { Field } from '../model/fields/field.ts'
import type { DatePart } from '../model/models.ts'
import { type Leaf, type Parsed, refuseDomain, refusePath, refuseValue, requireFewValues } from './parsing.ts'

const isPlainLink = (field: Field) => field.relation !== null && field.relation.kind !== 'many2one' && !field.compute

/** Whether the field has no stored values, so that only its `search` function can search it. */
export const isSearched = (field: Field): boolean =>
  field.column === null && field.related === null && field.name !== 'display_name' && !isPlainLink(field)

/** Replaces the condition by the domain that the field's `search` returns; for `any` it gets the domain inside. */
export function parseSearch(leaf: Leaf, part: DatePart | null): Parsed {
  const { parsing, field, model, operator, value, at, hops } = leaf
  if (field.compute?.search == null || parsing.searchComputed === undefined || part !== null) {
    return refusePath(leaf, `"${field.name}" of ${model.name} is computed and cannot be searched`)
  }
  if (operator !== 'any' && operator !== 'not any') checkShape(leaf)
  try {
    const wire = parsing.searchComputed(field, operator, value)
    // The domain comes from the addon, so it has its own limit of conditions. Counting it as a hop ends a `search` that
    // searches its own field.
    const inner = { ...parsing, named: undefined, used: { ...parsing.used, leaves: 0 } }
    const { node, depth } = parsing.list(inner, wire, model, at, hops + 1)
    return { node: { kind: 'rewritten', model: model.name, field, item: node }, depth: depth + 1 }
  } catch (error) {
    // The caller does not know the addon's domain, so a position in it would not help.
    if (!(error instanceof AppError) || error.code !== 'BAD_REQUEST') throw error
    return refuseDomain(at, `"${field.name}" of ${model.name} cannot be searched like this`)
  }
}

function checkShape(leaf: Leaf): void {
  const values: readonly unknown[] = Array.isArray(leaf.value) ? leaf.value : [leaf.value]
  requireFewValues(leaf, values.length)
  if (values.some((value) => typeof value === 'object' && value !== null)) {
    refuseValue(leaf, 'expected a value or a list of values')
  }
}
