import { asKernel, type Env } from '../../env.ts'
import { inBaseLanguage } from '../../i18n/language.ts'
import { LIMITS } from '../../limits.ts'
import type { Field } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'
import { type Sql, type SqlBool, sql } from '../../sql/sql.ts'
import { roundAmount } from '../statement/currency.ts'
import { actorId } from '../statement/insert.ts'
import { type NewRow, newRowRule, requireNewRows } from '../statement/new-row-rule.ts'
import { readSource } from '../statement/read-source.ts'
import { bindTypeOf, fromRecordset, recordset, type StoredRow } from '../statement/recordset.ts'
import { allOf, columnOf, compileRule, fromTable, rootScope, type TableScope } from '../statement/scope.ts'
import type { InputValues } from '../statement/values.ts'
import { explainMissing } from './read.ts'

/**
 * Writes values, by id, to the same columns of all rows in one statement, which also locks them, applies the write rule and saves
 * the replaced values for later merges. Throws if a row does not exist or may not be written, or a guard of the model refuses it.
 */
export async function updateRows(
  env: Env,
  model: Model,
  values: ReadonlyMap<number, StoredRow>,
  { linkNames, changed }: { readonly linkNames: Iterable<string>; readonly changed: ReadonlySet<string> },
): Promise<void> {
  const ids = [...values.keys()]
  const columns = [...values.values()][0]!
  const scope = rootScope(env, model)
  const fields = [...columns.keys()].map((name) => model.fields.get(name)!)
  const links = [...linkNames].map((name) => model.fields.get(name)!)
  const where = allOf([sql<SqlBool>`${columnOf(scope, 'id')} = any(${ids}::int[])`, compileRule(scope, 'write')])
  // Values that all rows share are sent once, others as a table.
  const isShared = new Set(values.values()).size === 1
  const given = (field: Field) => (isShared ? boundValue(field, columns.get(field.name)) : fromRecordset(field))
  const own = isShared ? sql`` : sql`join ${recordset(withIds(values), fields, true)} on r.id = old.id`
  const after = (link: Field): Sql<unknown> | null =>
    columns.has(link.name) ? given(link) : link.column === null ? null : columnOf(scope, link.column)
  const assignments = [
    ...fields.map((field) => sql`${sql.id(field.column!)} = ${roundAmount(env, model, field, given(field), after)}`),
    sql`version = t.version + 1, write_uid = ${actorId(env)}, write_date = ${env.now.toISOString()}`,
  ]
  const tracked = [...fields, ...links].filter((field) => model.tracked.includes(field))
  const replaced = tracked.length === 0 ? sql`` : sql`, ${valuesObject(env, model, tracked, 'old')} as replaced`
  const guards = guardsOf(env, model)
  const read =
    guards.length === 0 ? sql`` : sql`, jsonb_build_array(${sql.join(guards.map((each) => each.sql))}) as read`
  const { rows } = await sql<WrittenRow>`
    with old as materialized (
      select t.* from ${fromTable(scope)} where ${where} order by t.id for no key update of t
    ), revision as (
      insert into sys_revision (model, res_id, version, changed)
      select ${model.name}, old.id, old.version, ${valuesObject(env, model, [...fields, ...links], 'old')} from old
    )
    update ${fromTable(scope)} set ${sql.join(assignments)} from old ${own} where t.id = old.id
    returning t.id, t.version, ${newRowRule(scope, 'write')} as ok${replaced}${read}`.execute(env.tx)
  if (rows.length < ids.length)
    await explainMissing(
      env,
      model,
      ids,
      rows.map((row) => row.id),
    )
  requireNewRows(env, model, rows)
  for (const [index, { check }] of guards.entries())
    check(
      env,
      rows.map((row) => row.read![index]),
      changed as ReadonlySet<never>,
    )
  for (const row of rows) if (row.replaced) env.outbox.keep(model.name, row.id, row.replaced)
  await forgetOldest(env, model, rows)
}

interface WrittenRow extends NewRow {
  readonly version: number
  readonly replaced?: InputValues
  /** What the guards of the model read for the row. */
  readonly read?: readonly unknown[]
}

/** The guards that this caller must pass, each with what it reads. */
const guardsOf = (env: Env, model: Model) =>
  model.events.flatMap(({ guard }) => {
    const read = guard?.reads(env)
    return guard && read ? [{ check: guard.check, sql: read(sql`t.id`) }] : []
  })

/**
 * Deletes the oldest revisions above the limit, in a statement of its own for the few records that have so many. As a part of every
 * write it scanned the whole table if PostgreSQL had planned it while the table was empty.
 */
async function forgetOldest(env: Env, model: Model, rows: readonly WrittenRow[]): Promise<void> {
  const ids = rows.filter(({ version }) => version > LIMITS.revisions + 1).map(({ id }) => id)
  if (ids.length === 0) return
  await sql`delete from sys_revision as r using ${sql.table(model.table)} as t
    where t.id = any(${ids}::int[]) and r.model = ${model.name} and r.res_id = t.id
      and r.version < t.version - ${LIMITS.revisions}`.execute(env.tx)
}

const withIds = (values: ReadonlyMap<number, StoredRow>): readonly StoredRow[] =>
  [...values].map(([id, row]) => new Map([['id', id], ...row]))

function boundValue(field: Field, value: unknown) {
  const plain = field.sqlType === 'jsonb' && value !== null ? JSON.stringify(value) : value
  return field.type.bind(sql`${plain}::${bindTypeOf(field)}`, field)
}

/** Stored values of a row as one JSON object, the same for callers of every language; of large values only the name. */
export function valuesObject(env: Env, model: Model, fields: readonly Field[], alias: string) {
  const scope: TableScope = { env: inBaseLanguage(asKernel(env)), model, alias }
  const source = readSource(scope)
  const pairs = fields.map((field) => {
    if (field.type.summary !== null) return sql`${field.name}::text, null`
    const value = field.column === null ? source.linkedIds(field.relation!) : columnOf(scope, field.column)
    return sql`${field.name}::text, ${value}`
  })
  return sql`jsonb_build_object(${sql.join(pairs)})`
}
