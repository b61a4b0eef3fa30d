import { bindVariables } from '../domain/bind.ts'
import { parseDomain } from '../domain/parse.ts'
import type { Env } from '../env.ts'
import type { Field } from '../model/fields/field.ts'
import { asSomebody, ruleVariables } from './rules.ts'
import type { RecordRule, RuleData } from './tables.ts'
import { collectFieldUses, type FieldUse } from './uses.ts'

/** Models whose records decide who may do what. */
const RIGHTS_MODELS: ReadonlySet<string> = new Set([
  'core.user',
  'core.group',
  'core.company',
  'core.api.key',
  'sys.access',
  'sys.rule',
])

/**
 * Whether the transaction may have taken a right from a user: it changed users, groups, companies, keys, access lines or rules, or
 * what a rule reads, such as the owner of a record or the members of its project. A repeated request counts, because the first one may
 * have done so.
 */
export function changesRights(env: Env): boolean {
  if (env.outbox.repeatsAnother) return true
  const read = ruleData(env)
  for (const [model, records] of env.outbox.changes) {
    // A part of the transaction that was rolled back leaves an empty map.
    if (RIGHTS_MODELS.has(model) && records.size > 0) return true
    const data = read.get(model)
    if (data === undefined) continue
    for (const { channel, fields } of records.values()) {
      if (channel === 'record.deleted' || (channel === 'record.created' && data.gainsCount)) return true
      if (channel === 'record.updated' && [...(fields ?? [])].some((name) => data.fields.has(name))) return true
    }
  }
  return false
}

/** Whether some rule reads one of these fields, so that a change of them may hide records. */
export const rulesRead = (env: Env, model: string, changed: Iterable<string>): boolean => {
  const fields = ruleData(env).get(model)?.fields
  return fields !== undefined && [...changed].some((name) => fields.has(name))
}

/** Model → what the rules of the service read of it, computed once for each state of the access tables. */
function ruleData(env: Env): ReadonlyMap<string, RuleData> {
  env.access.ruleData.known ??= collectRuleData(env)
  return env.access.ruleData.known
}

function collectRuleData(env: Env): ReadonlyMap<string, RuleData> {
  const read = new Map<string, RuleData>()
  const dataOf = (model: string): RuleData => {
    const data = read.get(model) ?? { fields: new Set(), gainsCount: false }
    read.set(model, data)
    return data
  }
  for (const rule of [...env.access.rules.values()].flat()) {
    for (const { model, field } of usesOfRule(env, rule)) {
      if (field === null) continue
      dataOf(model).fields.add(field.name)
      for (const other of otherSides(env, field)) dataOf(other.model).fields.add(other.field)
      if (field.relation?.kind === 'one2many') dataOf(field.relation.target).gainsCount = true
    }
  }
  return read
}

function usesOfRule(env: Env, { model, domain }: RecordRule): readonly FieldUse[] {
  const found = env.registry.model(model)
  if (found === undefined) return []
  const variables = ruleVariables(asSomebody(env))
  const { registry, now, tz } = env
  try {
    return collectFieldUses(parseDomain(bindVariables(domain, variables), found, { registry, now, tz }))
  } catch {
    // A rule that cannot be parsed grants nothing, so no change of data takes a right away.
    return []
  }
}

/** Fields of the target that change the same links from the other side. */
function otherSides(env: Env, { relation }: Field): readonly { readonly model: string; readonly field: string }[] {
  if (relation === null || relation.kind === 'many2one') return []
  const { target } = relation
  if (relation.kind === 'one2many') return [{ model: target, field: relation.inverse }]
  const fields = [...(env.registry.model(target)?.fields.values() ?? [])]
  return fields.flatMap((field) =>
    field.relation?.kind === 'many2many' && field.relation.table === relation.table
      ? [{ model: target, field: field.name }]
      : [],
  )
}
