import { bindVariables } from '../domain/bind.ts'
import { compileDomain } from '../domain/compile.ts'
import { parseDomain } from '../domain/parse.ts'
import type { Env } from '../env.ts'
import { AppError } from '../errors.ts'
import type { Model } from '../model/registry.ts'
import { type Sql, type SqlBool, sql } from '../sql/sql.ts'
import { trustDomain } from './decide.ts'
import { ruleVariables } from './rules.ts'
import type { RecordRule } from './tables.ts'

/** The domain of a rule evaluated for one record, with the result of each of its parts. */
export type Truth =
  /** `condition` as it stands in the domain, its variables replaced by the user's values. */
  | { readonly kind: 'condition'; readonly condition: unknown; readonly matches: boolean }
  | { readonly kind: 'and' | 'or' | 'not'; readonly items: readonly Truth[]; readonly matches: boolean }
  /** The stored domain is invalid, for example because a field was removed. Every request it applies to fails. */
  | { readonly kind: 'broken'; readonly problem: string; readonly matches: false }

/** The parts before evaluation; a condition is the index of its column in the statement. */
type Shape =
  | { readonly kind: 'condition'; readonly condition: unknown; readonly place: number }
  | { readonly kind: 'and' | 'or' | 'not'; readonly items: readonly Shape[] }
  | { readonly kind: 'broken'; readonly problem: string }

type Joint = Extract<Shape, { items: readonly Shape[] }>

/** Evaluates every condition of the rules for one record, in one statement; null when the record does not exist. */
export async function evaluateRules(
  env: Env,
  model: Model,
  id: number,
  rules: readonly RecordRule[],
): Promise<ReadonlyMap<RecordRule, Truth> | null> {
  const conditions: Sql<SqlBool>[] = []
  const shapes = rules.map((rule) => shapeOf(env, model, rule, conditions))
  const answers = conditions.map((condition) => sql`(${condition}) is true`)
  const { rows } = await sql<{ truths: readonly boolean[] }>`
    select array[${sql.join(answers)}]::boolean[] as truths from ${sql.table(model.table)} as t
    where t.id = ${id}`.execute(env.tx)
  const truths = rows[0]?.truths
  return truths ? new Map(rules.map((rule, i) => [rule, truthOf(shapes[i]!, truths)])) : null
}

function shapeOf(env: Env, model: Model, rule: RecordRule, conditions: Sql<SqlBool>[]): Shape {
  const { registry, now, tz } = env
  const parse = (domain: readonly unknown[]) => trustDomain(parseDomain(domain, model, { registry, now, tz }))
  try {
    const domain = bindVariables(rule.domain, ruleVariables(env))
    parse(domain)
    return split(domain, (condition) => {
      const node = parse([condition])
      return conditions.push(compileDomain(node, { registry, alias: 't', tz, rule: () => null })) - 1
    })
  } catch (error) {
    if (error instanceof AppError && error.code === 'BAD_REQUEST') return { kind: 'broken', problem: error.message }
    throw error
  }
}

const JOINTS: Readonly<Record<string, { readonly kind: Joint['kind']; readonly operands: number }>> = {
  '!': { kind: 'not', operands: 1 },
  '&': { kind: 'and', operands: 2 },
  '|': { kind: 'or', operands: 2 },
}

/** Splits a valid domain into its parts, from right to left like the parser. */
function split(domain: readonly unknown[], place: (condition: unknown) => number): Shape {
  const operands: Shape[] = []
  for (const token of domain.toReversed()) {
    const joint = typeof token === 'string' ? JOINTS[token] : undefined
    if (joint === undefined) operands.push({ kind: 'condition', condition: token, place: place(token) })
    else operands.push({ kind: joint.kind, items: operands.splice(-joint.operands).reverse() })
  }
  return operands.length === 1 ? operands[0]! : { kind: 'and', items: operands.reverse() }
}

function truthOf(shape: Shape, truths: readonly boolean[]): Truth {
  if (shape.kind === 'broken') return { ...shape, matches: false }
  if (shape.kind === 'condition') {
    return { kind: 'condition', condition: shape.condition, matches: truths[shape.place] ?? false }
  }
  const items = shape.items.map((item) => truthOf(item, truths))
  const isTrue = ({ matches }: Truth) => matches
  const matches = { and: items.every(isTrue), or: items.some(isTrue), not: !items.every(isTrue) }[shape.kind]
  return { kind: shape.kind, items, matches }
}
