import { mayUseModel } from '../access/acl.ts'
import type { Env } from '../env.ts'
import { badRequest } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import type { Field } from '../model/fields/field.ts'
import type { Model } from '../model/registry.ts'
import { belongsTo, companiesField, requireCompanies } from '../orm/statement/company.ts'
import { allOf, columnOf, compileRule, fromTable, modelOf, rootScope, type TableScope } from '../orm/statement/scope.ts'
import { type Sql, type SqlBool, sql } from '../sql/sql.ts'

/** Records for which a responsible user is to be chosen. */
export interface Assigned {
  readonly model: Model
  /** Its link to users. */
  readonly field: Field
  /** Empty for a record that is not saved yet. */
  readonly ids: readonly number[]
  /** Other links of the record as the form has them, by field. */
  readonly links: Readonly<Record<string, number | null>>
  /** If several users are responsible: those who stay. */
  readonly kept: readonly number[]
}

/**
 * The users whom the caller may make responsible: they belong to the company of each record, their groups may read its model, and the
 * rules let the caller assign it to them. Null: all users. Users of a company are listed only to callers who belong to that company.
 */
export async function assignableUsers(env: Env, assigned: Assigned): Promise<readonly number[] | null> {
  const { model, field, links } = assigned
  const target = field.relation?.kind === 'one2many' ? undefined : field.relation?.target
  if (target !== 'core.user') throw badRequest('field_unsuitable', `${model.name}.${field.name} is no link to users.`)
  if (!mayUseModel(env, target, 'read') || !mayUseModel(env, model.name, 'read')) return []
  requireCompanies(env, model, [{ columns: new Map(Object.entries(links)), links: new Map(), inverses: new Map() }])
  const users: TableScope = { env, model: modelOf(env, target), alias: 'u' }
  const id = columnOf(users, 'id')
  const { rows } = await sql<{ id: number; isFit: boolean }>`
    select u.id, (${worksWith(env, model, id)}) and not exists (${refusals(env, assigned, id)}) as "isFit"
    from core_user as u where ${allOf([sql<SqlBool>`u.active`, compileRule(users, 'read')])}
    order by u.name limit ${LIMITS.domainValues}`.execute(env.tx)
  const fit = rows.filter(({ isFit }) => isFit)
  return fit.length === rows.length ? null : fit.map((row) => row.id)
}

/** The condition that a user is in a group whose members read a model. */
function worksWith({ access }: Env, { name }: Model, userId: Sql<unknown>): Sql<SqlBool> {
  const everybody = access.groupIdByXmlid.get('base.group_user')
  const readers = new Set(
    (access.lines.get(name) ?? []).flatMap(({ groupId, allows }) => (allows.read ? [groupId ?? everybody] : [])),
  )
  const groups = [...access.impliedGroups].flatMap(([id, implied]) =>
    [...implied].some((each) => readers.has(each)) ? [id] : [],
  )
  return sql<SqlBool>`exists (
    select from core_user_group_ids_rel as g where g.source_id = ${userId} and g.target_id = any(${groups}::int[]))`
}

/**
 * The records that the caller could not assign to a user. Names in a WITH clause hide tables of the same name, so the rule reads the
 * records as they would be afterwards: with this user and with the links of the form.
 */
function refusals(env: Env, { model, field, ids, links, kept }: Assigned, userId: Sql<unknown>): Sql<unknown> {
  const scope = rootScope(env, model)
  const table = sql.table(model.table)
  const isNew = ids.length === 0
  const relation = field.relation!
  const given = isNew && model.hasCompany ? { company_id: env.user.companyIds[0] ?? null, ...links } : links
  const columns = Object.entries(given).filter(([name]) => model.fields.get(name)?.relation?.kind === 'many2one')
  const values = JSON.stringify(Object.fromEntries(columns))
  const own = relation.kind === 'many2one' ? sql`jsonb_build_object(${field.name}::text, ${userId})` : sql`'{}'::jsonb`
  const before = isNew
    ? sql`(select (jsonb_populate_record(null::${table}, '{"id": 0}')).*)`
    : sql`(select * from ${fromTable(scope)} where ${allOf([sql<SqlBool>`t.id = any(${ids}::int[])`, compileRule(scope, 'read')])})`
  const after = sql`${table} as (
    select n.* from ${before} as b, lateral jsonb_populate_record(b::${table}, ${values}::jsonb || ${own}) as n)`
  const people =
    relation.kind === 'many2many'
      ? sql`, ${sql.table(relation.table)} as (
          select b.id as ${sql.id(relation.left)}, p as ${sql.id(relation.right)}
          from ${table} as b, unnest(${kept}::int[] || ${userId}) as p)`
      : sql``
  const company = model.hasCompany && field.checkCompany ? columnOf(scope, 'company_id') : null
  const isElsewhere =
    company === null
      ? sql<SqlBool>`false`
      : sql<SqlBool>`${company} is not null and not ${belongsTo(companiesField(modelOf(env, relation.target))!, userId, company)}`
  const rule = compileRule(scope, isNew ? 'create' : 'write')
  return sql`
    with ${after}${people}
    select from ${table} as ${sql.table(scope.alias)}
    where (${isElsewhere}) or (${rule ?? sql<SqlBool>`true`}) is not true`
}
