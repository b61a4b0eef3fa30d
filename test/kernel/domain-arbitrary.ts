import fc, { type Arbitrary } from 'fast-check'
import type { Field } from '../../kernel/model/fields/field.ts'
import type { Model, Registry } from '../../kernel/model/registry.ts'
import { anyDecimal, anyWhole, day, instant, relativeWord, text } from './domain-values.ts'

export type WireDomain = readonly unknown[]
type Condition = readonly [path: string, operator: string, value: unknown]

/** Any domain over a model, following relations at most `hops` steps. */
export function domainOf(registry: Registry, model: string, hops: number): Arbitrary<WireDomain> {
  const known = new Map<string, Arbitrary<Condition>>()
  const conditionOf = (name: string, left: number): Arbitrary<Condition> => {
    const key = `${name} ${left}`
    if (!known.has(key)) known.set(key, buildCondition(name, left))
    return known.get(key)!
  }
  const buildCondition = (name: string, left: number) => {
    const owner = registry.model(name)!
    const fields = [...owner.fields.values()].filter(
      (each) => !each.system || ['id', 'display_name'].includes(each.name),
    )
    return fc.oneof(...fields.flatMap((each) => conditionsOn(registry, owner, each, left, conditionOf)))
  }
  return listOf(conditionOf(model, hops))
}

/** Conditions joined by prefix operators, up to three levels deep. */
function listOf(condition: Arbitrary<Condition>): Arbitrary<WireDomain> {
  let expression: Arbitrary<WireDomain> = condition.map((each) => [each])
  for (let level = 0; level < 3; level++) {
    const inner = expression
    expression = fc.oneof(
      { weight: 4, arbitrary: condition.map((each) => [each]) },
      { weight: 1, arbitrary: inner.map((items) => ['!', ...items]) },
      {
        weight: 2,
        arbitrary: fc.tuple(fc.constantFrom('&', '|'), inner, inner).map(([sign, a, b]) => [sign, ...a, ...b]),
      },
    )
  }
  return fc.oneof(
    { weight: 6, arbitrary: expression },
    { weight: 1, arbitrary: fc.array(expression, { maxLength: 3 }).map((items) => items.flat(1)) },
  )
}

type ConditionOf = (model: string, left: number) => Arbitrary<Condition>

function conditionsOn(
  registry: Registry,
  model: Model,
  field: Field,
  left: number,
  conditionOf: ConditionOf,
): Arbitrary<Condition>[] {
  const on = (operators: readonly string[], value: Arbitrary<unknown>) =>
    fc.tuple(fc.constant(field.name), fc.constantFrom(...operators), value)
  const kinds = field.type.name === 'float' ? ordered(anyDecimal) : KINDS[field.type.comparison]
  const plain = kinds.map(([operators, value]) => on(operators, value))
  const trees = isTree(registry, model, field) ? [on(['child_of', 'parent_of'], start)] : []
  const parts = PARTS[field.type.comparison] ?? []
  const ofParts = parts.flatMap((part) =>
    [onPart, inParts].map(([operators, value]) =>
      fc.tuple(fc.constant(`${field.name}.${part}`), fc.constantFrom(...operators), value),
    ),
  )
  const own = [...plain, ...trees, ...(ofParts.length > 0 ? [fc.oneof(...ofParts)] : [])]
  if (field.relation === null || left === 0) return own
  const target = conditionOf(field.relation.target, left - 1)
  const dotted = target.map(([path, operator, value]): Condition => [`${field.name}.${path}`, operator, value])
  return [...own, dotted, on(['any', 'not any'], listOf(target))]
}

/** Where child_of means something; a related field asks the field at its end. */
function isTree(registry: Registry, model: Model, field: Field): boolean {
  if (field.related !== null) {
    const [first, last] = field.related
    const target = registry.model(model.fields.get(first!)!.relation!.target)!
    return isTree(registry, target, target.fields.get(last!)!)
  }
  if (field.name === 'id') return model.parentField !== null
  if (field.relation === null) return false
  const isSelf = field.relation.target === model.name && field.relation.kind !== 'many2many'
  return isSelf || registry.model(field.relation.target)!.parentField !== null
}

type Choice = readonly [operators: readonly string[], value: Arbitrary<unknown>]

const EQUAL = ['=', '!=', '=?']
const IN = ['in', 'not in']
const ORDER = ['<', '<=', '>', '>=']
const LIKE = ['like', 'not like', 'ilike', 'not ilike', '=like', '=ilike']

const unset = fc.constantFrom(null, false)
const orUnset = (value: Arbitrary<unknown>) =>
  fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: unset })
const several = (value: Arbitrary<unknown>) => fc.array(orUnset(value), { maxLength: 4 })

const wild = fc.array(fc.oneof(text, fc.constantFrom('%', '_', '\\', '%%')), { minLength: 1, maxLength: 4 })
const pattern = fc.oneof(
  text,
  fc.constantFrom('a', 's', '%', 'strasse', 'σ', 'B', 'a%', '%b', '_'),
  fc.constantFrom('', '%', '_', '\\', '%\\', '_%_'),
  wild.map((parts) => parts.join('')),
)
const id = fc.integer({ min: 0, max: 7 })
const target = fc.oneof(
  { weight: 3, arbitrary: id },
  { weight: 1, arbitrary: text },
  { weight: 1, arbitrary: anyWhole },
)
const start = fc.oneof(orUnset(target), fc.array(target, { maxLength: 3 }))
const dates = fc.oneof(day, relativeWord)
const moments = fc.oneof(instant, day, relativeWord)
const relation: readonly Choice[] = [
  [EQUAL, orUnset(target)],
  [IN, several(target)],
  [LIKE, fc.oneof(pattern, unset)],
]
const ordered = (value: Arbitrary<unknown>): readonly Choice[] => [
  [[...EQUAL, ...ORDER], orUnset(value)],
  [IN, several(value)],
]

const KINDS: Readonly<Record<Field['type']['comparison'], readonly Choice[]>> = {
  text: [...ordered(fc.oneof(text, fc.constant(''))), [LIKE, fc.oneof(pattern, unset)], [LIKE, pattern]],
  number: ordered(anyWhole),
  boolean: [
    [EQUAL, fc.constantFrom(true, false, null)],
    [IN, fc.array(fc.constantFrom(true, false, null), { maxLength: 3 })],
  ],
  date: ordered(dates),
  datetime: ordered(moments),
  many2one: relation,
  x2many: relation,
  opaque: [
    [EQUAL, unset],
    [IN, fc.array(unset, { maxLength: 2 })],
  ],
}

const DATE_PARTS = ['year', 'quarter', 'month', 'week', 'day', 'weekday']
const PARTS: Readonly<Partial<Record<Field['type']['comparison'], readonly string[]>>> = {
  date: DATE_PARTS,
  datetime: [...DATE_PARTS, 'hour'],
}
const part = fc.oneof(
  fc.integer({ min: 0, max: 6 }),
  fc.constantFrom(10, 12, 13, 23, 27, 30, 31, 43, 44, 52, 53, 2011, 2018, 2024, 1, 9999, -1),
)
const [onPart, inParts] = ordered(part) as [Choice, Choice]
