import type { Env } from '../../env.ts'
import type { Field } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { modelOf } from './scope.ts'

/** For a monetary field, the link to its currency and the currency's rounding field; null for other fields. */
export function currencyOf(
  env: Env,
  model: Model,
  field: Field,
): { readonly link: Field; readonly rounding: Field } | null {
  const link = field.currencyField === null ? undefined : model.fields.get(field.currencyField)
  const target = link?.relation?.kind === 'many2one' ? env.registry.model(link.relation.target) : undefined
  const rounding = target?.fields.get('rounding')
  return link && rounding ? { link, rounding } : null
}

/**
 * SQL for the value to store: an amount is rounded by the row's currency, other values are unchanged. It is SQL, because
 * often only the writing statement knows the currency of the row. `newValue` gives the new value of a link, if it is written
 * too.
 */
export function roundAmount(
  env: Env,
  model: Model,
  field: Field,
  value: Sql<unknown>,
  newValue: (link: Field) => Sql<unknown> | null,
): Sql<unknown> {
  const currency = currencyOf(env, model, field)
  if (currency === null) return value
  const [first, ...rest] = currency.link.related ?? [currency.link.name]
  const start = model.fields.get(first!)!
  const id = idAlong(env, start, newValue(start), rest)
  if (id === null) return value
  const { table } = modelOf(env, currency.rounding.model)
  const factor = sql.ref(`c.${currency.rounding.column}`)
  return sql`(select coalesce(round(a.amount / ${factor}) * ${factor}, a.amount)
    from (select ${value} as amount) as a left join ${sql.table(table)} as c on c.id = ${id})`
}

/**
 * The id at the end of a path of many2one steps that starts at the record `id` of `link`: lines use the currency of their
 * order.
 */
function idAlong(
  env: Env,
  link: Field,
  id: Sql<unknown> | null,
  [next, ...rest]: readonly string[],
): Sql<unknown> | null {
  if (next === undefined || id === null) return id
  const { table, fields } = modelOf(env, link.relation!.target)
  const step = fields.get(next)!
  if (step.column === null) return null
  return idAlong(env, step, sql`(select ${sql.ref(step.column)} from ${sql.table(table)} where id = ${id})`, rest)
}
