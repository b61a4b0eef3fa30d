import type { DomainNode } from '../domain/ast.ts'
import { bindVariables } from '../domain/bind.ts'
import { parseDomain } from '../domain/parse.ts'
import type { Env } from '../env.ts'
import type { Model } from '../model/registry.ts'
import { mayUseModel } from './acl.ts'
import type { Operation, RecordRule } from './tables.ts'

/**
 * The records of a model a user may touch with one operation: all global rules, and one of the rules of the user's groups
 * if any apply. Null: no rule applies, everything is allowed.
 */
export function ruleDomain(env: Env, model: Model, operation: Operation): DomainNode | null {
  const rules = applicableRules(env, model, operation)
  if (rules.length === 0) return null
  const parse = ruleParser(env, model)
  const globals = rules.filter((rule) => rule.groupIds.length === 0).map(parse)
  const ofGroups = rules.filter((rule) => rule.groupIds.length > 0).map(parse)
  const items = ofGroups.length === 0 ? globals : [...globals, { kind: 'or' as const, items: ofGroups }]
  return items.length === 1 ? items[0]! : { kind: 'and', items }
}

export function applicableRules(env: Env, model: Model, operation: Operation): readonly RecordRule[] {
  if (env.isSudo) return []
  const { groupIds } = env.user
  return (env.access.rules.get(model.name) ?? []).filter(
    (rule) => rule.applies[operation] && (rule.groupIds.length === 0 || rule.groupIds.some((id) => groupIds.has(id))),
  )
}

/** Parses rules without access checks: a rule may compare any field, also those its user may not read. */
export function ruleParser(env: Env, model: Model): (rule: RecordRule) => DomainNode {
  const variables = ruleVariables(env)
  const context = { registry: env.registry, now: env.now, tz: env.tz }
  return (rule) => parseDomain(bindVariables(rule.domain, variables), model, context)
}

/** For questions about a rule that concern nobody in particular: an empty list of companies, for example, would leave a condition out. */
export const asSomebody = (env: Env): Env => ({
  ...env,
  user: { ...env.user, id: 1, companyIds: [1], groupIds: new Set([1]) },
})

/** Names of the models that the caller may read. */
const readableModels = (env: Env): readonly string[] =>
  [...env.registry.models.keys()].filter((model) => mayUseModel(env, model, 'read'))

/** The variables that the domain of a rule may use. */
export function ruleVariables(env: Env): ReadonlyMap<string, unknown> {
  const { user } = env
  return new Map<string, unknown>([
    ['user.id', user.id],
    ['user.company_id', user.companyIds[0] ?? null],
    ['company_ids', user.companyIds],
    ['user.group_ids', [...user.groupIds]],
    ['readable_models', () => readableModels(env)],
    ['today', 'today'],
  ])
}
