import { AppError } from '../errors.ts'
import type { Field } from '../model/fields/field.ts'
import type { DatePart } from '../model/models.ts'
import { type Leaf, type Parsed, refuseDomain, refusePath, refuseValue, requireFewValues } from './parsing.ts'

const isPlainLink = (field: Field) => field.relation !== null && field.relation.kind !== 'many2one' && !field.compute

/** Whether the field has no values in the database to compare, so that only its own `search` can answer. */
export const isSearched = (field: Field): boolean =>
  field.column === null && field.related === null && field.name !== 'display_name' && !isPlainLink(field)

/** Asks the field for the domain that its condition stands for; `any` hands over the domain inside. */
export function parseSearch(leaf: Leaf, part: DatePart | null): Parsed {
  const { parsing, field, model, operator, value, at, hops } = leaf
  if (field.compute?.search == null || parsing.searchComputed === undefined || part !== null) {
    return refusePath(leaf, `"${field.name}" of ${model.name} is computed and cannot be searched`)
  }
  if (operator !== 'any' && operator !== 'not any') checkShape(leaf)
  try {
    const wire = parsing.searchComputed(field, operator, value)
    // Written by the addon, so it has its own allowance of conditions; the hop keeps a search of itself from going on forever.
    const inner = { ...parsing, named: undefined, used: { ...parsing.used, leaves: 0 } }
    const { node, depth } = parsing.list(inner, wire, model, at, hops + 1)
    return { node: { kind: 'rewritten', model: model.name, field, item: node }, depth: depth + 1 }
  } catch (error) {
    // A position in the addon's domain would tell the caller nothing.
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
