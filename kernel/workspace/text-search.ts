import { mayUseModel } from '../access/acl.ts'
import { fold } from '../domain/fold.ts'
import { isSearched } from '../domain/search-operand.ts'
import { createZone, wallTime } from '../domain/zone.ts'
import type { Env } from '../env.ts'
import type { ComparisonKind, Field } from '../model/fields/field.ts'
import type { Model } from '../model/registry.ts'
import type { WireDomain } from '../view/wire.ts'
import { anyDomain } from './join-domains.ts'
import { typedDay, typedNumbers } from './typed-value.ts'

/** More columns than real lists have, and few enough for the limit of conditions. */
const MAX_COLUMNS = 40

/**
 * Records whose shown columns contain a text: letters without case and accents, names of linked records, labels of choices,
 * and numbers and days as the user's language writes them. `columns` are fields the user may read; nothing else is searched, so hidden values cannot be
 * found out.
 */
export function textSearchDomain(env: Env, model: Model, columns: readonly string[], text: string): WireDomain {
  const conditions = columns
    .slice(0, MAX_COLUMNS)
    .flatMap((name) => model.fields.get(name) ?? [])
    .filter((field) => !isSearched(field) && isReachable(env, field))
    .map((field) => CONDITIONS[field.type.comparison]?.(env, field, text) ?? null)
    .filter((condition) => condition !== null)
  return conditions.length === 0 ? NOTHING : anyDomain(conditions.map((condition) => [condition]))
}

const NOTHING: WireDomain = [['id', 'in', []]]

/** Whether the user may search the linked records themselves; otherwise their names are not searched. */
const isReachable = (env: Env, { relation }: Field): boolean =>
  relation === null || mayUseModel(env, relation.target, 'read')

type Condition = readonly [field: string, operator: string, value: unknown]

const contains = (_env: Env, { name }: Field, text: string): Condition => [name, 'ilike', text]

const CONDITIONS: Readonly<
  Partial<Record<ComparisonKind, (env: Env, field: Field, text: string) => Condition | null>>
> = {
  text: (env, field, text) => (field.selection === null ? contains(env, field, text) : labelContains(env, field, text)),
  number: showsNumber,
  date: showsDay,
  datetime: showsDay,
  many2one: contains,
  x2many: (env, field, text) => (field.relation?.kind === 'many2many' ? contains(env, field, text) : null),
}

/** The label as the user reads it. */
function labelContains({ t }: Env, { name, selection }: Field, text: string): Condition | null {
  const keys = [...(selection ?? [])].filter(([, label]) => fold(t(label)).includes(fold(text))).map(([key]) => key)
  return keys.length === 0 ? null : [name, 'in', keys]
}

/** The condition that a number equals the one in the text; in an integer column only for whole numbers. */
function showsNumber({ lang }: Env, { name, sqlType }: Field, text: string): Condition | null {
  const numbers = typedNumbers(text, lang).filter((number) => sqlType !== 'integer' || Number.isInteger(number))
  return numbers.length === 0 ? null : numbers.length === 1 ? [name, '=', numbers[0]] : [name, 'in', numbers]
}

/** A datetime matches on the whole day in the user's time zone. */
function showsDay({ lang, tz, now }: Env, { name }: Field, text: string): Condition | null {
  const today = new Date(wallTime(createZone(tz), now.getTime())).toISOString().slice(0, 10)
  const day = typedDay(text, lang, today)
  return day === null ? null : [name, '=', day]
}
