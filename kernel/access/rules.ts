import { and, type DomainNode, or } from '../domain/ast.ts'
import { bindVariables } from '../domain/bind.ts'
import { parseDomain } from '../domain/parse.ts'
import type { Env } from '../env.ts'
import type { RecordFields } from '../model/define.ts'
import type { Field } from '../model/fields/field.ts'
import type { Model } from '../model/registry.ts'
import { mayUseModel } from './acl.ts'
import type { Operation, RecordRule } from './tables.ts'

/**
 * The records of a model a user may touch with one operation: all global rules, and one of the rules of the user's groups
 * if any apply; of messages those whose record the user may read. Null: no rule applies, everything is allowed.
 */
export function ruleDomain(env: Env, model: Model, operation: Operation): DomainNode | null {
  if (isUnruled(env, model, operation)) return null
  const rules = applicableRules(env, model, operation)
  const parse = ruleParser(env, model)
  const own = rules.filter((rule) => rule.groupIds.length === 0).map(parse)
  const globals = model.threadOf === null ? own : [...own, readableThreads(env, model, model.threadOf)]
  const ofGroups = rules.filter((rule) => rule.groupIds.length > 0).map(parse)
  const items = ofGroups.length === 0 ? globals : [...globals, { kind: 'or' as const, items: ofGroups }]
  return items.length === 1 ? items[0]! : { kind: 'and', items }
}

/** Whether nothing restricts which records of a model the user may touch. */
export const isUnruled = (env: Env, model: Model, operation: Operation): boolean =>
  env.isSudo || (model.threadOf === null && applicableRules(env, model, operation).length === 0)

/** The messages whose record the user may read, by the rules of each model that has messages. */
function readableThreads(env: Env, { name, fields }: Model, threadOf: RecordFields): DomainNode {
  const [model, id] = [fields.get(threadOf.model)!, fields.get(threadOf.id)!]
  const among = (value: readonly string[]) =>
    ({ kind: 'compare', model: name, field: model, part: null, operator: 'in', value }) as const
  const whole: string[] = []
  const parts: DomainNode[] = []
  for (const target of env.registry.models.values()) {
    if (target.chatter === 'none' || target.threadOf !== null || !mayUseModel(env, target.name, 'read')) continue
    const where = ruleDomain(env, target, 'read')
    if (where === null) whole.push(target.name)
    else
      parts.push(
        and([
          among([target.name]),
          { kind: 'any', model: name, field: linkTo(id, target), target: target.name, where },
        ]),
      )
  }
  return or([among(whole), ...parts])
}

/** The id field of messages as a link to `target`; another field of a message names the model. */
const linkTo = (id: Field, { name: target }: Model): Field => ({
  ...id,
  relation: { kind: 'many2one', target, ondelete: 'cascade' },
})

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

/** An env with a made-up user, to find out what a rule reads for any user. With the caller's values, an empty list of companies could remove a condition. */
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
