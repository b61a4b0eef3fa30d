import { compileDomain } from '../domain/compile.ts'
import type { Env, Principal } from '../env.ts'
import { AppError, accessDenied, badRequest, notFound } from '../errors.ts'
import type { Field } from '../model/fields/field.ts'
import type { Model } from '../model/registry.ts'
import { type Sql, type SqlBool, sql } from '../sql/sql.ts'
import { appliesToUser, linesAllow, mayReadField, mayReadOwn, mayWriteField } from './acl.ts'
import { trustDomain } from './decide.ts'
import { evaluateRules, type Truth } from './rule-truth.ts'
import { ruleDomain } from './rules.ts'
import type { AccessLine, Operation, RecordRule } from './tables.ts'

/** May `user` do `operation` with the record, or with one field of it? */
export interface AccessQuestion {
  readonly user: Principal
  readonly model: string
  readonly id: number
  readonly operation: Operation
  readonly field?: string | undefined
  /**
   * Id of a group: the explanation also says what would be allowed if the user were in it (and in every group it implies).
   */
  readonly whatIfGroup?: number | undefined
}

/** The answer and everything that led to it. */
export interface AccessExplanation extends Verdict {
  /** The verdict if the user were also in the group of `whatIfGroup`. */
  readonly whatIf: Verdict | null
}

interface Verdict {
  readonly allowed: boolean
  readonly access: { readonly allowed: boolean; readonly lines: readonly LineEffect[] }
  readonly rules: { readonly allowed: boolean; readonly items: readonly RuleEffect[] }
  /** Null for a model without a company field. */
  readonly company: CompanyEffect | null
  /** Null when the question names no field. */
  readonly field: FieldEffect | null
  /** Null if nothing was rehearsed: the rights already refuse the operation, or it changes nothing. */
  readonly rehearsal: Rehearsal | null
}

/** The result of doing the operation with the rights of the user and rolling it back. */
export interface Rehearsal {
  /** The error message; null: the operation succeeded. */
  readonly refusal: string | null
  /** Fields of the record that cannot be changed although others can. */
  readonly except: readonly { readonly name: string; readonly label: string; readonly message: string }[]
  /** If the form is read-only although a change succeeds: the fields this depends on, none if it always is; otherwise null. */
  readonly onForm: readonly string[] | null
}

/** Does and rolls back the operation of the question as the user of `env`. A parameter, because this folder cannot import the ORM. */
export type Rehearse = (env: Env, model: Model, field: Field | null) => Promise<Rehearsal | null>

/** Whether a line or rule applies, or why not: it covers another operation, or a group the user is not in. */
type EffectScope = 'applies' | 'other operation' | 'other group'

interface LineEffect {
  readonly id: number
  readonly groupId: number | null
  readonly effect: 'grants' | Exclude<EffectScope, 'applies'>
}

interface RuleEffect {
  readonly id: number
  readonly name: string
  readonly groupIds: readonly number[]
  readonly scope: EffectScope
  readonly matches: boolean
  readonly truth: Truth
}

interface CompanyEffect {
  readonly companyId: number | null
  /** shared: the record has no company. active: one the user works in now. inactive: one of the user's others. */
  readonly state: 'shared' | 'active' | 'inactive' | 'foreign'
  /** True when the rules would decide differently if this company were active for the user. */
  readonly decides: boolean
}

interface FieldEffect {
  readonly name: string
  readonly allowed: boolean
  /** External ids of the groups one of which the user needs; empty: open to everybody. */
  readonly groups: readonly string[]
  /** Ids of those of the groups that are installed. */
  readonly groupIds: readonly number[]
  /** The field is a secret: nobody can read it. */
  readonly secret: boolean
  /** The question is about a change, and only server code sets the field. */
  readonly fixed: boolean
}

/**
 * Explains an access decision to an administrator. Of the record itself it reads only the company and the fields that rules
 * compare.
 */
export async function explainDecision(
  env: Env,
  question: AccessQuestion,
  rehearse: Rehearse,
): Promise<AccessExplanation> {
  if (!env.hasGroup('base.group_system'))
    throw accessDenied('group_required', 'Only administrators may have access explained.')
  const model = env.registry.model(question.model)
  if (model === undefined)
    throw notFound('model_unknown', `There is no model ${question.model}.`, { model: question.model })
  const field = question.field === undefined ? null : (model.fields.get(question.field) ?? null)
  if (field === null && question.field !== undefined)
    throw badRequest('field_unknown', `${model.name} has no field ${question.field}.`)
  const { user, whatIfGroup } = question
  const implied = whatIfGroup === undefined ? null : env.access.impliedGroups.get(whatIfGroup)
  if (implied === undefined) throw notFound('record_not_found', `There is no group ${whatIfGroup}.`)
  const judge = async (as: Principal): Promise<Verdict> => {
    const rights = await judgeAs(env.as(as), model, field, question)
    const rehearsal = rights.allowed ? await rehearse(env.as(as), model, field) : null
    return { ...rights, allowed: rights.allowed && (rehearsal?.refusal ?? null) === null, rehearsal }
  }
  return {
    ...(await judge(user)),
    whatIf: implied === null ? null : await judge({ ...user, groupIds: new Set([...user.groupIds, ...implied]) }),
  }
}

