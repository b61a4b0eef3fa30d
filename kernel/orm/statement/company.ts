import type { Env } from '../../env.ts'
import { accessDenied, invalid } from '../../errors.ts'
import type { Field, Relation } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'
import { type Sql, type SqlBool, sql } from '../../sql/sql.ts'
import { columnOf, fromTable, modelOf, rootScope, type TableScope } from './scope.ts'
import type { ParsedValues } from './values.ts'

/** Throws unless every company in the values is one the caller belongs to. */
export function requireCompanies(env: Env, model: Model, records: readonly ParsedValues[]): void {
  if (env.isSudo || !model.hasCompany) return
  for (const { columns } of records) {
    const company = columns.get('company_id')
    if (typeof company === 'number' && !env.user.allowedCompanyIds.includes(company)) {
      throw accessDenied('company_access', 'You do not belong to this company.')
    }
  }
}

/**
 * Throws on links between records of different companies; records without a company may be linked from anywhere. A user belongs to several
 * companies; a linked user must belong to that of the record.
 */
export async function checkCompanies(
  env: Env,
  model: Model,
  ids: readonly number[],
  changed: ReadonlySet<string>,
): Promise<void> {
  const fields = companyFields(env, model, changed)
  if (fields.length === 0) return
  const scope = rootScope(env, model)
  const company = columnOf(scope, 'company_id')
  const parts = fields.map(
    (field) => sql`
      select ${field.name} as field from ${fromTable(scope)} ${joinTargets(env, scope, field)}
      where ${columnOf(scope, 'id')} = any(${ids}::int[]) and ${isElsewhere(modelOf(env, field.relation!.target), company)}`,
  )
  const { rows } = await sql<{ field: string }>`${sql.join(parts, sql` union `)}`.execute(env.tx)
  if (rows.length === 0) return
  const problem = env.t('Belongs to another company.')
  throw invalid('company_mismatch', Object.fromEntries(rows.map(({ field }) => [field, problem])))
}

/** The linked records, as `r`. */
function joinTargets(env: Env, scope: TableScope, { relation, column }: Field): Sql<unknown> {
  const table = sql.table(modelOf(env, relation!.target).table)
  if (relation!.kind !== 'many2many') return sql`join ${table} as r on r.id = ${columnOf(scope, column!)}`
  const { table: links, left, right } = relation!
  return sql`join ${sql.table(links)} as l on ${sql.ref(`l.${left}`)} = ${columnOf(scope, 'id')}
      join ${table} as r on r.id = ${sql.ref(`l.${right}`)}`
}

/** The condition that the linked record `r` does not belong to the company. */
function isElsewhere(target: Model, company: Sql<unknown>): Sql<SqlBool> {
  const several = companiesField(target)
  return several === null
    ? sql<SqlBool>`r.company_id <> ${company}`
    : sql<SqlBool>`${company} is not null and not ${belongsTo(several, sql.ref('r.id'), company)}`
}

/** The condition that a record with several companies, a user, belongs to this one. */
export const belongsTo = ({ table, left, right }: LinkTable, id: Sql<unknown>, company: Sql<unknown>) =>
  sql<SqlBool>`exists (
    select from ${sql.table(table)} as c where ${sql.ref(`c.${left}`)} = ${id} and ${sql.ref(`c.${right}`)} = ${company})`

type LinkTable = Extract<Relation, { kind: 'many2many' }>

/** The links of a model whose records belong to several companies; null: to one at most. */
export function companiesField({ fields }: Model): LinkTable | null {
  const relation = fields.get('company_ids')?.relation
  return relation?.kind === 'many2many' ? relation : null
}

/** Links to check: those that changed, or all if the record's company changed. */
function companyFields(env: Env, model: Model, changed: ReadonlySet<string>): readonly Field[] {
  if (!model.hasCompany) return []
  return [...model.fields.values()].filter((field) => {
    if (!field.checkCompany || !isStoredLink(field)) return false
    if (!changed.has(field.name) && !changed.has('company_id')) return false
    const target = modelOf(env, field.relation!.target)
    return companiesField(target) !== null || (target.hasCompany && field.column !== null)
  })
}

const isStoredLink = ({ relation, column, related }: Field): boolean =>
  relation?.kind === 'many2many' ? related === null : relation?.kind === 'many2one' && column !== null
