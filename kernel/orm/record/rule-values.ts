import { rulesRead } from '../../access/rights-change.ts'
import { asSomebody, ruleDomain, ruleParser } from '../../access/rules.ts'
import type { RecordRule } from '../../access/tables.ts'
import type { DomainNode } from '../../domain/ast.ts'
import { evaluateDomain, type RecordSource, type RecordValues } from '../../domain/evaluate.ts'
import { createZone } from '../../domain/zone.ts'
import { asKernel, type Env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { inBaseLanguage } from '../../i18n/language.ts'
import type { RecordFields } from '../../model/define.ts'
import type { Model } from '../../model/registry.ts'
import { linkedRecords, type Remembered, type RememberedRecords, remember, withLinked } from './remember.ts'
import { asksForOthers, needsOf } from './rule-needs.ts'

/**
 * The values of these records that the read rules of their model use, with those of linked records. `couldRead` uses them to decide who
 * could read a record before it was deleted or changed. If they exceed the limits, nothing is kept: users with a rule then get no event of
 * the record, and all users get one that only says that some record of the model has changed.
 */
export async function readForRules(
  env: Env,
  model: Model,
  ids: readonly number[],
): Promise<ReadonlyMap<number, RecordValues>> {
  const { outbox } = env
  if (isOpen(env, model) || outbox.isVague(model.name) || !outbox.names(model.name, ids)) return new Map()
  const asked = ids.filter((id) => !outbox.changes.get(model.name)?.get(id)?.before)
  const found = await rememberFor(env, model, asked)
  const chars = [...(found?.values() ?? [])].reduce((sum, each) => sum + each.chars, 0)
  if (found !== null && outbox.holds(model.name, chars))
    return new Map([...found].map(([id, { values }]) => [id, values]))
  outbox.blur(model.name)
  return new Map()
}

const rulesOf = (env: Env, { name }: Model): readonly RecordRule[] =>
  (env.access.rules.get(name) ?? []).filter((rule) => rule.applies.read)

/** Whether no rule hides records of the model from any user. */
const isOpen = (env: Env, model: Model): boolean => rulesOf(env, model).length === 0 && model.threadOf === null

/** The values of the records that the rules of their model use. Null if they exceed the limits. */
async function rememberFor(env: Env, model: Model, ids: readonly number[]): Promise<RememberedRecords | null> {
  const parse = ruleParser(asSomebody(env), model)
  const conditions = rulesOf(env, model).flatMap((rule) => parsedOrNone(() => parse(rule)))
  if (conditions.some(asksForOthers)) return null
  const needs = needsOf(model.name, conditions)
  const ofThread = Object.values(model.threadOf ?? {}).map((name) => [name, model.fields.get(name)!] as const)
  const all = { ...needs, fields: new Map([...needs.fields, ...ofThread]) }
  const found = await remember(inBaseLanguage(asKernel(env)), all, ids)
  return found === null || model.threadOf === null ? found : withThreads(env, model.threadOf, found)
}

/** Messages, each with the values of its record that rules use. */
async function withThreads(
  env: Env,
  { model, id }: RecordFields,
  messages: RememberedRecords,
): Promise<RememberedRecords | null> {
  const found = new Map(messages)
  for (const name of new Set([...messages.values()].map(({ values }) => String(values[model])))) {
    const target = env.registry.model(name)
    if (target === undefined || isOpen(env, target)) continue
    const those = [...messages].filter(([, { values }]) => values[model] === name)
    const recordOf = ({ values }: Remembered) => values[id] as number
    const records = await rememberFor(env, target, [...new Set(those.map(([, message]) => recordOf(message)))])
    if (records === null) return null
    for (const [key, message] of those)
      found.set(key, withLinked(message, id, [records.get(recordOf(message)) ?? []].flat()))
  }
  return found
}

/** The values for rules before a change of some fields. Empty if no rule reads any of these, because then the change hides no record. */
export const readBeforeChange = async (
  env: Env,
  model: Model,
  ids: readonly number[],
  changed: ReadonlySet<string>,
): Promise<ReadonlyMap<number, RecordValues>> =>
  rulesRead(env, model.name, changed) ? readForRules(env, model, ids) : new Map()

/** Leaves out a rule that has become invalid, for example because a field was removed: it lets no user read anything. */
function parsedOrNone(parse: () => DomainNode): readonly DomainNode[] {
  try {
    return [parse()]
  } catch (error) {
    if (error instanceof AppError && error.code === 'BAD_REQUEST') return []
    throw error
  }
}

/** Whether the rules let this user read a record with these old values. */
export function couldRead(env: Env, model: Model, before: RecordValues | null): boolean {
  const rule = ruleDomain(env, model, 'read')
  if (rule === null) return true
  if (before === null || asksForOthers(rule)) return false
  return evaluateDomain(rule, before, { ...REMEMBERED, zone: createZone(env.tz) })
}

const REMEMBERED: Omit<RecordSource, 'zone'> = {
  linked: linkedRecords,
  records: () => [],
  rule: () => null,
}
