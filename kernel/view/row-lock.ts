import { mayReadField } from '../access/acl.ts'
import { applicableRules } from '../access/rules.ts'
import type { RecordRule } from '../access/tables.ts'
import type { Env } from '../env.ts'
import type { Model } from '../model/registry.ts'

/**
 * The condition under which the rules let the user see a record but not write it, for views of many records, which offer no
 * change of such a row. Null if there are none, or if the rules look further than the fields of the record: then it is the
 * write that refuses. It depends on the groups of the user only, since views are kept for all who have the same.
 */
export function rowLock(env: Env, model: Model): string | null {
  const read = applicableRules(env, model, 'read')
  const write = applicableRules(env, model, 'write')
  // Every visible record meets the rules that also apply to reading.
  const globals = write.filter((rule) => isGlobal(rule) && !read.includes(rule))
  const shown = read.filter((rule) => !isGlobal(rule))
  const ofGroups = write.filter((rule) => !isGlobal(rule))
  const isMet = shown.length > 0 && shown.every((rule) => ofGroups.includes(rule))
  const conditions = [
    ...globals.map((rule) => conditionOf(env, model, rule.domain)),
    ...(ofGroups.length === 0 || isMet ? [] : [anyOf(env, model, ofGroups)]),
  ]
  if (conditions.includes(null)) return null
  const needed = conditions.filter((condition) => condition !== TRUE)
  return needed.length === 0 ? null : `not (${needed.join(' and ')})`
}

const TRUE = 'True'
const isGlobal = ({ groupIds }: RecordRule): boolean => groupIds.length === 0

function anyOf(env: Env, model: Model, rules: readonly RecordRule[]): string | null {
  const conditions = rules.map(({ domain }) => conditionOf(env, model, domain))
  if (conditions.includes(TRUE)) return TRUE
  return conditions.includes(null) ? null : `(${conditions.join(' or ')})`
}

/** A domain of plain conditions on fields of the record itself; null for any other. */
function conditionOf(env: Env, model: Model, domain: readonly unknown[]): string | null {
  if (domain.length === 0) return TRUE
  const leaves = domain.map((leaf) => leafOf(env, model, leaf))
  return leaves.includes(null) ? null : `(${leaves.join(' and ')})`
}

const OPERATORS: ReadonlyMap<unknown, string> = new Map([
  ['=', '=='],
  ['!=', '!='],
])

function leafOf(env: Env, model: Model, leaf: unknown): string | null {
  if (!Array.isArray(leaf)) return null
  const [name, operator, value] = leaf
  const field = model.fields.get(String(name))
  const sign = OPERATORS.get(operator)
  const text = valueText(value)
  const isPlain = field !== undefined && (field.relation === null || field.relation.kind === 'many2one')
  if (!isPlain || sign === undefined || text === null || !mayReadField(env, field)) return null
  return `${field.name} ${sign} ${text}`
}

/** A value as conditions write it. */
function valueText(value: unknown): string | null {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? TRUE : 'False'
  if (typeof value === 'number') return String(value)
  const name = typeof value === 'object' && 'var' in value ? value.var : value
  if (name === 'user.id') return 'uid'
  return typeof value === 'string' && /^\w+$/.test(value) && value !== 'today' ? `'${value}'` : null
}