type Rights = Omit<Verdict, 'rehearsal'>

async function judgeAs(env: Env, model: Model, field: Field | null, question: AccessQuestion): Promise<Rights> {
  const { id, operation } = question
  const access = {
    allowed: linesAllow(env, model.name, operation),
    lines: (env.access.lines.get(model.name) ?? []).map((line) => lineEffect(env, line, operation)),
  }
  const items = await ruleEffects(env, model, id, operation)
  const rules = { allowed: await ruleHolds(env, model, id, operation), items }
  const company = await companyEffect(env, model, question, rules.allowed)
  const fieldEffect = field === null ? null : judgeField(env, field, question)
  const allowed = access.allowed && rules.allowed && (fieldEffect?.allowed ?? true)
  return { allowed, access, rules, company, field: fieldEffect }
}

function lineEffect(env: Env, line: AccessLine, operation: Operation): LineEffect {
  const { id, groupId, allows } = line
  return {
    id,
    groupId,
    effect: !appliesToUser(env, line) ? 'other group' : allows[operation] ? 'grants' : 'other operation',
  }
}

async function ruleEffects(env: Env, model: Model, id: number, operation: Operation): Promise<readonly RuleEffect[]> {
  const rules = env.access.rules.get(model.name) ?? []
  const truths = await evaluateRules(env, model, id, rules)
  if (truths === null)
    throw notFound('record_not_found', `${model.label} ${id} does not exist.`, { model: model.name, id })
  return rules.map((rule) => {
    const truth = truths.get(rule)!
    const { name, groupIds } = rule
    return {
      id: rule.id,
      name: env.t(name),
      groupIds,
      scope: scopeOf(env, rule, operation),
      matches: truth.matches,
      truth,
    }
  })
}

function scopeOf(env: Env, { groupIds, applies }: RecordRule, operation: Operation): EffectScope {
  if (!applies[operation]) return 'other operation'
  return groupIds.length === 0 || groupIds.some((id) => env.user.groupIds.has(id)) ? 'applies' : 'other group'
}

/** Whether the rule is true for the record: evaluates the same condition that every statement of the operation contains. */
async function ruleHolds(env: Env, model: Model, id: number, operation: Operation): Promise<boolean> {
  const condition = compiledRule(env, model, operation)
  if (condition === null) return true
  const { rows } = await sql<{ holds: boolean }>`
    select (${condition}) is true as holds from ${sql.table(model.table)} as t where t.id = ${id}`.execute(env.tx)
  return rows[0]?.holds ?? false
}

/** Null: no rule applies. A rule that cannot be parsed is false, because every request it applies to fails. */
function compiledRule(env: Env, model: Model, operation: Operation): Sql<SqlBool> | null {
  try {
    const rule = ruleDomain(env, model, operation)
    const { registry, tz } = env
    return rule && compileDomain(trustDomain(rule), { registry, alias: 't', tz, rule: () => null })
  } catch (error) {
    if (error instanceof AppError && error.code === 'BAD_REQUEST') return sql<SqlBool>`false`
    throw error
  }
}

async function companyEffect(
  env: Env,
  model: Model,
  { id, operation }: AccessQuestion,
  allowed: boolean,
): Promise<CompanyEffect | null> {
  const column = model.hasCompany ? model.fields.get('company_id')?.column : null
  if (!column) return null
  const { rows } = await sql<{ company: number | null }>`
    select ${sql.ref(column)} as company from ${sql.table(model.table)} where id = ${id}`.execute(env.tx)
  const companyId = rows[0]?.company ?? null
  const { companyIds, allowedCompanyIds } = env.user
  if (companyId === null) return { companyId, state: 'shared', decides: false }
  if (companyIds.includes(companyId)) return { companyId, state: 'active', decides: false }
  const there = env.as({ ...env.user, companyIds: [companyId, ...companyIds] })
  const decides = (await ruleHolds(there, model, id, operation)) !== allowed
  return { companyId, state: allowedCompanyIds.includes(companyId) ? 'inactive' : 'foreign', decides }
}

function judgeField(env: Env, field: Field, { id, operation }: AccessQuestion): FieldEffect {
  const { name, privateTo, secret } = field
  const isRead = operation === 'read'
  const mayRead = id === env.user.id ? mayReadOwn : mayReadField
  const fixed = !isRead && (field.readonly || field.system)
  const allowed = isRead ? mayRead(env, field) : !fixed && mayWriteField(env, field)
  const groups = [...field.groups, ...(isRead ? privateTo : [])]
  const groupIds = groups.flatMap((group) => env.access.groupIdByXmlid.get(group) ?? [])
  return { name, allowed, groups, groupIds, secret, fixed }
}
